import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smallSweep, spawnSpica, type Workspace, workspace } from '../support/run-spica.js'

const tight = (space: string, workload = '{isl: 4000, osl: 500, concurrency: 16, num_request_ratio: 5}') =>
  `search_space: {model_name: meta-llama/Meta-Llama-3.1-70B, hardware_sku: l40s, planner_scaling_policy: [disabled], ${space}}
workload: ${workload}
sweep: {max_rounds: 2, parallel_evals: 4, optimizer: random}
`

describe('spica explain', () => {
  let at: Workspace
  beforeAll(async () => {
    at = workspace({
      'sweep.yaml': smallSweep(),
      'front.yaml': smallSweep({ goal: '  target: pareto\n' }),
      'tight.yaml': tight('gpu_budget: 4'),
      'never.yaml': tight(
        'gpu_budget: 4, deployment_mode: [agg], context_length: 4096',
        '{isl: 60000, osl: 500, concurrency: 1, num_request_ratio: 5}',
      ),
    })
    for (const name of ['sweep', 'front'])
      expect(
        (await at.spica('--config', `{}/${name}.yaml`, '--out', `{}/${name}`, '--workers', '1', '--quiet')).code,
      ).toBe(0)
  })
  afterAll(() => at.remove())

  it('gives each rule with its numbers, and the shortfall in GiB', async () => {
    const { code, stdout } = await at.spica('explain', '--config', '{}/tight.yaml', '--shape', 'tp=4')
    expect(code).toBe(1)
    expect(stdout).toMatch(/yes {2}divisibility: holds \(headsPerRank 16, kvHeadsPerRank 2\)/)
    expect(stdout).toMatch(/no {3}kv-fit: .*lacks [\d.]+ GiB per GPU/)
    expect(stdout).toMatch(/with context_length: \d+ or less .* this shape is legal on vllm as prefill, decode, agg/)
    expect(stdout).toMatch(/nothing is feasible with this config; .*\n.*\n {2}with gpu_budget: 8 something fits/)
  })

  it('says the same as JSON, and the change it names works', async () => {
    const { stdout } = await at.spica(
      'explain',
      '--config',
      '{}/tight.yaml',
      '--shape',
      'tp=4',
      '--role',
      'agg',
      '--json',
    )
    const answer = JSON.parse(stdout)
    expect(answer.checks).toHaveLength(1)
    expect(answer.checks[0]).toMatchObject({ backend: 'vllm', role: 'agg', ok: false, gap: null })
    const [first] = answer.single_changes
    expect(first).toMatchObject({
      kind: 'context-length',
      fit: { gpus: 4, workers: [{ role: 'agg', tp: 4, moe_ep: 1 }] },
    })
    const other = workspace({
      'c.yaml': tight(`gpu_budget: 4, context_length: ${first.settings['search_space.context_length']}`),
    })
    expect((await other.spica('explain', '--config', '{}/c.yaml', '--shape', 'tp=4')).code).toBe(0)
    other.remove()
  })

  it('ranks a shape in a study and says by how much it is beaten', async () => {
    const { stdout, code } = await at.spica('explain', '--study', '{}/sweep', '--shape', 'tp=4')
    expect(code).toBe(0)
    expect(stdout).toMatch(/study .*: \d+ trials? with this shape, \d+ feasible/)
    expect(stdout).toMatch(
      /place \d+ of \d+ feasible trials; outranked\n {4}by trial \d+: throughput_per_gpu \+[\d.]+ tok\/s\/GPU \(\+[\d.]+ %\)/,
    )
    const ranking = JSON.parse(at.read('sweep/candidates.json'))
    const json = JSON.parse((await at.spica('explain', '--study', '{}/sweep', '--shape', 'tp=4', '--json')).stdout)
    const [best] = json.study.best
    expect(ranking[best.rank - 1].trial).toBe(best.trial)
    expect(best.better[0]).toMatchObject({ trial: ranking[0].trial, objectives: ranking[0].objectives })
    expect(best.better[0].margins.throughput_per_gpu).toBe(ranking[0].score - best.score)
  })

  it('names what dominates a shape on a front', async () => {
    const { stdout } = await at.spica('explain', '--study', '{}/front', '--shape', 'tp=1', '--json')
    const front = JSON.parse(at.read('front/candidates.json')).map(({ trial }: { trial: number }) => trial)
    const { best, front_size } = JSON.parse(stdout).study
    expect(front_size).toBe(front.length)
    expect(best.length).toBeGreaterThan(0)
    for (const trial of best) {
      expect(trial.on_front).toBe(front.includes(trial.trial))
      expect(trial.better_trials > 0).toBe(!trial.on_front)
    }
  })

  it('says when a shape was never tried, and refuses a study of another model', async () => {
    const never = await at.spica('explain', '--study', '{}/sweep', '--shape', 'tp=16')
    expect(never.stdout).toMatch(/it was never tried there/)
    const other = await at.spica('explain', '--study', '{}/sweep', '--config', '{}/tight.yaml', '--shape', 'tp=1')
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(
      /has model_name meta-llama\/Meta-Llama-3.1-8B, the config meta-llama\/Meta-Llama-3.1-70B/,
    )
  })

  it('ends enumerate and sweep with the changes that help, also through the built program', async () => {
    for (const args of [['enumerate'], ['sweep', '--out', '{}/none']]) {
      const { code, stderr } = await at.spica(...args, '--config', '{}/tight.yaml')
      expect(code).toBe(1)
      expect(stderr).toMatch(/hint: any one of these is enough\n {2}with context_length: \d+ or less/)
      expect(stderr).toMatch(/with hardware_sku: \w+ \(\d+ GiB, now 45\) something fits/)
    }
    const built = await spawnSpica(['enumerate', '--config', 'tight.yaml'], at.folder).done
    expect(built.code).toBe(1)
    expect(built.stderr).toMatch(/with gpu_budget: 8 something fits: agg tp=8/)
  })

  it('says what helps when every trial was infeasible', async () => {
    const { code, stderr } = await at.spica('sweep', '--config', '{}/never.yaml', '--out', '{}/never', '--workers', '1')
    expect(code).toBe(1)
    expect(stderr).toMatch(/nothing feasible was found/)
    expect(stderr).toMatch(/most often: the agg KV cache holds \d+ tokens of the 60500 one sequence needs/)
    expect(stderr).toMatch(/with gpu_budget: 8 something fits/)
  })
})
