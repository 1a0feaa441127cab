import type { Backend } from '@spica/schema'
import { SpicaConfigError, SpicaError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { configTuple, type EnumerateOptions, enumerate, NO_VIABLE_PARALLEL_CONFIG, pinOf } from '../src/index.js'
import { rulesOf } from './fake-rules.js'

const dense: EnumerateOptions = { deploymentModes: ['disagg', 'agg'], backends: ['vllm'], isMoe: false, gpuBudget: 4 }

function failure(options: EnumerateOptions): SpicaError {
  try {
    enumerate(options)
  } catch (error) {
    if (error instanceof SpicaError) return error
    throw error
  }
  throw new Error('expected enumerate to fail')
}

const paths = (error: SpicaError): (string | undefined)[] =>
  error instanceof SpicaConfigError ? error.issues.map((issue) => issue.location.path) : []

/** Only workers of at least `gpus` GPUs fit, on every backend but those in `roomy`. */
const needs = (gpus: number, roomy: Backend[] = []) =>
  rulesOf({
    name: 'memory',
    check(shape, { backend }) {
      const size = shape.tp * shape.attentionDp
      if (size >= gpus || roomy.includes(backend)) return { ok: true, numbers: { kvTokens: size * 1000 } }
      return { ok: false, code: 'kv-does-not-fit', message: `short on ${size} GPUs`, numbers: { shortfallBytes: 1 } }
    },
  })

describe('enumerate', () => {
  it('makes one branch per mode in the order given, repeated ones once', () => {
    const { branches, skipped } = enumerate({ ...dense, deploymentModes: ['disagg', 'agg', 'disagg'] })
    expect(branches.map((branch) => [branch.deploymentMode, branch.pool.size])).toEqual([
      ['disagg', 11],
      ['agg', 7],
    ])
    expect(skipped).toEqual([])
    expect([...branches[1]!.pool].map(configTuple)).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 2],
      [1, 1, 1, 1, 3],
      [1, 1, 1, 1, 4],
      [2, 1, 1, 1, 1],
      [2, 1, 1, 1, 2],
      [4, 1, 1, 1, 1],
    ])
  })

  it('includes MoE workers on one GPU, and leaves them out under compat aic-0.11', () => {
    const moe: EnumerateOptions = { ...dense, deploymentModes: ['agg'], isMoe: true, gpuBudget: 2 }
    expect([...enumerate(moe).branches[0]!.pool].map(configTuple).slice(0, 2)).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 2],
    ])
    expect(enumerate({ ...moe, compat: ['aic-0.11'] }).branches[0]!.pool.size).toBe(4)
    const error = failure({ ...moe, gpuBudget: 1, compat: ['aic-0.11'] })
    expect(error.details?.['skipped']).toEqual([expect.objectContaining({ backend: 'vllm', code: 'budget-too-small' })])
  })

  it('skips disaggregation on one GPU', () => {
    const { branches, skipped } = enumerate({ ...dense, gpuBudget: 1 })
    expect(branches.map((branch) => branch.deploymentMode)).toEqual(['agg'])
    expect(skipped).toEqual([
      {
        deploymentMode: 'disagg',
        backend: null,
        code: 'budget-too-small',
        message: 'a prefill and a decode worker need at least 2 GPUs',
      },
    ])
  })

  it('tags rows with the backends whose rules agree and keeps the numbers of the rules', () => {
    const { branches } = enumerate({
      ...dense,
      deploymentModes: ['agg'],
      backends: ['vllm', 'sglang'],
      ruleSet: needs(2, ['sglang']),
    })
    const { pool, checks } = branches[0]!
    expect(pool.supportCount('vllm')).toBe(3)
    expect(pool.supportCount('sglang')).toBe(7)
    expect(pool.backendsAt(0)).toEqual(['vllm', 'sglang'])
    expect(pool.backendsAt(6)).toEqual(['sglang'])
    const single = checks.find((check) => check.backend === 'sglang' && check.shape.tp === 1)
    expect(single?.verdicts).toEqual([{ rule: 'memory', verdict: { ok: true, numbers: { kvTokens: 1000 } } }])
  })

  it('asks the rules per role', () => {
    const prefillOnly = rulesOf({
      name: 'role',
      check: ({ tp }, { role }) =>
        tp === 1 || role === 'decode' ? { ok: true } : { ok: false, code: 'role', message: 'no', numbers: {} },
    })
    const { pool } = enumerate({ ...dense, deploymentModes: ['disagg'], ruleSet: prefillOnly }).branches[0]!
    expect([...pool].every((config) => config.mode === 'disagg' && config.prefill.tp === 1)).toBe(true)
    expect([...pool].some((config) => config.mode === 'disagg' && config.decode.tp === 2)).toBe(true)
  })

  it('drops backends with a reason', () => {
    const { branches, skipped } = enumerate({
      ...dense,
      backends: ['vllm', 'sglang', 'trtllm'],
      ruleSet: needs(8, ['sglang', 'trtllm']),
      exclude: (_, backend) => (backend === 'sglang' ? { code: 'missing-perf-database', message: 'no data' } : null),
      compat: ['dynamo-1.4'],
    })
    expect(branches.map((branch) => [branch.deploymentMode, branch.backends])).toEqual([['agg', ['trtllm']]])
    expect(skipped.map(({ deploymentMode, backend, code }) => `${deploymentMode} ${backend} ${code}`)).toEqual([
      'disagg sglang missing-perf-database',
      'disagg trtllm disagg-not-replayable',
      'disagg vllm no-feasible-shape',
      'agg sglang missing-perf-database',
      'agg vllm no-feasible-shape',
    ])
    expect(skipped[2]).toMatchObject({
      requiredGpus: 16,
      message:
        'it takes at least 16 GPUs, the budget is 4; 6 of 6 shape checks failed (kv-does-not-fit × 6), e.g. short on 4 GPUs',
    })
  })

  it('tells when shapes fit but no combination does', () => {
    const error = failure({ ...dense, deploymentModes: ['disagg'], ruleSet: needs(4) })
    expect(error.details?.['skipped']).toEqual([expect.objectContaining({ code: 'no-feasible-combination' })])
    const odd = failure({ ...dense, deploymentModes: ['agg'], gpuBudget: 7, minGpuBudget: 7, ruleSet: needs(4) })
    expect(odd.details?.['skipped']).toEqual([
      expect.objectContaining({
        code: 'no-feasible-combination',
        message: expect.stringMatching(/^no combination uses exactly 7 GPUs; 2 of 3 shape checks failed/),
      }),
    ])
  })

  it('fails when nothing is left, listing why', () => {
    const error = failure({ ...dense, ruleSet: needs(8) })
    expect(error).toMatchObject({ kind: 'empty', code: NO_VIABLE_PARALLEL_CONFIG })
    expect(error.message).toContain(
      'disagg, vllm: it takes at least 16 GPUs, the budget is 4; 6 of 6 shape checks failed',
    )
    expect(error.message).toContain('agg, vllm: it takes at least 8 GPUs, the budget is 4; 3 of 3 shape checks failed')
    expect(error.hint).toBe('with gpu_budget: 8 something fits')
    const hopeless = failure({ ...dense, ruleSet: needs(32) })
    expect(hopeless.message).toContain('no worker of up to 16 GPUs fits')
    expect(hopeless.hint).toContain('a shorter context_length')
  })

  it('refuses impossible budgets and lists, all at once', () => {
    expect(paths(failure({ ...dense, gpuBudget: 0, backends: [], deploymentModes: [] }))).toEqual([
      'search_space.gpu_budget',
      'search_space.deployment_mode',
      'search_space.backend',
    ])
    for (const minGpuBudget of [0, 5, 1.5, Number.NaN]) {
      expect(paths(failure({ ...dense, minGpuBudget }))).toEqual(['search_space.min_gpu_budget'])
    }
    expect(paths(failure({ ...dense, gpuBudget: 2.5 }))).toEqual(['search_space.gpu_budget'])
    expect(paths(failure({ ...dense, pins: [{ tp: 1 }] }))).toEqual(['search_space.parallel_configs'])
  })

  it('refuses pools too large to hold before building them', () => {
    expect(failure({ ...dense, gpuBudget: 1_000_000 })).toMatchObject({ kind: 'input', code: 'pool-too-large' })
    expect(failure({ ...dense, gpuBudget: Number.MAX_SAFE_INTEGER })).toMatchObject({ code: 'pool-too-large' })
    expect(failure({ ...dense, gpuBudget: 16, maxConfigs: 100 }).hint).toContain('the limit is 100')
  })
})

describe('pins', () => {
  const pinned: EnumerateOptions = { ...dense, deploymentModes: ['agg'] }

  it('become the pool, in the order listed, repeated ones once', () => {
    const pins = [{ tp: 2, replicas: 2 }, { tp: 1 }, { tp: 2, replicas: 2, pp: 1 }]
    const { pool } = enumerate({ ...pinned, pins }).branches[0]!
    expect([...pool].map(configTuple)).toEqual([
      [2, 1, 1, 1, 2],
      [1, 1, 1, 1, 1],
    ])
  })

  it('may be legal on some backends only', () => {
    const options = { ...pinned, backends: ['vllm', 'sglang'] as const, ruleSet: needs(2, ['sglang']) }
    const { branches, skipped } = enumerate({ ...options, pins: [{ tp: 1 }, { tp: 2 }] })
    expect([0, 1].map((i) => branches[0]!.pool.backendsAt(i))).toEqual([['sglang'], ['vllm', 'sglang']])
    expect(enumerate({ ...options, pins: [{ tp: 1 }] }).skipped).toEqual([
      expect.objectContaining({
        backend: 'vllm',
        code: 'no-feasible-shape',
        message: expect.stringMatching(/^it can run none of the listed configurations;/),
      }),
    ])
    expect(skipped).toEqual([])
  })

  it.each([
    [{ tp: 3 }, 'tp × attention_dp is 3; a worker has 1, 2, 4, 8, 16 GPUs'],
    [{ tp: 4, replicas: 2 }, 'it uses 8 GPUs, gpu_budget is 4'],
    [{ tp: 8 }, 'one worker needs 8 GPUs, the budget is 4'],
    [{ tp: 2, moe_ep: 2 }, 'a dense model has no experts'],
    [{ tp: 1, attention_dp: 2 }, 'no attention data parallelism'],
  ])('that no backend can run fail: %j', (pin, message) => {
    const error = failure({ ...pinned, pins: [{ tp: 1 }, pin] })
    expect(error).toMatchObject({ kind: 'empty', code: NO_VIABLE_PARALLEL_CONFIG })
    expect(error.message).toContain(`search_space.parallel_configs[1]: vllm: `)
    expect(error.message).toContain(message)
  })

  it('respect min_gpu_budget and name the role at fault', () => {
    expect(failure({ ...pinned, minGpuBudget: 3, pins: [{ tp: 2 }] }).message).toContain('min_gpu_budget is 3')
    const pair = { prefill: { tp: 1 }, decode: { tp: 3 } }
    expect(failure({ ...dense, deploymentModes: ['disagg'], pins: [pair] }).message).toContain('vllm: decode: tp ×')
  })

  it('written from a pool give the same pool', () => {
    for (const mode of ['agg', 'disagg'] as const) {
      const options: EnumerateOptions = { ...dense, deploymentModes: [mode], isMoe: true, gpuBudget: 8 }
      const { pool } = enumerate(options).branches[0]!
      const listed = enumerate({ ...options, pins: [...pool].map(pinOf) }).branches[0]!.pool
      expect([...listed]).toEqual([...pool])
    }
  })

  it('that are malformed fail as a config error', () => {
    const error = failure({ ...pinned, pins: [{ tp: 0 }] })
    expect(error).toMatchObject({ kind: 'input', code: 'invalid-config' })
    expect(error.message).toBe('search_space.parallel_configs[0].tp: expected an integer of at least 1, found 0')
  })

  it('may be MoE workers on one GPU, but not under compat aic-0.11', () => {
    const moe: EnumerateOptions = { ...pinned, isMoe: true, pins: [{ tp: 1 }] }
    expect(enumerate(moe).branches[0]!.pool.size).toBe(1)
    expect(failure({ ...moe, compat: ['aic-0.11'] }).message).toContain('MoE workers on one GPU')
  })
})
