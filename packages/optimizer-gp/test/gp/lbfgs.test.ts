import { describe, expect, it } from 'vitest'
import { minimizeLbfgs } from '../../src/gp/lbfgs.js'

function rosenbrock(x: Float64Array, gradient: Float64Array): number {
  const [a, b] = x as unknown as [number, number]
  gradient[0] = -400 * a * (b - a * a) - 2 * (1 - a)
  gradient[1] = 200 * (b - a * a)
  return 100 * (b - a * a) ** 2 + (1 - a) ** 2
}

describe('minimizeLbfgs', () => {
  const lower = Float64Array.from([-3, -3])
  it('finds the minimum of a curved valley', () => {
    const { x, value } = minimizeLbfgs(
      rosenbrock,
      Float64Array.from([-1.2, 1]),
      lower,
      Float64Array.from([3, 3]),
      300,
      1e-8,
    )
    expect(value).toBeLessThan(1e-8)
    expect(x[0]).toBeCloseTo(1, 3)
  })
  it('stops at the box', () => {
    const { x } = minimizeLbfgs(rosenbrock, Float64Array.from([-1.2, 1]), lower, Float64Array.from([0.5, 3]), 300, 1e-8)
    expect(x[0]).toBeCloseTo(0.5, 6)
    expect(x[1]).toBeCloseTo(0.25, 4)
  })
  it('keeps to its budget and steps back from infinite values', () => {
    let calls = 0
    const wall = (x: Float64Array, gradient: Float64Array): number => {
      calls++
      gradient[0] = -1
      return x[0]! > 0.9 ? Number.POSITIVE_INFINITY : -x[0]!
    }
    const { x } = minimizeLbfgs(wall, Float64Array.from([0]), Float64Array.from([-5]), Float64Array.from([5]), 12)
    expect(calls).toBeLessThanOrEqual(12)
    expect(x[0]).toBeGreaterThan(0)
    expect(x[0]).toBeLessThanOrEqual(0.9)
  })
})
