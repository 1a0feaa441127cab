import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naturalLog } from '../../src/random/natural-log.js'

describe('naturalLog', () => {
  it('is exact at powers of two and one', () => {
    expect(naturalLog(1)).toBe(0)
    expect(naturalLog(2)).toBe(Math.LN2)
    expect(naturalLog(0.5)).toBe(-Math.LN2)
  })

  it('stays within a unit in the last place of Math.log', () => {
    fc.assert(
      fc.property(fc.double({ min: 2 ** -53, max: 1, noNaN: true }), (x) => {
        const expected = Math.log(x)
        expect(Math.abs(naturalLog(x) - expected)).toBeLessThanOrEqual(2 ** -51 * Math.abs(expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('passes non-positive arguments on', () => {
    expect(naturalLog(0)).toBe(-Infinity)
    expect(naturalLog(-1)).toBeNaN()
  })
})
