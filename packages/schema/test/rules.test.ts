import { describe, expect, it } from 'vitest'
import { type ConfigResult, loadConfigValue } from '../src/index.js'

const RATE = { isl: 10, osl: 10, request_rate: 1, num_request_ratio: 1 }
const TRACE = { trace_path: 't.jsonl' }

function load(space: object, workload: object = RATE, goal: object = {}): ConfigResult {
  return loadConfigValue({ search_space: { model_name: 'm', hardware_sku: 's', ...space }, workload, goal })
}

function problems(result: ConfigResult): string[] {
  return result.ok ? [] : result.issues.map(({ code, location }) => `${code} ${location.path}`)
}

function warnings(result: ConfigResult): string[] {
  return result.warnings.map(({ code, location }) => `${code} ${location.path}`)
}

const agg = { deployment_mode: ['agg'] }
const disagg = { deployment_mode: ['disagg'] }
const policy = {
  enable_throughput_scaling: true,
  enable_load_scaling: true,
  throughput_adjustment_interval_seconds: 60,
  load_adjustment_interval_seconds: 5,
}
const pinned = 'search_space.parallel_configs'
const policies = 'search_space.planner_scaling_policy.0'

describe('rules of search_space', () => {
  it.each<[string, object, string[]]>([
    ['band above the budget', { gpu_budget: 4, min_gpu_budget: 8 }, ['gpu-band search_space.min_gpu_budget']],
    ['pins with two modes', { parallel_configs: [{ tp: 1 }] }, [`pin-needs-one-mode ${pinned}`]],
    [
      'pins with a mode twice',
      { deployment_mode: ['agg', 'agg'], parallel_configs: [{ tp: 1 }] },
      [`pin-needs-one-mode ${pinned}`],
    ],
    ['a flat pin under disagg', { ...disagg, parallel_configs: [{ tp: 1 }] }, [`pin-wrong-mode ${pinned}.0`]],
    [
      'a pair under agg',
      { ...agg, parallel_configs: [{ tp: 2 }, { prefill: { tp: 1 }, decode: { tp: 1 } }] },
      [`pin-wrong-mode ${pinned}.1`],
    ],
    ['a pin with text', { ...agg, parallel_configs: [{ tp: '2' }] }, [`wrong-type ${pinned}.0.tp`]],
    ['a pin with a fraction', { ...agg, parallel_configs: [{ tp: 2.7 }] }, [`wrong-type ${pinned}.0.tp`]],
    ['a half pair', { ...disagg, parallel_configs: [{ prefill: { tp: 1 } }] }, [`missing ${pinned}.0.decode`]],
    ['an empty pin', { ...agg, parallel_configs: [{}] }, [`missing ${pinned}.0.tp`]],
    ['offload without bytes', { num_g2_blocks: 5 }, ['offload-needs-bytes search_space.num_g2_blocks']],
    [
      'offload with sglang',
      { num_g2_blocks: 5, kv_bytes_per_token: 9, backend: ['vllm', 'sglang'] },
      ['offload-unsupported search_space.backend.1'],
    ],
    [
      'no admission control',
      { router_mode: ['round_robin'], no_admission_control: true },
      ['admission-not-deployable search_space.no_admission_control'],
    ],
    [
      'a threshold with kv_router',
      { active_prefill_tokens_threshold: 0 },
      ['admission-with-kv-router search_space.active_prefill_tokens_threshold'],
    ],
    [
      'a threshold of the wrong type',
      { active_decode_blocks_threshold: 0.5 },
      ['wrong-type search_space.active_decode_blocks_threshold'],
    ],
    [
      'throughput without interval',
      { planner_scaling_policy: [{ ...policy, throughput_adjustment_interval_seconds: null }] },
      [`interval-missing ${policies}.throughput_adjustment_interval_seconds`],
    ],
    [
      'scaling without load interval',
      { planner_scaling_policy: [{ ...policy, load_adjustment_interval_seconds: null }] },
      [`interval-missing ${policies}.load_adjustment_interval_seconds`],
    ],
    [
      'load slower than throughput',
      { planner_scaling_policy: [{ ...policy, load_adjustment_interval_seconds: 60 }] },
      [`interval-order ${policies}.load_adjustment_interval_seconds`],
    ],
    [
      'an interval of half a millisecond',
      { planner_scaling_policy: [{ ...policy, load_adjustment_interval_seconds: 0.0005 }] },
      [`interval-resolution ${policies}.load_adjustment_interval_seconds`],
    ],
    [
      'an interval of zero',
      { planner_scaling_policy: [{ ...policy, load_adjustment_interval_seconds: 0 }] },
      [`out-of-range ${policies}.load_adjustment_interval_seconds`],
    ],
    [
      'a flag as text',
      { planner_scaling_policy: [{ ...policy, enable_load_scaling: 'false' }] },
      [`wrong-type ${policies}.enable_load_scaling`],
    ],
    [
      'an odd bucket count',
      {
        planner_fpm_sampling: [
          'default',
          { max_num_fpm_samples: 0, fpm_sample_bucket_size: 4 },
          { max_num_fpm_samples: 9, fpm_sample_bucket_size: 15 },
        ],
      },
      [
        'out-of-range search_space.planner_fpm_sampling.1.max_num_fpm_samples',
        'not-a-square search_space.planner_fpm_sampling.2.fpm_sample_bucket_size',
      ],
    ],
    [
      'an unknown forecaster',
      { load_predictor_candidates: [{ load_predictor: 'lstm' }] },
      ['not-on-menu search_space.load_predictor_candidates.0.load_predictor'],
    ],
    [
      'a forecaster without family',
      { load_predictor_candidates: [{ kalman_r: 1 }] },
      ['missing search_space.load_predictor_candidates.0.load_predictor'],
    ],
    [
      'a sensitivity over 100',
      { planner_load_sensitivity: [{ load_scaling_down_sensitivity: 101, load_min_observations: 1 }] },
      ['out-of-range search_space.planner_load_sensitivity.0.load_scaling_down_sensitivity'],
    ],
  ])('refuse %s', (_, space, expected) => {
    expect(problems(load(space))).toEqual(expected)
  })

  it.each<[string, object]>([
    ['min_endpoint', { min_endpoint: -1 }],
    ['startup_time', { startup_time: -0.5 }],
    ['aic_nextn', { aic_nextn: 6 }],
    ['context_length', { context_length: 0 }],
    ['agg_gpu_memory_utilization', { agg_gpu_memory_utilization: 0 }],
    ['bandwidth_g1_to_g2_gbps', { bandwidth_g1_to_g2_gbps: 0 }],
    ['offload_batch_size', { offload_batch_size: 0 }],
    ['gpu_budget', { gpu_budget: 10_000_000 }],
    ['model_name', { model_name: '' }],
  ])('keep %s in range', (field, space) => {
    expect(problems(load(space))).toEqual([`out-of-range search_space.${field}`])
  })

  it.each(['  ', 'a\nb', '\u0000', 'x\u001b[0m', '\t'])('refuse names that are no line of text: %j', (model_name) => {
    expect(problems(load({ model_name }))).toEqual(['invalid-text search_space.model_name'])
  })

  it('warn of what will not work or not matter', () => {
    const pins = [
      { tp: 4, moe_ep: 3 },
      { tp: 2, pp: 2 },
      { tp: 4, moe_ep: 4 },
    ]
    expect(warnings(load({ ...agg, parallel_configs: pins }))).toEqual([
      `pin-split ${pinned}.0`,
      `pin-pipeline ${pinned}.1.pp`,
    ])
    expect(warnings(load({ decode_block_size: 32 }))).toEqual(['block-sizes-differ search_space.decode_block_size'])
    expect(warnings(load({ agg_gpu_memory_utilization: 0.99 }))).toEqual([
      'memory-utilization-high search_space.agg_gpu_memory_utilization',
    ])
    expect(warnings(load({ context_length: 19 }))).toEqual(['context-too-short search_space.context_length'])
    expect(warnings(load({ offload_batch_size: 4 }))).toEqual(['no-effect search_space.offload_batch_size'])
    const arima = { load_predictor: 'arima', kalman_r: 3 }
    const goal = { target: 'goodput', sla: { ttft_ms: 1, itl_ms: 1 } }
    expect(warnings(load({ load_predictor_candidates: [arima] }, RATE, goal))).toEqual([
      'no-effect search_space.load_predictor_candidates.0.kalman_r',
    ])
    const threshold = { router_mode: ['round_robin'], active_decode_blocks_threshold: 1, router_temperature: [0] }
    expect(warnings(load(threshold))).toEqual([
      'no-effect search_space.active_decode_blocks_threshold',
      'no-effect search_space.router_temperature',
    ])
  })
})

describe('policies that a goal rules out', () => {
  it('are told of when the user listed them', () => {
    const sla = { ttft_ms: 500, e2e_ms: 3000 }
    const listed = { planner_scaling_policy: ['load_180_5', 'throughput_180_5'] }
    expect(warnings(load(listed))).toEqual([`policy-dropped search_space.planner_scaling_policy.1`])
    expect(warnings(load(listed, RATE, { target: 'goodput', sla }))).toEqual([
      'policy-dropped search_space.planner_scaling_policy.0',
      'policy-dropped search_space.planner_scaling_policy.1',
      'no-policy-left search_space.planner_scaling_policy',
    ])
    expect(warnings(load({}, RATE, { target: 'goodput', sla }))).toEqual([])
  })
})

describe('rules of workload and goal', () => {
  it.each<[string, object, object, string[]]>([
    [
      'nothing at all',
      {},
      {},
      ['missing workload.isl', 'missing workload.osl', 'missing workload.num_request_ratio', 'no-load workload'],
    ],
    [
      'every load at once',
      { ...RATE, concurrency: 1, kv_load_ratio: 1 },
      {},
      [
        'several-loads workload.request_rate',
        'several-loads workload.concurrency',
        'several-loads workload.kv_load_ratio',
      ],
    ],
    [
      'synthetic fields on a trace',
      { ...TRACE, isl: 1, request_rate: 1, num_request_ratio: 1 },
      {},
      [
        'trace-with-synthetic workload.isl',
        'trace-with-synthetic workload.request_rate',
        'trace-with-synthetic workload.num_request_ratio',
      ],
    ],
    [
      'closed-loop replay of nothing',
      { ...RATE, replay_concurrency: 4 },
      {},
      ['trace-only workload.replay_concurrency'],
    ],
    ['an unknown trace format', { ...TRACE, trace_format: 'csv' }, {}, ['not-on-menu workload.trace_format']],
    ['a speed-up of zero', { ...TRACE, arrival_speedup_ratio: 0 }, {}, ['out-of-range workload.arrival_speedup_ratio']],
    [
      'a range without front',
      { isl: 1, osl: 1, num_request_ratio: 1, kv_load_ratio: [1, 0] },
      {},
      ['empty-range workload.kv_load_ratio', 'range-needs-pareto workload.kv_load_ratio'],
    ],
    ['too many requests', { ...RATE, num_request_ratio: 1e8 }, {}, ['too-many-requests workload.num_request_ratio']],
    ['a load of the wrong type, once', { ...RATE, request_rate: 'fast' }, {}, ['wrong-type workload.request_rate']],
    ['goodput with half an SLA', RATE, { target: 'goodput', sla: { itl_ms: 3 } }, ['goodput-needs-sla goal.sla']],
    [
      'a goodput front without SLA',
      RATE,
      { target: 'pareto', pareto_objectives: ['throughput', 'goodput'] },
      ['goodput-needs-sla goal.sla'],
    ],
    [
      'objectives of a scalar goal',
      RATE,
      { pareto_objectives: ['throughput', 'e2e_latency'] },
      ['objectives-need-pareto goal.pareto_objectives'],
    ],
    [
      'one objective',
      RATE,
      { target: 'pareto', pareto_objectives: ['throughput'] },
      ['too-few-objectives goal.pareto_objectives'],
    ],
    [
      'an objective twice',
      RATE,
      { target: 'pareto', pareto_objectives: ['throughput', 'e2e_latency', 'throughput'] },
      ['repeated-objective goal.pareto_objectives.2'],
    ],
    [
      'a front of fronts',
      RATE,
      { target: 'pareto', pareto_objectives: ['throughput', 'pareto'] },
      ['not-on-menu goal.pareto_objectives.1'],
    ],
  ])('refuse %s', (_, workload, goal, expected) => {
    expect(problems(load({}, workload, goal))).toEqual(expected)
  })

  it('warn of fields of the other kind of traffic', () => {
    expect(warnings(load({}, { ...TRACE, turns_per_session: 2 }))).toEqual(['no-effect workload.turns_per_session'])
    expect(warnings(load({}, { ...RATE, arrival_speedup_ratio: 2 }))).toEqual([
      'no-effect workload.arrival_speedup_ratio',
    ])
    expect(warnings(load({}, { ...RATE, shared_prefix_ratio: 0.5 }))).toEqual([
      'no-effect workload.shared_prefix_ratio',
    ])
  })
})
