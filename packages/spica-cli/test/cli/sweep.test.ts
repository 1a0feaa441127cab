import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallSweep, type Workspace, workspace } from '../support/run-spica.js'

interface Candidate {
  config: Record<string, unknown>
  used_gpus: number
  score: number | null
  metrics: Record<string, number>
  objectives: Record<string, number>
}
const candidatesOf = (text: string) => JSON.parse(text) as Candidate[]

describe('spica sweep', () => {
  let at: Workspace
  beforeEach(() => {
    at = workspace({ 'sweep.yaml': smallSweep() })
  })
  afterEach(() => at.remove())
  const sweep = (out: string, ...more: string[]) =>
    at.spica('sweep', '--config', '{}/sweep.yaml', '--out', `{}/${out}`, '--quiet', ...more)

  it('writes the study, the ledger, and the ranking, best first', async () => {
    const run = await at.spica('--config', '{}/sweep.yaml', '--out', '{}/out')
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('predictions')
    const candidates = candidatesOf(at.read('out/candidates.json'))
    expect(candidates.length).toBeGreaterThan(4)
    const scores = candidates.map(({ score }) => score as number)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const { config, objectives, metrics, used_gpus } of candidates) {
      expect(config['used_gpus']).toBe(used_gpus)
      expect(objectives['throughput_per_gpu']).toBeGreaterThan(0)
      expect(metrics).not.toHaveProperty('wall_time_ms')
    }
    const trials = at
      .read('out/trials.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number })
    expect(trials.map(({ id }) => id).sort((a, b) => a - b)).toEqual(trials.map((_, index) => index))
    expect(JSON.parse(at.read('out/study.json'))).toMatchObject({ state: 'finished', limits_fired: false, seed: 7 })
    expect(at.read('out/candidates.csv').split('\n')[0]).toMatch(/^rank,trial,score,used_gpus,throughput_per_gpu/)
  })

  it('finds the same bytes with any number of workers', async () => {
    for (const workers of ['1', '2', '3']) expect((await sweep(`w${workers}`, '--workers', workers)).code).toBe(0)
    expect(at.read('w2/candidates.json')).toBe(at.read('w1/candidates.json'))
    expect(at.read('w3/candidates.json')).toBe(at.read('w1/candidates.json'))
  })

  it('another seed searches elsewhere', async () => {
    await sweep('a')
    await sweep('b', '--seed', '8')
    expect(at.read('b/candidates.json')).not.toBe(at.read('a/candidates.json'))
  })

  it('resumes a finished study without changing a byte', async () => {
    await sweep('out')
    const before = at.read('out/candidates.json')
    expect((await at.spica('sweep', '--resume', '{}/out', '--quiet')).code).toBe(0)
    expect(at.read('out/candidates.json')).toBe(before)
  })

  it('resumes from any prefix of the ledger, torn last line included', async () => {
    await sweep('out')
    const before = at.read('out/candidates.json')
    const ledger = readFileSync(at.path('out/trials.jsonl'))
    for (const share of [0, 0.3, 0.61, 0.97]) {
      truncateSync(at.path('out/trials.jsonl'), Math.floor(ledger.length * share))
      writeFileSync(at.path('out/candidates.json'), '[]')
      const run = await at.spica('sweep', '--resume', '{}/out', '--quiet', '--workers', '1')
      expect(run).toMatchObject({ code: 0 })
      expect(at.read('out/candidates.json')).toBe(before)
    }
  })

  it('refuses to resume under another config, seed or trace, naming what changed', async () => {
    await sweep('out')
    writeFileSync(at.path('sweep.yaml'), smallSweep().replace('gpu_budget: 4', 'gpu_budget: 8'))
    const config = await at.spica('sweep', '--config', '{}/sweep.yaml', '--resume', '{}/out', '--quiet')
    expect(config.code).toBe(2)
    expect(config.stderr).toContain('search_space.gpu_budget: 4 -> 8')
    const seed = await at.spica('sweep', '--resume', '{}/out', '--seed', '9', '--quiet')
    expect(seed.code).toBe(2)
    expect(seed.stderr).toContain('sweep.random_seed: 7 -> 9')
  })

  it('refuses another version and a broken ledger line', async () => {
    await sweep('out')
    const study = at.read('out/study.json')
    writeFileSync(at.path('out/study.json'), study.replace(/"version": "[^"]*"/, '"version": "0.0.0-other"'))
    const version = await at.spica('sweep', '--resume', '{}/out', '--quiet')
    expect(version).toMatchObject({ code: 2 })
    expect(version.stderr).toContain('version: "0.0.0-other" ->')
    writeFileSync(at.path('out/study.json'), study)
    writeFileSync(at.path('out/trials.jsonl'), `{"id":0}\n${at.read('out/trials.jsonl')}`)
    const broken = await at.spica('sweep', '--resume', '{}/out', '--quiet')
    expect(broken).toMatchObject({ code: 2 })
    expect(broken.stderr).toContain('trials.jsonl:1')
  })

  it('starts afresh in a folder whose study ended before its first record', async () => {
    await sweep('reference')
    await sweep('out')
    truncateSync(at.path('out/trials.jsonl'), 0)
    const other = smallSweep().replace('random_seed: 7', 'random_seed: 5')
    writeFileSync(at.path('other.yaml'), other)
    expect((await at.spica('sweep', '--config', '{}/other.yaml', '--resume', '{}/out', '--quiet')).code).toBe(0)
    expect(at.read('out/candidates.json')).not.toBe(at.read('reference/candidates.json'))
    const empty = await at.spica('sweep', '--resume', '{}/nothing-there', '--quiet')
    expect(empty.code).toBe(2)
  })

  it('does not overwrite a study', async () => {
    await sweep('out')
    const again = await sweep('out')
    expect(again).toMatchObject({ code: 2 })
    expect(again.stderr).toContain('--resume')
  })

  it('never follows a symbolic link out of its folder', async () => {
    const outside = workspace({ 'victim.txt': 'untouched' })
    await sweep('out')
    const linked = workspace()
    symlinkSync(outside.path('victim.txt'), linked.path('candidates.json'))
    const run = await at.spica('sweep', '--config', '{}/sweep.yaml', '--out', linked.folder, '--quiet')
    expect(run.code).toBe(3)
    expect(outside.read('victim.txt')).toBe('untouched')
    outside.remove()
    linked.remove()
  })

  it('gives a front under a Pareto goal, with ranged load', async () => {
    writeFileSync(
      at.path('sweep.yaml'),
      smallSweep({
        workload: '  isl: 512\n  osl: 32\n  kv_load_ratio: [0.0, 0.02]\n  num_request_ratio: 1\n',
        goal: '  target: pareto\n',
      }),
    )
    expect((await sweep('out')).code).toBe(0)
    const front = candidatesOf(at.read('out/candidates.json'))
    expect(front.length).toBeGreaterThan(1)
    const users = front.map(({ objectives }) => objectives['throughput_per_user'] as number)
    expect(users).toEqual([...users].sort((a, b) => a - b))
    expect(front.every(({ score }) => score === null)).toBe(true)
    expect(front[0]?.config).toHaveProperty('kv_load_concurrency_capacity')
  })

  it('counts every trial exactly once and never runs a repeat', async () => {
    writeFileSync(
      at.path('sweep.yaml'),
      smallSweep({ space: '  parallel_configs: []\n' })
        .replace('[agg, disagg]', '[agg]')
        .replace('[vllm, sglang]', '[vllm]')
        .replace('gpu_budget: 4', 'gpu_budget: 1\n  router_mode: [round_robin]'),
    )
    const run = await sweep('out')
    expect(run.code).toBe(0)
    const study = JSON.parse(at.read('out/study.json')) as {
      tally: Record<string, number>
      results: { ended: string }[]
    }
    const { asked, ...kinds } = study.tally
    expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(asked)
    expect(study.results[0]?.ended).toBe('space-exhausted')
    const trials = at
      .read('out/trials.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; status: string })
    const evaluated = trials.filter(({ status }) => status !== 'cache-hit').map(({ key }) => key)
    expect(new Set(evaluated).size).toBe(evaluated.length)
  })

  it('stops a branch that has stalled, and a sweep whose time is up', async () => {
    writeFileSync(
      at.path('sweep.yaml'),
      smallSweep({ sweep: '  stop_after_stall_rounds: 1\n' }).replace('max_rounds: 3', 'max_rounds: 30'),
    )
    await sweep('stall')
    const stalled = JSON.parse(at.read('stall/study.json')) as { results: { ended: string; rounds: number }[] }
    expect(stalled.results.some(({ ended }) => ended === 'stalled')).toBe(true)
    writeFileSync(at.path('sweep.yaml'), smallSweep().replace('max_rounds: 3', 'max_rounds: 3000'))
    const run = await sweep('timed', '--time-limit', '1.5')
    expect([0, 1]).toContain(run.code)
    expect(JSON.parse(at.read('timed/study.json'))).toMatchObject({ state: 'time-limit' })
  })

  it('records a candidate over its own time limit as timed out, and goes on', async () => {
    writeFileSync(
      at.path('sweep.yaml'),
      smallSweep({
        workload: '  isl: 2000\n  osl: 1000\n  concurrency: 900\n  num_request_ratio: 40\n',
        sweep: '  max_eval_seconds: 0.01\n',
      })
        .replace('[agg, disagg]', '[agg]')
        .replace('max_rounds: 3', 'max_rounds: 1')
        .replace('parallel_evals: 4', 'parallel_evals: 1'),
    )
    for (const workers of ['1', '2']) {
      const run = await sweep(`w${workers}`, '--workers', workers)
      expect(run.code).toBe(1)
      expect(JSON.parse(at.read(`w${workers}/study.json`))).toMatchObject({ limits_fired: true })
      expect(at.read(`w${workers}/trials.jsonl`)).toContain('"status":"timed-out"')
    }
  })

  it('loads an optimiser package from the folder of the config, and from nowhere else', async () => {
    const source = `import { randomUUID } from 'node:crypto'
export function createOptimizer({ parameters }) {
  let next = 0
  const value = (p) => p.kind === 'categorical' || p.kind === 'discrete' ? p.values[next % p.values.length] : p.min + (p.max - p.min) * ((next * 0.37) % 1)
  return {
    ask: (count) => Array.from({ length: count }, () => { next++; return { id: next, parameters: Object.fromEntries(parameters.map((p) => [p.name, value(p)])) } }),
    tell: () => {},
    snapshot: () => next,
  }
}`
    const own = workspace({
      'sweep.yaml': smallSweep().replace('optimizer: random', 'optimizer: "@acme/steps"'),
      'node_modules/@acme/steps/package.json':
        '{"name":"@acme/steps","type":"module","exports":{".":{"import":"./main.js"}}}',
      'node_modules/@acme/steps/main.js': source,
    })
    expect((await own.spica('sweep', '--config', '{}/sweep.yaml', '--out', '{}/out', '--quiet')).code).toBe(0)
    writeFileSync(at.path('sweep.yaml'), own.read('sweep.yaml'))
    const missing = await sweep('out')
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.stderr).toContain('@acme/steps')
    expect(at.exists('out')).toBe(false)
    own.remove()
  })

  it('ignores a torn line but nothing else at the end of a ledger', async () => {
    await sweep('out')
    const before = at.read('out/candidates.json')
    appendFileSync(at.path('out/trials.jsonl'), '{"id":99,"branch":"ag')
    writeFileSync(at.path('out/.candidates.json.0123456789ab.tmp'), '[{')
    expect((await at.spica('sweep', '--resume', '{}/out', '--quiet')).code).toBe(0)
    expect(at.read('out/candidates.json')).toBe(before)
    expect(at.exists('out/.candidates.json.0123456789ab.tmp')).toBe(false)
  })
})
