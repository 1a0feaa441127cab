import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  knobParameters,
  loadConfigValue,
  type Parameter,
  type SpicaConfig,
  SpicaError,
  selectionFromParameters,
} from '../../src/index.js'

function config(space: object = {}, goal: object = {}, workload: object = { concurrency: 8 }): SpicaConfig {
  const result = loadConfigValue({
    search_space: { model_name: 'm', hardware_sku: 's', ...space },
    workload: { isl: 1, osl: 1, num_request_ratio: 1, ...workload },
    goal,
  })
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result.config
}

const names = (parameters: readonly Parameter[]) => parameters.map(({ name }) => name)
const goodput = { target: 'goodput', sla: { ttft_ms: 500, itl_ms: 30 } }
const sampling = { max_num_fpm_samples: 50, fpm_sample_bucket_size: 9 }

describe('knobParameters', () => {
  it('encodes texts as categories, numbers ascending, single values as constants', () => {
    const space = {
      backend: ['sglang', 'vllm', 'sglang'],
      agg_max_num_seqs: [1024, 256, 1024],
      router_mode: ['round_robin'],
    }
    const { parameters, constants } = knobParameters(config(space), 'agg')
    expect(parameters).toEqual([
      { name: 'backend', kind: 'categorical', values: ['sglang', 'vllm'] },
      { name: 'planner_scaling_policy', kind: 'categorical', values: ['disabled', 'load_180_5', 'load_180_10'] },
      { name: 'agg_max_num_batched_tokens', kind: 'discrete', values: [8192, 16384, 32768], scale: 'linear' },
      { name: 'agg_max_num_seqs', kind: 'discrete', values: [256, 1024], scale: 'linear' },
    ])
    expect(constants).toEqual({
      deployment_mode: 'agg',
      router_mode: 'round_robin',
      planner_fpm_sampling: 'default',
      planner_load_sensitivity: 'default',
    })
  })

  it('has the knobs of the mode and router only', () => {
    const { parameters, constants } = knobParameters(config({ planner_scaling_policy: ['disabled'] }), 'disagg')
    expect(names(parameters)).toEqual([
      'router_mode',
      'overlap_score_credit',
      'prefill_load_scale',
      'router_temperature',
      'prefill_max_num_batched_tokens',
      'prefill_max_num_seqs',
      'decode_max_num_seqs',
    ])
    expect(constants).toMatchObject({ backend: 'vllm', decode_max_num_batched_tokens: 8192 })
    expect(constants).not.toHaveProperty('planner_fpm_sampling')
    const scale = parameters.find(({ name }) => name === 'prefill_max_num_seqs')
    expect(scale).toMatchObject({ scale: 'log' })
    const compat = knobParameters(config(), 'disagg', { compat: ['dynamo-1.4'] }).parameters
    expect(compat.every((parameter) => parameter.kind !== 'discrete' || parameter.scale === 'linear')).toBe(true)
  })

  it('searches host and disk weights with KV offload', () => {
    const { parameters } = knobParameters(config({ num_g2_blocks: 10, kv_bytes_per_token: 1000 }), 'agg')
    expect(names(parameters)).toEqual(expect.arrayContaining(['host_cache_hit_weight', 'disk_cache_hit_weight']))
  })

  it('encodes lists with mappings by index and drops repeats', () => {
    const space = { planner_fpm_sampling: [sampling, 'fine', { fpm_sample_bucket_size: 9, max_num_fpm_samples: 50 }] }
    const encoding = knobParameters(config(space, goodput), 'agg')
    const parameter = encoding.parameters.find(({ name }) => name === 'planner_fpm_sampling')
    expect(parameter).toEqual({ name: 'planner_fpm_sampling', kind: 'categorical', values: ['0', '1'] })
    expect(encoding.choices['planner_fpm_sampling']).toEqual([sampling, 'fine'])
    const compat = knobParameters(config(space, goodput), 'agg', { compat: ['dynamo-1.4'] })
    expect(compat.choices['planner_fpm_sampling']).toHaveLength(3)
  })

  it('does not search what cannot matter for the goal, unless asked to', () => {
    const twin = {
      enable_throughput_scaling: false,
      enable_load_scaling: true,
      throughput_adjustment_interval_seconds: 600,
      load_adjustment_interval_seconds: 5,
    }
    const space = { planner_scaling_policy: ['load_180_5', twin], planner_fpm_sampling: ['fine', 'small'] }
    const plain = knobParameters(config(space), 'agg')
    expect(plain.constants).toMatchObject({ planner_scaling_policy: 'load_180_5', planner_fpm_sampling: 'fine' })
    const compat = knobParameters(config(space), 'agg', { compat: ['dynamo-1.4'] })
    const inert = ['planner_scaling_policy', 'planner_fpm_sampling', 'planner_load_sensitivity']
    expect(names(compat.parameters)).toEqual(expect.arrayContaining(inert))
    expect(names(knobParameters(config({}, goodput), 'agg').parameters)).toEqual(expect.arrayContaining(inert))
  })

  it('encodes a load range with its middle as default, a fixed one as constant', () => {
    const ranged = knobParameters(config({}, { target: 'pareto' }, { kv_load_ratio: [0.2, 1] }), 'agg')
    expect(ranged.parameters.at(-1)).toEqual({ name: 'kv_load_ratio', kind: 'float', min: 0.2, max: 1, default: 0.6 })
    expect(knobParameters(config({}, {}, { kv_load_ratio: 0.5 }), 'agg').constants).toMatchObject({
      kv_load_ratio: 0.5,
    })
  })

  it('takes narrowed backends and policies, and refuses to search nothing', () => {
    const options = { backends: ['sglang'] as const, policies: ['disabled'] as const }
    const { constants } = knobParameters(config({ backend: ['vllm', 'sglang'] }), 'agg', options)
    expect(constants).toMatchObject({ backend: 'sglang', planner_scaling_policy: 'disabled' })
    expect(() => knobParameters(config(), 'agg', { policies: [] })).toThrow(SpicaError)
  })
})

describe('selectionFromParameters', () => {
  it('reads every suggestion back into listed values, in a fixed order', () => {
    const space = { planner_fpm_sampling: [sampling, 'fine'], backend: ['vllm', 'trtllm'], deployment_mode: ['agg'] }
    const sweep = config(space, goodput)
    const encoding = knobParameters(sweep, 'agg')
    const values = fc.record(
      Object.fromEntries(
        encoding.parameters.map((parameter) => [
          parameter.name,
          'values' in parameter ? fc.constantFrom<string | number>(...parameter.values) : fc.constant(parameter.min),
        ]),
      ),
    )
    fc.assert(
      fc.property(values, (suggested) => {
        const selection = selectionFromParameters(encoding, { ...suggested, used_gpu_ratio: 0.5 })
        expect(Object.keys(selection)).toEqual(encoding.order)
        expect(sweep.search_space.planner_fpm_sampling).toContainEqual(selection.planner_fpm_sampling)
        expect(sweep.search_space.backend).toContain(selection.backend)
        expect(sweep.search_space.agg_max_num_seqs).toContain(selection.agg_max_num_seqs)
      }),
    )
  })

  it('refuses values that were not offered', () => {
    const encoding = knobParameters(config({}, { target: 'pareto' }, {}), 'agg')
    const first = Object.fromEntries(
      encoding.parameters.map((parameter) => [
        parameter.name,
        'values' in parameter ? parameter.values[0]! : parameter.min,
      ]),
    )
    expect(() => selectionFromParameters(encoding, first)).not.toThrow()
    for (const bad of [
      { agg_max_num_seqs: 257 },
      { router_mode: 'x' },
      { kv_load_ratio: 2 },
      { kv_load_ratio: Number.NaN },
    ]) {
      expect(() => selectionFromParameters(encoding, { ...first, ...bad })).toThrow(SpicaError)
    }
    expect(() => selectionFromParameters(encoding, {})).toThrow(/no usable value/)
  })
})
