import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatNumber,
  formatTick,
  frontSteps,
  inverseOf,
  linearTicks,
  logTicks,
  paddedRange,
  scaleOf,
} from '../../assets/report/axis.js'

describe('ticks', () => {
  it('are round and inside the range', () => {
    expect(linearTicks(0, 103, 5)).toEqual([0, 25, 50, 75, 100])
    expect(linearTicks(-0.31, 0.29, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2])
    expect(logTicks(1, 1000, 6)).toEqual([1, 3, 10, 30, 100, 300, 1000])
    expect(logTicks(1e-3, 1e9, 6)).toEqual([1e-2, 1, 1e2, 1e4, 1e6, 1e8])
  })

  it('fall back to linear steps inside a decade', () => {
    expect(logTicks(20, 60, 4)).toEqual([20, 30, 40, 50, 60])
  })

  it('stay few and inside for any range', () => {
    const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(finite, fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (low, span) => {
        const high = low + span
        if (!(high > low)) return
        const ticks = linearTicks(low, high, 6)
        expect(ticks.length).toBeLessThanOrEqual(8)
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(low - span * 1e-6 - 1e-9 * Math.abs(low))
          expect(tick).toBeLessThanOrEqual(high + span * 1e-6 + 1e-9 * Math.abs(high))
        }
      }),
    )
  })
})

describe('scales', () => {
  it('map and map back', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), fc.boolean(), (value, log) => {
        const range = [0.001, 1e6] as const
        const there = scaleOf(range, 10, 500, log)
        const back = inverseOf(range, 10, 500, log)
        expect(back(there(value))).toBeCloseTo(value, value > 1000 ? 3 : 6)
      }),
    )
  })

  it('leave a margin and no room for values a logarithm has none for', () => {
    expect(paddedRange([0, 10], false)).toEqual([0, 10.5])
    expect(paddedRange([-5, 0, Number.NaN], true)).toBeNull()
    const [low, high] = paddedRange([1, 100, 0], true) as [number, number]
    expect(low).toBeLessThan(1)
    expect(high).toBeGreaterThan(100)
    expect(paddedRange([7], false)).toEqual([6.3, 7.7])
  })
})

describe('figures', () => {
  it('keep four significant digits', () => {
    expect([0, 5, 1771.4, 94.777, 0.01234, -2.5, 123456.7].map(formatNumber)).toEqual([
      '0',
      '5',
      '1,771',
      '94.78',
      '0.0123',
      '−2.500',
      '123,457',
    ])
    expect(formatNumber(Number.POSITIVE_INFINITY)).toBe('∞')
    expect(formatNumber(null)).toBe('–')
    expect(formatNumber(2.5e12)).toBe('2.500e12')
  })

  it('shorten ticks', () => {
    expect([0, 2500, 25000, 3e6, -0.5].map(formatTick)).toEqual(['0', '2500', '25k', '3M', '−0.5'])
  })
})

describe('frontSteps', () => {
  it('bounds what is attained, whichever way is better', () => {
    const front = [
      [3, 1],
      [1, 3],
    ] as const
    expect(frontSteps(front, true, true)).toEqual([
      [1, 3],
      [1, 1],
      [3, 1],
    ])
    expect(frontSteps(front, false, false)).toEqual([
      [1, 3],
      [3, 3],
      [3, 1],
    ])
  })
})
