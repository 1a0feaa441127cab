import { describe, expect, it } from 'vitest'
import { fitHyperparameters } from '../../src/gp/fit-hyperparameters.js'
import { MapObjective } from '../../src/gp/map-objective.js'
import { LAYOUT, PRIOR, sample, THETA } from './synthetic.js'

describe('MapObjective', () => {
  it('has the gradient of its value', () => {
    for (const n of [1, 2, 7, 23]) {
      const { points, values } = sample(n, n)
      const objective = new MapObjective(points, values, LAYOUT, PRIOR)
      const gradient = new Float64Array(THETA.length)
      const scratch = new Float64Array(THETA.length)
      objective.evaluate(THETA, gradient)
      for (let p = 0; p < THETA.length; p++) {
        const h = 1e-5
        const up = Float64Array.from(THETA)
        const down = Float64Array.from(THETA)
        up[p]! += h
        down[p]! -= h
        const slope = (objective.evaluate(up, scratch) - objective.evaluate(down, scratch)) / (2 * h)
        expect(gradient[p]).toBeCloseTo(slope, 5)
      }
    }
  })

  it('is finite for repeated and constant data', () => {
    const { points } = sample(6, 2)
    const repeated = [...points, ...points]
    const gradient = new Float64Array(THETA.length)
    const objective = new MapObjective(repeated, new Float64Array(12), LAYOUT, PRIOR)
    expect(objective.evaluate(Float64Array.from(THETA).fill(-16, 5, 6), gradient)).toBeLessThan(
      Number.POSITIVE_INFINITY,
    )
    expect(gradient.every(Number.isFinite)).toBe(true)
  })
})

describe('fitHyperparameters', () => {
  it('improves on every start and finds the noise level', () => {
    const { points, values } = sample(60, 5)
    const mean = values.reduce((a, b) => a + b) / values.length
    const centred = values.map((v) => v - mean)
    const request = {
      points,
      values: centred,
      layout: LAYOUT,
      prior: PRIOR,
      starts: [THETA, PRIOR.mean],
      maxEvaluations: 60,
    }
    const { theta, evidence } = fitHyperparameters(request)
    const objective = new MapObjective(points, centred, LAYOUT, PRIOR)
    const scratch = new Float64Array(theta.length)
    const best = objective.evaluate(theta, scratch)
    expect(best).toBeLessThan(objective.evaluate(THETA, scratch))
    expect(best).toBeLessThan(objective.evaluate(PRIOR.mean, scratch))
    expect(evidence).toBeCloseTo(objective.penalty(theta) - best, 9)
    const noiseSd = Math.exp(theta[5]! / 2)
    expect(noiseSd).toBeGreaterThan(0.02)
    expect(noiseSd).toBeLessThan(0.12)
  })
})
