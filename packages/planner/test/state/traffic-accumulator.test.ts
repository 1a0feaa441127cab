import type { TrafficWindow } from '@spica/schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTraffic, TrafficAccumulator } from '../../src/state/traffic-accumulator.js'

const window = fc.record({
  duration_s: fc.constant(5),
  num_req: fc.nat(100),
  avg_isl: fc.nat(10_000),
  avg_osl: fc.nat(1000),
  avg_ttft_ms: fc.nat(1000),
  avg_itl_ms: fc.nat(100),
  shape_count: fc.nat(50),
  ttft_count: fc.nat(50),
  itl_count: fc.nat(50),
  avg_accept_length: fc.oneof(fc.constant(null), fc.constantFrom(1, 1.5, 2)),
  accept_length_forward_count: fc.nat(100),
  avg_kv_hit_rate: fc.constantFrom(0, 0.25, 0.5),
  hit_rate_count: fc.nat(50),
})

describe('traffic windows', () => {
  it('weights every mean by its own count', () => {
    fc.assert(
      fc.property(window, window, (a: TrafficWindow, b: TrafficWindow) => {
        const merged = mergeTraffic(a, b)
        expect(merged.num_req).toBe(a.num_req + b.num_req)
        expect(merged.avg_isl * merged.shape_count).toBeCloseTo(
          a.avg_isl * a.shape_count + b.avg_isl * b.shape_count,
          4,
        )
        expect(merged.avg_ttft_ms * merged.ttft_count).toBeCloseTo(
          a.avg_ttft_ms * a.ttft_count + b.avg_ttft_ms * b.ttft_count,
          4,
        )
        expect(Number.isFinite(merged.avg_kv_hit_rate)).toBe(true)
      }),
    )
  })

  it('hands everything over once', () => {
    const accumulator = new TrafficAccumulator()
    const [sample] = fc.sample(window, { numRuns: 1, seed: 7 })
    accumulator.add(sample)
    accumulator.add(sample)
    expect(accumulator.drain()?.duration_s).toBe(10)
    expect(accumulator.drain()).toBeNull()
  })
})
