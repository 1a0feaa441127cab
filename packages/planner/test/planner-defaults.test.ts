import { replayDetailed, syntheticWorkload } from '@spica/replay-sim'
import type { EngineArgs, ForwardPassMetrics, PerfModel, PlannerSnapshot, TrafficWindow } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { capabilitiesOf, createPlanner, type PlannerOptions } from '../src/index.js'

const ENGINE: EngineArgs = { engine_type: 'vllm', num_gpu_blocks: 1024, block_size: 64, startup_time: 5 }
const SLA = { mode: 'agg', optimization_target: 'sla', ttft_ms: 300, itl_ms: 40, max_gpu_budget: 16 }
const SILENCE: TrafficWindow = {
  duration_s: 5,
  num_req: 0,
  avg_isl: 0,
  avg_osl: 0,
  avg_ttft_ms: 0,
  avg_itl_ms: 0,
  shape_count: 0,
  ttft_count: 0,
  itl_count: 0,
  avg_accept_length: null,
  accept_length_forward_count: 0,
  avg_kv_hit_rate: 0,
  hit_rate_count: 0,
}
const IDLE: Omit<ForwardPassMetrics, 'worker_id'> = {
  dp_rank: 0,
  wall_time: 0,
  num_prefill_requests: 0,
  sum_prefill_tokens: 0,
  var_prefill_length: 0,
  sum_prefill_kv_tokens: 0,
  num_decode_requests: 0,
  sum_decode_kv_tokens: 0,
  var_decode_kv_tokens: 0,
  num_queued_prefill: 0,
  sum_queued_prefill_tokens: 0,
  var_queued_prefill_length: 0,
  num_queued_decode: 0,
  sum_queued_decode_kv_tokens: 0,
  var_queued_decode_kv_tokens: 0,
}

function snapshot(
  nowMs: number,
  pools: { prefill?: readonly ForwardPassMetrics[]; decode: readonly ForwardPassMetrics[] },
  traffic = SILENCE,
): PlannerSnapshot {
  const prefill = pools.prefill ?? []
  const ids = (metrics: readonly ForwardPassMetrics[]): number[] => metrics.map((item) => item.worker_id)
  return {
    now_ms: nowMs,
    active_prefill_ids: ids(prefill),
    active_decode_ids: ids(pools.decode),
    starting_prefill_ids: [],
    starting_decode_ids: [],
    draining_prefill_ids: [],
    draining_decode_ids: [],
    active_prefill_count: prefill.length,
    active_decode_count: pools.decode.length,
    starting_prefill_count: 0,
    starting_decode_count: 0,
    draining_prefill_count: 0,
    draining_decode_count: 0,
    non_draining_prefill_count: prefill.length,
    non_draining_decode_count: pools.decode.length,
    total_prefill_count: prefill.length,
    total_decode_count: pools.decode.length,
    prefill_fpm_snapshots: prefill,
    decode_fpm_snapshots: pools.decode,
    traffic,
  }
}

const worker = (id: number, given: Partial<ForwardPassMetrics> = {}): ForwardPassMetrics => ({
  worker_id: id,
  ...IDLE,
  ...given,
})

/** Pass times of the engines below: the simulator's built-in occupancy polynomial. */
const POLYNOMIAL: PerfModel = {
  name: 'polynomial',
  prefillMs: (n, isl, prefix) => {
    const tokens = n * (isl - prefix)
    return tokens <= 0 ? 0 : 4.209989e-7 * tokens * tokens + 1.518344e-2 * tokens + 16.50142
  },
  decodeMs: (n, active, _context, total) => {
    const r = active / total
    return n === 0 ? 0 : Math.max(1, -25.74 * r * r + 54.01 * r + 5.74)
  },
  explain: () => [],
}

function replayBurst(compat: boolean) {
  const { workload, load } = syntheticWorkload({
    inputTokens: 1024,
    outputTokens: 128,
    requestCount: 1200,
    requestRatePerSecond: 30,
  })
  const planner = createPlanner({
    config: { ...SLA, enable_load_scaling: true, enable_throughput_scaling: false },
    decode: capabilitiesOf(ENGINE, { compat }),
    ...(compat ? {} : { perfModels: { decode: POLYNOMIAL } }),
    compat,
  })
  const { report } = replayDetailed({
    workload,
    load,
    engine: ENGINE,
    planner,
    ...(compat ? { compat: 'dynamo-1.4' as const } : {}),
  })
  return { planner, report }
}

describe('an aggregated fleet far over its TTFT target', () => {
  it('scales up as soon as there is anything to learn from, where upstream waits for minutes', () => {
    const { planner, report } = replayBurst(false)
    expect(planner.events[0]).toMatchObject({ atMs: 5000, component: 'agg', from: 1, to: 2, reason: 'scale_up' })
    const upstream = replayBurst(true)
    expect(upstream.planner.events[0]?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(100_000)
    expect(upstream.report.mean_ttft_ms).toBeGreaterThan(40 * 300)
    expect(report.mean_ttft_ms).toBeLessThan(upstream.report.mean_ttft_ms / 2)
  })
})

describe('GPU counts', () => {
  it('include attention-DP, so that the band holds', () => {
    const options: PlannerOptions = {
      config: { mode: 'agg', optimization_target: 'throughput', max_gpu_budget: 8 },
      decode: capabilitiesOf({ ...ENGINE, aic_attention_dp_size: 4 }),
    }
    const busy = [0, 1].map((id) => worker(id, { sum_decode_kv_tokens: 1e7, num_decode_requests: 10 }))
    const planner = createPlanner(options)
    expect(planner.onTick(snapshot(5000, { decode: busy })).targetDecode).toBeNull()
    const upstream = createPlanner({
      ...options,
      decode: capabilitiesOf({ ...ENGINE, aic_attention_dp_size: 4 }, { compat: true }),
      compat: true,
    })
    expect(upstream.onTick(snapshot(5000, { decode: busy })).targetDecode).toBe(3)
  })
})

describe('a disaggregated prefill pool', () => {
  it('scales on its queue when the model context is known', () => {
    const config = { mode: 'disagg', optimization_target: 'throughput', max_gpu_budget: 8 }
    const pools = {
      prefill: [worker(0, { sum_queued_prefill_tokens: 9000, num_queued_prefill: 9 })],
      decode: [worker(0)],
    }
    const decode = capabilitiesOf(ENGINE)
    const planner = createPlanner({ config, prefill: capabilitiesOf(ENGINE, { contextLength: 8192 }), decode })
    expect(planner.onTick(snapshot(5000, pools)).targetPrefill).toBe(2)
    const upstream = createPlanner({
      config,
      prefill: capabilitiesOf(ENGINE, { contextLength: 8192, compat: true }),
      decode,
      compat: true,
    })
    expect(upstream.onTick(snapshot(5000, pools)).targetPrefill).toBeNull()
    expect(upstream.diagnostics[0].loadReasonPrefill).toBe('insufficient_data')
  })
})

describe('no traffic', () => {
  it('scales down to min_endpoint by throughput, without a learned model', () => {
    const config = {
      ...SLA,
      enable_throughput_scaling: true,
      enable_load_scaling: false,
      throughput_adjustment_interval_seconds: 10,
      load_predictor: 'constant',
    }
    const planner = createPlanner({ config, decode: capabilitiesOf(ENGINE) })
    const idle = [0, 1, 2].map((id) => worker(id))
    planner.onTick(snapshot(5000, { decode: idle }))
    expect(planner.onTick(snapshot(10_000, { decode: idle })).targetDecode).toBe(1)
  })

  it('scales down by load', () => {
    const planner = createPlanner({
      config: { mode: 'agg', optimization_target: 'latency' },
      decode: capabilitiesOf(ENGINE),
    })
    expect(planner.onTick(snapshot(5000, { decode: [worker(0), worker(1)] })).targetDecode).toBe(1)
  })
})

describe('min_endpoint', () => {
  it('holds when metrics are missing', () => {
    const options: PlannerOptions = {
      config: { mode: 'agg', optimization_target: 'throughput', min_endpoint: 3, max_gpu_budget: 8 },
      decode: capabilitiesOf(ENGINE),
    }
    const gap = { ...snapshot(5000, { decode: [worker(0)] }), decode_fpm_snapshots: [] }
    expect(createPlanner(options).onTick(gap).targetDecode).toBe(3)
    expect(createPlanner({ ...options, compat: true }).onTick(gap).targetDecode).toBeNull()
  })
})

describe('hybrid scaling', () => {
  it('lets throughput set the floor that load cannot undercut', () => {
    const config = {
      ...SLA,
      enable_throughput_scaling: true,
      enable_load_scaling: true,
      throughput_adjustment_interval_seconds: 10,
      load_predictor: 'constant',
      load_min_observations: 2,
    }
    const perf = {
      name: 'flat',
      prefillMs: (n: number, isl: number, prefix: number) => (n * (isl - prefix)) / 20,
      decodeMs: () => 10,
      explain: () => [],
    }
    const planner = createPlanner({ config, decode: capabilitiesOf(ENGINE), perfModels: { decode: perf } })
    const demand = { ...SILENCE, num_req: 300, avg_isl: 1000, avg_osl: 100, shape_count: 300 }
    const fleet = [0, 1].map((id) => worker(id))
    planner.onTick({ ...snapshot(5000, { decode: fleet }, demand), decode_fpm_snapshots: [] })
    const decision = planner.onTick(snapshot(10_000, { decode: fleet }, demand))
    expect(planner.diagnostics[1].throughputReason).toBe('set_lower_bound')
    expect(planner.diagnostics[1].lowerBoundDecode ?? 0).toBeGreaterThan(2)
    expect(decision.targetDecode).toBe(Math.min(16, planner.diagnostics[1].lowerBoundDecode ?? 0))
  })
})
