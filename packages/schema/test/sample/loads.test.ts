import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveArrivalIntervalMs, resolveKvLoad, resolveRequestCount } from '../../src/index.js'

const shape = { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8, replicas: 2 }

describe('resolveRequestCount', () => {
  it.each([
    [2.5, 1, 2],
    [3.5, 1, 4],
    [0.5, 1, 1],
    [0.1, 1, 1],
    [10, 7, 70],
    [0.3, 5, 2],
  ])('rounds %d × %d half to even, at least one', (num_request_ratio, concurrency, expected) => {
    const workload = { num_request_ratio, concurrency, request_rate: null }
    expect(resolveRequestCount(workload)).toBe(expected)
  })

  it('prefers the candidate, then the concurrency, then the rate', () => {
    const workload = { num_request_ratio: 2, concurrency: null, request_rate: 5 }
    expect(resolveRequestCount(workload)).toBe(10)
    expect(resolveRequestCount({ ...workload, concurrency: 3 })).toBe(6)
    expect(resolveRequestCount({ ...workload, concurrency: 3 }, 4)).toBe(8)
    expect(resolveRequestCount({ num_request_ratio: null, concurrency: null, request_rate: null })).toBeUndefined()
  })
})

describe('resolveArrivalIntervalMs', () => {
  it('is the reciprocal of the rate, else a millisecond', () => {
    expect(resolveArrivalIntervalMs({ request_rate: 4 })).toBe(250)
    expect(resolveArrivalIntervalMs({ request_rate: null })).toBe(1)
  })
})

describe('resolveKvLoad', () => {
  const disagg = { mode: 'disagg', prefill: { ...shape, replicas: 1 }, decode: shape } as const
  const figures = { prefill: { perRankTokens: 1000, blockSize: 64 }, decode: { perRankTokens: 10_050, blockSize: 64 } }

  it('measures disaggregated deployments by whole blocks of the decode pool', () => {
    const result = resolveKvLoad({ ratio: 0.5, isl: 1000, osl: 101, config: disagg, figures })
    // 157 blocks of 64 on 8 ranks of 2 workers = 160,768 tokens; 1,050 a request; 153 fit
    expect(result).toEqual({
      feasible: true,
      concurrency: 76,
      fields: {
        kv_load_ratio: 0.5,
        kv_load_concurrency_capacity: 153,
        kv_load_capacity_tokens: 160_768,
        prefill_kv_capacity_tokens: 7680,
        decode_kv_capacity_tokens: 160_768,
        concurrency: 76,
      },
    })
  })

  it('keeps one request in flight at a ratio of zero', () => {
    expect(resolveKvLoad({ ratio: 0, isl: 1, osl: 1, config: disagg, figures })).toMatchObject({ concurrency: 1 })
  })

  it('is infeasible when not one request fits, or a pool is empty', () => {
    const agg = { mode: 'agg', agg: { ...shape, attentionDp: 1, replicas: 1 } } as const
    const small = { agg: { perRankTokens: 127, blockSize: 64 } }
    expect(resolveKvLoad({ ratio: 1, isl: 60, osl: 10, config: agg, figures: small })).toMatchObject({
      feasible: false,
      role: 'agg',
      capacityTokens: 64,
      neededTokens: 65,
    })
    const empty = { ...figures, prefill: { perRankTokens: Number.NaN, blockSize: 64 } }
    expect(resolveKvLoad({ ratio: 1, isl: 1, osl: 1, config: disagg, figures: empty })).toMatchObject({
      feasible: false,
      role: 'prefill',
    })
    expect(resolveKvLoad({ ratio: 1, isl: 1, osl: 1, config: disagg, figures: {} })).toMatchObject({ feasible: false })
  })

  it('grows with the ratio and never exceeds it by a request', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3, noNaN: true }), fc.integer({ min: 1, max: 2000 }), (ratio, isl) => {
        const result = resolveKvLoad({ ratio, isl, osl: 10, config: disagg, figures })
        expect(result.feasible).toBe(true)
        if (!result.feasible) return
        const capacity = result.fields.kv_load_concurrency_capacity
        expect(result.concurrency).toBeGreaterThanOrEqual(1)
        expect(result.concurrency).toBeLessThanOrEqual(Math.max(1, ratio * capacity))
      }),
    )
  })
})
