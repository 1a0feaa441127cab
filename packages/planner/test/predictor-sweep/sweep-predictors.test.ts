import { describe, expect, it } from 'vitest'
import { carryIdleShapes, type ForecasterSpec, sweepPredictors, traceWindows } from '../../src/index.js'

const SPEC: ForecasterSpec = {
  family: 'constant',
  log1p: false,
  windowSize: 50,
  qLevel: 1,
  qTrend: 0.1,
  r: 10,
  minPoints: 5,
  intervalSeconds: 60,
}
const columns = (timestampMs: number[]) => ({
  timestampMs,
  inputTokens: timestampMs.map((_, i) => 100 * (i + 1)),
  outputTokens: timestampMs.map(() => 10),
})

describe('traceWindows', () => {
  it('counts from time zero, fills gaps, and leaves the edges out', () => {
    const windows = traceWindows(columns([125_000, 130_000, 310_000]), 60)
    expect(windows.map((window) => window.requests)).toEqual([2, 0, 0, 1])
    expect(windows[0].isl).toBe(150)
    expect(windows[1]).toEqual({ requests: 0, isl: 0, osl: 0 })
  })

  it('honours the arrival speed-up', () => {
    expect(traceWindows(columns([0, 119_000]), 60, 2)).toHaveLength(1)
  })

  it('refuses absurd intervals instead of filling memory', () => {
    expect(() => traceWindows(columns([0, 1e15]), 1)).toThrowError(/windows/)
    expect(() => traceWindows(columns([0]), 0)).toThrowError(/positive/)
    expect(traceWindows(columns([]), 60)).toEqual([])
  })

  it('carries shapes through idle windows', () => {
    const carried = carryIdleShapes(traceWindows(columns([125_000, 310_000]), 60))
    expect(carried.map((window) => window.isl)).toEqual([100, 100, 100, 200])
  })
})

describe('sweepPredictors', () => {
  const windows = Array.from({ length: 20 }, (_, i) => ({ requests: 10 * (i + 1), isl: 1000, osl: 100 }))

  it('takes the first of equal losses and the trend on a ramp', () => {
    const same = sweepPredictors(
      windows,
      [
        { id: 'first', spec: SPEC },
        { id: 'second', spec: SPEC },
      ],
      60,
    )
    expect(same.winner).toBe('first')
    const kalman: ForecasterSpec = { ...SPEC, family: 'kalman', qLevel: 10, qTrend: 1, r: 5 }
    expect(
      sweepPredictors(
        windows,
        [
          { id: 'constant', spec: SPEC },
          { id: 'kalman', spec: kalman },
        ],
        60,
      ).winner,
    ).toBe('kalman')
  })

  it('falls back to the constant with a reason when nothing can be scored', () => {
    const result = sweepPredictors(windows.slice(0, 3), [{ id: 'kalman', spec: { ...SPEC, family: 'kalman' } }], 60)
    expect(result.winner).toBe('constant_last')
    expect(result.reason).toContain('3 windows')
    expect(result.losses).toEqual({ kalman: null })
  })
})
