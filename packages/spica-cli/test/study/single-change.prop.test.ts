import { findHardware, findModel, listHardware } from '@spica/catalog'
import { GPUS_PER_WORKER } from '@spica/parallel-enum'
import { type Backend, type DeploymentMode, SEARCH_SPACE_DEFAULTS, type SearchSpaceConfig } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PerfInputs } from '../../src/inputs/perf-inputs.js'
import { type FitSubject, findFit } from '../../src/study/deployment-fit.js'
import { type SingleChange, singleChanges } from '../../src/study/single-change.js'
import { enumerateStudy } from '../../src/study/study-inputs.js'

const MODELS = [
  'meta-llama/Meta-Llama-3.1-70B',
  'Qwen/Qwen3-32B-FP8',
  'Qwen/Qwen3-235B-A22B-FP8',
  'deepseek-ai/DeepSeek-V3',
]
const PERF: PerfInputs = { model: 'roofline', database: null, points: null }

function subject(space: Partial<SearchSpaceConfig>): FitSubject {
  const whole = { ...SEARCH_SPACE_DEFAULTS, ...space } as SearchSpaceConfig
  return {
    space: whole,
    model: findModel(whole.model_name),
    hardware: findHardware(whole.hardware_sku),
    compat: [],
    requestTokens: null,
    isTimed: () => true,
  }
}

function changed(before: FitSubject, { settings }: SingleChange): FitSubject {
  const patch = Object.fromEntries(Object.entries(settings).map(([path, value]) => [path.split('.').at(-1), value]))
  return subject({ ...before.space, ...patch })
}

/** Whether the enumeration finds anything: what the search for changes has to agree with. */
function enumerates({ space, model, hardware }: FitSubject): boolean {
  const config = { search_space: space, workload: { isl: null, osl: null } } as never
  try {
    return enumerateStudy(config, { model, hardware, perf: PERF }, []).branches.length > 0
  } catch {
    return false
  }
}

const tightSpace = fc.record({
  model_name: fc.constantFrom(...MODELS),
  hardware_sku: fc.constantFrom('l40s', 'a100_sxm', 'h100_sxm', 'h200_sxm'),
  gpu_budget: fc.constantFrom(1, 2, 3, 4, 6, 8, 16),
  min_gpu_budget: fc.constant(null),
  context_length: fc.constantFrom(null, 4096, 32768, 65536),
  agg_gpu_memory_utilization: fc.constantFrom(0.5, 0.7, 0.9),
  prefill_gpu_memory_utilization: fc.constantFrom(0.5, 0.9),
  backend: fc.constantFrom<Backend[]>(['vllm'], ['sglang', 'trtllm'], ['trtllm']),
  deployment_mode: fc.constantFrom<DeploymentMode[]>(['agg'], ['disagg'], ['disagg', 'agg']),
  agg_max_num_batched_tokens: fc.constantFrom([32768], [8192, 16384]),
})

describe('single changes', () => {
  it('are proposed only where nothing fits, and each alone makes the enumeration find something', () => {
    let helped = 0
    fc.assert(
      fc.property(tightSpace, (space) => {
        const before = subject(space)
        const fits = enumerates(before)
        expect(findFit(before) !== null).toBe(fits)
        const changes = singleChanges(before, { otherHardware: listHardware() })
        if (fits) expect(changes).toEqual([])
        for (const change of changes) {
          helped++
          expect([change.words, enumerates(changed(before, change))]).toEqual([change.words, true])
        }
      }),
      { numRuns: 60, seed: 11 },
    )
    expect(helped).toBeGreaterThan(30)
  })

  it('are the smallest of their kind', () => {
    fc.assert(
      fc.property(tightSpace, (space) => {
        const before = subject(space)
        for (const { kind, settings } of singleChanges(before)) {
          const [[path, value]] = Object.entries(settings) as [[string, number]]
          const key = path.split('.').at(-1) as string
          const less = (other: Partial<SearchSpaceConfig>) => enumerates(subject({ ...before.space, ...other }))
          if (kind === 'context-length') expect(less({ context_length: value + 1 })).toBe(false)
          if (kind === 'gpu-budget')
            for (let gpus = before.space.gpu_budget + 1; gpus < value; gpus++)
              expect(less({ gpu_budget: gpus })).toBe(false)
          if (kind === 'memory-fraction' && Object.keys(settings).length === 1)
            expect(less({ [key]: value - 0.01 })).toBe(false)
        }
      }),
      { numRuns: 40, seed: 5 },
    )
  })

  it('come in the fixed order, and say what fits', () => {
    const changes = singleChanges(
      subject({ model_name: MODELS[0] as string, hardware_sku: 'l40s', gpu_budget: 4, deployment_mode: ['agg'] }),
      { otherHardware: listHardware() },
    )
    expect(changes.map(({ kind }) => kind)).toEqual(['context-length', 'gpu-budget', 'hardware'])
    expect(changes[1]).toMatchObject({ settings: { 'search_space.gpu_budget': 8 }, fit: { backend: 'vllm', gpus: 8 } })
    expect(changes[0]?.words).toMatch(/^context_length: \d+ or less \(now 131072, the model's maximum\)$/)
  })

  it('lower a minimum of GPUs that no replicas meet', () => {
    const space = { model_name: MODELS[0] as string, hardware_sku: 'h200_sxm', context_length: 8192 }
    const before = subject({ ...space, deployment_mode: ['agg'], gpu_budget: 1, min_gpu_budget: 1 })
    expect(findFit(before)).toBeNull()
    expect(singleChanges(before)[0]?.kind).toBe('gpu-budget')
    const odd = subject({ ...space, deployment_mode: ['agg'], gpu_budget: 7, min_gpu_budget: 7 })
    expect(enumerates(odd)).toBe(false)
    const kinds = singleChanges(odd).map(({ kind }) => kind)
    expect(kinds).toContain('gpu-budget')
    expect(kinds).toContain('min-gpu-budget')
  })

  it('judge one shape alone when asked to', () => {
    const before = subject({ model_name: MODELS[1] as string, hardware_sku: 'h200_sxm', gpu_budget: 8 })
    const ask = (tp: number) =>
      singleChanges(before, {
        question: { shape: { tp, attentionDp: 1, moeTp: 1, moeEp: 1 }, backends: ['vllm'], roles: ['agg'] },
      })
    expect(ask(16).map(({ settings }) => settings)).toEqual([{ 'search_space.gpu_budget': 16 }])
    expect(ask(3)).toEqual([])
    expect(GPUS_PER_WORKER).not.toContain(3)
  })

  it('offer the roofline where tables are missing', () => {
    const before = {
      ...subject({ model_name: MODELS[1] as string, hardware_sku: 'h200_sxm', gpu_budget: 8 }),
      isTimed: (_hardware: unknown, backend: Backend) => backend === 'sglang',
    }
    const changes = singleChanges(before, { usesTables: true })
    expect(changes.map(({ kind }) => kind)).toEqual(['backend', 'perf-model'])
    expect(changes[0]?.settings).toEqual({ 'search_space.backend': ['sglang'] })
  })
})
