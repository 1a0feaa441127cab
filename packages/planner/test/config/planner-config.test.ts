import { SpicaError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { baseTickSeconds, DueClock } from '../../src/config/cadence.js'
import { capabilitiesOf, resolvePlannerConfig } from '../../src/index.js'

describe('resolvePlannerConfig', () => {
  it('fills the defaults', () => {
    const config = resolvePlannerConfig({ mode: 'agg', optimization_target: 'sla', enable_load_scaling: true })
    expect(config.throughput_adjustment_interval_seconds).toBe(180)
    expect(config.load_predictor).toBe('arima')
    expect(config.max_gpu_budget).toBe(8)
  })

  it('forces load scaling for targets other than sla', () => {
    const config = resolvePlannerConfig({
      mode: 'agg',
      optimization_target: 'latency',
      enable_throughput_scaling: true,
    })
    expect(config.enable_load_scaling).toBe(true)
    expect(config.enable_throughput_scaling).toBe(false)
  })

  it.each([
    [{ mode: 'agg', load_adjustment_intervall_seconds: 5 }, 'load_adjustment_intervall_seconds'],
    [{ mode: 'agg', fpm_sample_bucket_size: 15 }, 'fpm_sample_bucket_size'],
    [{ mode: 'agg', load_adjustment_interval_seconds: 0 }, 'load_adjustment_interval_seconds'],
    [{ mode: 'agg', ttft_ms: Number.NaN }, 'ttft_ms'],
    [{ mode: 'agg', optimization_target: 'load' }, 'decode_scale_up_kv_rate'],
    [
      { mode: 'agg', optimization_target: 'load', decode_scale_up_kv_rate: 20, decode_scale_down_kv_rate: 60 },
      'decode_scale_up_kv_rate',
    ],
    [{ mode: 'agg', optimization_target: 'sla', enable_throughput_scaling: false }, 'enable_load_scaling'],
    [
      { mode: 'agg', optimization_target: 'sla', enable_load_scaling: true, load_adjustment_interval_seconds: 180 },
      'load_adjustment_interval_seconds',
    ],
    [{ mode: 'agg', live_dashboard_port: 8080 }, 'live_dashboard_port'],
    [{ mode: 'agg', enable_load_scaling: 'false' }, 'enable_load_scaling'],
    [null, '(root)'],
  ])('refuses %j and names %s', (payload, path) => {
    let caught: unknown
    try {
      resolvePlannerConfig(payload)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(SpicaError)
    expect((caught as SpicaError).code).toBe('invalid-planner-config')
    expect((caught as SpicaError).location?.path).toBe(path)
  })
})

describe('cadence', () => {
  it('ticks at the common divisor when the throughput loop runs', () => {
    const base = { mode: 'agg', optimization_target: 'sla', enable_load_scaling: true }
    expect(baseTickSeconds(resolvePlannerConfig(base))).toBe(5)
    expect(baseTickSeconds(resolvePlannerConfig({ ...base, load_adjustment_interval_seconds: 7 }))).toBe(1)
    expect(baseTickSeconds(resolvePlannerConfig({ mode: 'agg', load_adjustment_interval_seconds: 10 }))).toBe(10)
  })

  it('is due once per interval', () => {
    const clock = new DueClock(10)
    expect([5, 10, 15, 20].map((now) => clock.take(now))).toEqual([false, true, false, true])
  })
})

describe('capabilitiesOf', () => {
  it('counts attention-DP under either name, upstream only under dp_size', () => {
    const args = { aic_tp_size: 2, aic_attention_dp_size: 4, num_gpu_blocks: 100, block_size: 64 }
    expect(capabilitiesOf(args).gpus).toBe(8)
    expect(capabilitiesOf(args, { compat: true }).gpus).toBe(2)
    expect(capabilitiesOf(args).maxKvTokens).toBe(25_600)
  })

  it('lets the model context stand in for max_model_len, which upstream does not', () => {
    expect(capabilitiesOf({}, { contextLength: 4096 }).contextLength).toBe(4096)
    expect(capabilitiesOf({ max_model_len: 2048 }, { contextLength: 4096 }).contextLength).toBe(2048)
    expect(capabilitiesOf({}, { contextLength: 4096, compat: true }).contextLength).toBeNull()
  })
})
