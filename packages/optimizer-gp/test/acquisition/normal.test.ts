import { describe, expect, it } from 'vitest'
import {
  expectedPositive,
  inverseMills,
  logExpectedPositive,
  logExpectedPositiveSlope,
  logNormalCdf,
  normalCdf,
} from '../../src/acquisition/normal.js'

describe('normal distribution functions', () => {
  it('equal tabulated values', () => {
    expect(normalCdf(0)).toBe(0.5)
    expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 13)
    expect(normalCdf(-3) / 0.0013498980316301035).toBeCloseTo(1, 12)
    expect(normalCdf(-9) / 1.1285884059538324e-19).toBeCloseTo(1, 12)
    expect(logNormalCdf(-30)).toBeCloseTo(-454.32124395634327, 9)
    expect(logNormalCdf(5)).toBeCloseTo(-2.866516129637633e-7, 15)
  })
  it('have a smooth log h with the right slope, from both tails', () => {
    expect(expectedPositive(0)).toBeCloseTo(0.3989422804014327, 14)
    for (const z of [-60, -30, -12.001, -11.999, -7.01, -6.99, -2, -0.5, 0, 0.5, 3, 20]) {
      const h = 1e-5
      const slope = (logExpectedPositive(z + h) - logExpectedPositive(z - h)) / (2 * h)
      expect(logExpectedPositiveSlope(z) / slope).toBeCloseTo(1, 5)
      const cdfSlope = (logNormalCdf(z + h) - logNormalCdf(z - h)) / (2 * h)
      expect(inverseMills(z)).toBeCloseTo(cdfSlope, 4)
      if (z > -25) expect(Math.log(expectedPositive(z))).toBeCloseTo(logExpectedPositive(z), 9)
    }
  })
})
