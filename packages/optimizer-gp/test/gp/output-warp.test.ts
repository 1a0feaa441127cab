import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitOutputWarp } from '../../src/gp/output-warp.js'

describe('fitOutputWarp', () => {
  it('rises, inverts, and gives mean 0 and deviation 1', () => {
    const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 30 })
    fc.assert(
      fc.property(numbers, (values) => {
        const warp = fitOutputWarp(values, 0.5)
        const sorted = [...values].sort((a, b) => a - b)
        const span = Math.max(1e-300, sorted[sorted.length - 1]! - sorted[0]!)
        const warped = sorted.map((v) => warp.forward(v))
        for (let i = 0; i < sorted.length; i++) {
          expect(Number.isFinite(warped[i])).toBe(true)
          if (i > 0) expect(warped[i]! - warped[i - 1]!).toBeGreaterThanOrEqual(-1e-9)
          expect(Math.abs(warp.inverse(warped[i]!) - sorted[i]!)).toBeLessThanOrEqual(
            1e-6 * (span + Math.abs(sorted[i]!)),
          )
        }
      }),
    )
    const skewed = Array.from({ length: 40 }, (_, i) => -Math.exp(i / 5))
    const warp = fitOutputWarp(skewed, 0.5)
    const z = skewed.map((v) => warp.forward(v))
    const mean = z.reduce((a, b) => a + b) / 40
    expect(mean).toBeCloseTo(0, 9)
    expect(z.reduce((a, b) => a + (b - mean) ** 2, 0) / 40).toBeCloseTo(1, 9)
    const lowest = Math.min(...z)
    expect(lowest).toBeGreaterThan(-3.5)
  })

  it('only shifts constant data', () => {
    const warp = fitOutputWarp([5, 5, 5, 5], 0.5)
    expect(warp.forward(5)).toBe(0)
    expect(warp.forward(7)).toBe(2)
  })
})
