import { describe, expect, it } from 'vitest'
import { createLatentSpace, createProjector, type EnumerateOptions, enumerate } from '../src/index.js'

const base: EnumerateOptions = { deploymentModes: ['disagg'], backends: ['vllm'], isMoe: true, gpuBudget: 8 }
const poolOf = (options: Partial<EnumerateOptions>) => enumerate({ ...base, ...options }).branches[0]!.pool

describe('createLatentSpace', () => {
  it('lists the coordinates of a MoE pair', () => {
    const { all, searched, constants } = createLatentSpace(poolOf({}))
    expect(all).toEqual([
      { name: 'used_gpu_ratio', kind: 'float', min: 0.25, max: 1, default: 1 },
      { name: 'prefill_gpu_share', kind: 'float', min: 0.125, max: 0.875, default: 0.5 },
      { name: 'prefill_num_gpus_per_engine_target', kind: 'discrete', values: [1, 2, 4], scale: 'log', default: 2 },
      { name: 'decode_num_gpus_per_engine_target', kind: 'discrete', values: [1, 2, 4], scale: 'log', default: 2 },
      { name: 'prefill_attention_mode', kind: 'categorical', values: ['tp', 'dp'], default: 'tp' },
      { name: 'decode_attention_mode', kind: 'categorical', values: ['tp', 'dp'], default: 'tp' },
      { name: 'prefill_ffn_mode', kind: 'categorical', values: ['ep', 'tp'], default: 'ep' },
      { name: 'decode_ffn_mode', kind: 'categorical', values: ['ep', 'tp'], default: 'ep' },
    ])
    expect(searched).toEqual(all)
    expect(constants).toEqual({})
  })

  it('has nothing to search in a pool of one', () => {
    const { searched, constants } = createLatentSpace(
      poolOf({ pins: [{ prefill: { tp: 1, attention_dp: 2, moe_ep: 2 }, decode: { tp: 4, moe_tp: 4 } }] }),
    )
    expect(searched).toEqual([])
    expect(constants).toEqual({
      used_gpu_ratio: 0.75,
      prefill_gpu_share: 2 / 6,
      prefill_num_gpus_per_engine_target: 2,
      decode_num_gpus_per_engine_target: 4,
      prefill_attention_mode: 'dp',
      decode_attention_mode: 'tp',
      prefill_ffn_mode: 'ep',
      decode_ffn_mode: 'tp',
    })
  })

  it('has no feed-forward mode for dense models', () => {
    const { all, hasFfnMode } = createLatentSpace(poolOf({ isMoe: false, deploymentModes: ['agg'] }))
    expect(hasFfnMode).toBe(false)
    expect(all.map((parameter) => parameter.name)).toEqual([
      'used_gpu_ratio',
      'agg_num_gpus_per_engine_target',
      'agg_attention_mode',
    ])
  })

  it.each([
    [[1, 2], 2],
    [[2, 4], 4],
    [[4, 8], 8],
    [[8, 16], 8],
    [[1, 2, 4], 2],
    [[1, 2, 4, 8], 4],
    [[2, 4, 8, 16], 8],
    [[1, 2, 4, 8, 16], 4],
    [[1, 4], 1],
    [[1, 8], 8],
    [[1, 16], 1],
    [[2, 8], 8],
    [[2, 16], 16],
    [[4, 16], 4],
    [[1, 4, 8], 4],
    [[1, 2, 16], 2],
  ])('starts from the middle of %j: %i', (sizes, middle) => {
    const pins = sizes.map((tp) => ({ tp }))
    const { all } = createLatentSpace(poolOf({ isMoe: false, deploymentModes: ['agg'], gpuBudget: 16, pins }))
    expect(all[1]?.default).toBe(middle)
  })
})

describe('project', () => {
  it('fills in defaults and reports both sides', () => {
    const projector = createProjector(poolOf({ isMoe: false, deploymentModes: ['agg'] }))
    expect(projector.project({ used_gpu_ratio: 0.4, unrelated: 1 }, 'vllm')).toEqual({
      index: 12,
      config: { mode: 'agg', agg: { tp: 4, attentionDp: 1, moeTp: 1, moeEp: 1, replicas: 1 } },
      distance: expect.closeTo((0.1 / 0.875) ** 2, 12),
      modeMismatches: 0,
      requested: { used_gpu_ratio: 0.4, agg_num_gpus_per_engine_target: 4, agg_attention_mode: 'tp' },
      actual: { used_gpu_ratio: 0.5, agg_num_gpus_per_engine_target: 4, agg_attention_mode: 'tp' },
    })
  })

  it('gives null for a backend without configurations', () => {
    const projector = createProjector(poolOf({}))
    expect(projector.project({}, 'trtllm')).toBeNull()
  })

  it('refuses values that are no coordinates', () => {
    const projector = createProjector(poolOf({}))
    const attempt = (request: Record<string, unknown>) => () => projector.project(request, 'vllm')
    expect(attempt({ used_gpu_ratio: Number.NaN })).toThrow('used_gpu_ratio is NaN, expected a finite number')
    expect(attempt({ prefill_num_gpus_per_engine_target: 0 })).toThrow('expected a positive number')
    expect(attempt({ decode_ffn_mode: 3 })).toThrow('expected text')
  })

  it('reaches single-GPU MoE workers', () => {
    const projector = createProjector(poolOf({ deploymentModes: ['agg'] }))
    const request = {
      agg_num_gpus_per_engine_target: 1,
      agg_attention_mode: 'tp',
      agg_ffn_mode: 'tp',
      used_gpu_ratio: 0.5,
    }
    expect(projector.project(request, 'vllm')?.config).toEqual({
      mode: 'agg',
      agg: { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1, replicas: 4 },
    })
  })
})
