import { mkdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallSweep, type Workspace, workspace } from '../support/run-spica.js'

const TRACE_LOAD = '  trace_path: trace.jsonl\n'
const ROW = '{"timestamp": 0, "input_length": 600, "output_length": 8, "hash_ids": [1, 2]}\n'

describe('bad input', () => {
  let at: Workspace
  beforeEach(() => {
    at = workspace({
      'good.yaml': smallSweep(),
      'empty.yaml': '',
      'list.yaml': '- 1\n',
      'latin.yaml': Uint8Array.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
      'typo.yaml': smallSweep().replace('gpu_budget', 'gpu_buget'),
      'text.yaml': smallSweep().replace('gpu_budget: 4', 'gpu_budget: "4"'),
      'model.yaml': smallSweep().replace('Meta-Llama-3.1-8B', 'Meta-Lama-3.1-8B'),
      'sku.yaml': smallSweep().replace('h200_sxm', 'h300_sxm'),
      'no-trace.yaml': smallSweep({ workload: '  trace_path: nowhere.jsonl\n' }),
      'trace.yaml': smallSweep({ workload: TRACE_LOAD }),
      'trace.jsonl': `${ROW}{"timestamp": "later"}\nnot json\n`,
      'huge.yaml': `search_space:\n${'  x: 1\n'.repeat(2_000_000)}`,
      'tiny-budget.yaml': smallSweep()
        .replace('Meta-Llama-3.1-8B', 'Meta-Llama-3.1-70B')
        .replace('gpu_budget: 4', 'gpu_budget: 1'),
    })
    mkdirSync(at.path('folder.yaml'))
  })
  afterEach(() => at.remove())

  const cases: readonly [file: string, code: number, message: RegExp][] = [
    ['missing.yaml', 2, /no such file/],
    ['folder.yaml', 2, /is a directory/],
    ['empty.yaml', 2, /empty/],
    ['list.yaml', 2, /mapping/],
    ['latin.yaml', 2, /latin\.yaml:1:4.*UTF-8/],
    ['typo.yaml', 2, /typo\.yaml:\d+:\d+ search_space\.gpu_buget.*gpu_budget/],
    ['text.yaml', 2, /search_space\.gpu_budget/],
    ['huge.yaml', 2, /bytes|large/],
    ['model.yaml', 2, /Meta-Llama-3\.1-8B/],
    ['sku.yaml', 2, /known SKUs: .*h200_sxm/],
    ['no-trace.yaml', 2, /nowhere\.jsonl: no such file/],
    ['trace.yaml', 2, /trace\.jsonl:2/],
    ['tiny-budget.yaml', 1, /no viable parallel configuration/],
  ]
  for (const [file, code, message] of cases) {
    it(`sweep refuses ${file}`, async () => {
      const run = await at.spica('sweep', '--config', `{}/${file}`, '--out', '{}/out', '--quiet')
      expect(run.code).toBe(code)
      expect(run.stderr).toMatch(message)
      expect(run.stderr).not.toMatch(/\n\s+at /)
      expect(at.exists('out')).toBe(false)
    })
  }

  it('reports all mistakes of a config at once', async () => {
    const run = await at.spica('validate', '{}/typo.yaml')
    expect(run.code).toBe(2)
    expect((await at.spica('validate', '{}/good.yaml')).code).toBe(0)
    expect((await at.spica('validate', '{}/no-trace.yaml')).code).toBe(2)
    const json = await at.spica('validate', '{}/typo.yaml', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false })
  })

  it('refuses an output folder it cannot write, before any work', async () => {
    const run = await at.spica('sweep', '--config', '{}/good.yaml', '--out', '/proc/spica-out', '--quiet')
    expect(run.code).toBe(3)
    const file = await at.spica('sweep', '--config', '{}/good.yaml', '--out', '{}/good.yaml', '--quiet')
    expect(file.code).toBe(3)
  })

  it('refuses wrong usage with code 2', async () => {
    for (const args of [
      ['swep'],
      ['sweep', '--wrokers', '2'],
      ['sweep', '--workers', '0'],
      ['sweep'],
      ['forecast', 'x'],
      ['kv', '--compat', 'x'],
    ])
      expect((await at.spica(...args)).code).toBe(2)
    expect((await at.spica('swep')).stderr).toContain('did you mean spica sweep')
    expect((await at.spica('--help')).code).toBe(0)
    expect((await at.spica('--help')).stdout).toContain('predictions, not guarantees')
  })

  it('never shows the password of a broker', async () => {
    const run = await at.spica(
      'sweep',
      '--config',
      '{}/good.yaml',
      '--out',
      '{}/o',
      '--executor',
      'bullmq',
      '--broker',
      'http://u:hush@h:1',
      '--quiet',
    )
    expect(run.code).toBe(2)
    expect(run.stderr).not.toContain('hush')
  })

  it('reads a gzip trace directly', async () => {
    const packed = workspace({
      'sweep.yaml': smallSweep({ workload: '  trace_path: trace.jsonl.gz\n' }).replace(
        'max_rounds: 3',
        'max_rounds: 1',
      ),
      'trace.jsonl.gz': gzipSync(
        Array.from({ length: 40 }, (_, i) => ROW.replace('"timestamp": 0', `"timestamp": ${i * 20}`)).join(''),
      ),
    })
    expect((await packed.spica('sweep', '--config', '{}/sweep.yaml', '--out', '{}/out', '--quiet')).code).toBe(0)
    packed.remove()
  })
})
