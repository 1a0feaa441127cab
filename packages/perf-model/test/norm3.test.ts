import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { norm3 } from '../src/roofline/timer.js'

describe('norm3', () => {
  it('is the cube root of the sum of cubes to the last digits', () => {
    const time = fc.double({ min: 1e-9, max: 1e4, noNaN: true })
    fc.assert(
      fc.property(time, time, (a, b) => {
        const exact = Math.cbrt(a * a * a + b * b * b)
        expect(Math.abs(norm3(a, b) - exact)).toBeLessThanOrEqual(1e-14 * exact)
      }),
    )
  })

  it('takes a missing time for none', () => {
    expect(norm3(0, 0)).toBe(0)
    expect(norm3(3, 0)).toBe(3)
    expect(norm3(0, 5)).toBe(5)
  })
})
