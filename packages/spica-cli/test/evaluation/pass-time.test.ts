import { createConstantModel } from '@spica/perf-model'
import type { PerfModel } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { passTime } from '../../src/evaluation/pass-time.js'

const point = (runningRequests: number) => ({
  timeMs: 0,
  pool: 'decode' as const,
  activeWorkers: 2,
  startingWorkers: 0,
  drainingWorkers: 0,
  runningRequests,
  waitingRequests: 0,
  kvUtilisation: 0.5,
  busyWorkers: 1,
})
const sample = { deployment_mode: 'agg', backend: 'vllm', tp: 1, attention_dp: 2, moe_tp: 1, moe_ep: 1 }
const metrics = {
  completed_requests: 10,
  total_input_tokens: 1000,
  total_output_tokens: 410,
  prefix_cache_reused_ratio: 0,
}
/** 8 ms a prefill pass, 2 ms a decode pass, half of it measured. */
const model: PerfModel = {
  ...createConstantModel({ prefillMs: 8, decodeMs: 2 }),
  explain: ({ phase }) => [
    { name: 'gemm', ms: phase === 'prefill' ? 8 : 1, source: 'measured' },
    { name: 'attention', ms: phase === 'prefill' ? 0 : 1, source: 'interpolated' },
  ],
}

describe('passTime', () => {
  it('weighs prefill by requests and decode by tokens over the batch of a rank', () => {
    const time = passTime({
      sample,
      models: new Map([['agg', model]]),
      metrics,
      timeline: [point(0), point(16), point(16)],
    })
    expect(time).toEqual({ prefill_ms: 80, decode_ms: 200, sources: { interpolated: 0.357143, measured: 0.642857 } })
  })

  it('uses the models of both pools of a disaggregated deployment', () => {
    const models = new Map([
      ['prefill' as const, model],
      ['decode' as const, model],
    ])
    const pools = { ...sample, deployment_mode: 'disagg', prefill_attention_dp: 1, decode_attention_dp: 2 }
    expect(passTime({ sample: pools, models, metrics, timeline: [point(16)] })).toMatchObject({
      prefill_ms: 80,
      decode_ms: 200,
    })
  })

  it('says nothing when no request was completed', () => {
    const none = { ...metrics, completed_requests: 0 }
    expect(passTime({ sample, models: new Map([['agg', model]]), metrics: none, timeline: [] })).toBeNull()
  })
})
