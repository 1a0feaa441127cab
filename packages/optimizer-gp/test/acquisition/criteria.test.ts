import { hypervolumeImprovement, paretoFront } from '@spica/scorer/pareto'
import { describe, expect, it } from 'vitest'
import { Acquisition } from '../../src/acquisition/acquisition.js'
import type { Criterion } from '../../src/acquisition/criterion.js'
import { ExpectedHypervolume } from '../../src/acquisition/expected-hypervolume.js'
import { LogExpectedImprovement } from '../../src/acquisition/expected-improvement.js'
import { ScalarisedHypervolume } from '../../src/acquisition/scalarised-hypervolume.js'
import { GaussianProcess } from '../../src/gp/gaussian-process.js'
import type { OutputWarp } from '../../src/gp/output-warp.js'
import { cutAxis } from '../../src/model/objective-model.js'
import { Rng } from '../../src/random/rng.js'
import { LAYOUT, sample, THETA } from '../gp/synthetic.js'

const IDENTITY: OutputWarp = { forward: (v) => v, inverse: (z) => z }

function randomFront(m: number, n: number, rng: Rng): number[][] {
  const points = Array.from({ length: n }, () => Array.from({ length: m }, () => 1 + rng.normal()))
  return paretoFront(points)
    .map((i) => points[i]!)
    .filter((p) => p.every((v) => v > -1))
}

function expectedHypervolume(front: number[][], m: number, warp = IDENTITY): ExpectedHypervolume {
  const axes = Array.from({ length: m }, (_, j) =>
    cutAxis(
      -1,
      front.map((p) => p[j]!),
      warp,
    ),
  )
  return new ExpectedHypervolume(front, axes)
}

function checkGradient(criterion: Criterion, means: Float64Array, sds: Float64Array): void {
  const m = means.length
  const byMean = new Float64Array(m)
  const bySd = new Float64Array(m)
  const value = criterion.logValueGradient(means, sds, byMean, bySd)
  expect(value).toBeCloseTo(criterion.logValue(means, sds), 10)
  const slope = (array: Float64Array, j: number): number => {
    const keep = array[j]!
    array[j] = keep + 1e-6
    const up = criterion.logValue(means, sds)
    array[j] = keep - 1e-6
    const down = criterion.logValue(means, sds)
    array[j] = keep
    return (up - down) / 2e-6
  }
  for (let j = 0; j < m; j++) {
    expect(byMean[j]).toBeCloseTo(slope(means, j), 4)
    expect(bySd[j]).toBeCloseTo(slope(sds, j), 4)
  }
}

describe('ExpectedHypervolume', () => {
  for (const m of [2, 3]) {
    it(`equals Monte Carlo with ${m} objectives`, () => {
      for (const n of [0, 1, 6, 12]) {
        const rng = new Rng(n, m)
        const front = randomFront(m, n, rng)
        const means = Float64Array.from({ length: m }, () => 1 + 0.7 * rng.normal())
        const sds = Float64Array.from({ length: m }, () => 0.3 + rng.uniform())
        const draws = 20_000
        let sum = 0
        let squares = 0
        for (let k = 0; k < draws; k++) {
          const gain = hypervolumeImprovement(
            Array.from(means, (mean, j) => mean + sds[j]! * rng.normal()),
            front,
            new Array<number>(m).fill(-1),
          )
          sum += gain
          squares += gain * gain
        }
        const mean = sum / draws
        const error = Math.sqrt((squares / draws - mean * mean) / draws)
        const exact = Math.exp(expectedHypervolume(front, m).logValue(means, sds))
        expect(Math.abs(exact - mean)).toBeLessThan(4 * error + 1e-12)
        checkGradient(expectedHypervolume(front, m), means, sds)
      }
    })

    it(`is the plain improvement where nothing is uncertain, with ${m} objectives`, () => {
      const rng = new Rng(4, m)
      const front = randomFront(m, 10, rng)
      const point = Float64Array.from(front[0]!, (v) => v + 0.3)
      const gain = hypervolumeImprovement(Array.from(point), front, new Array<number>(m).fill(-1))
      const value = expectedHypervolume(front, m).logValue(point, new Float64Array(m).fill(1e-7))
      expect(gain).toBeGreaterThan(0)
      expect(Math.exp(value)).toBeCloseTo(gain, 5)
    })

    it(`stays finite and ordered far below the front, with ${m} objectives`, () => {
      const rng = new Rng(9, m)
      const criterion = expectedHypervolume(randomFront(m, 8, rng), m)
      const sds = new Float64Array(m).fill(0.05)
      const values = [-3, -6, -12, -24].map((v) => criterion.logValue(new Float64Array(m).fill(v), sds))
      for (let i = 1; i < values.length; i++) expect(values[i]).toBeLessThan(values[i - 1]!)
      expect(values.every(Number.isFinite)).toBe(true)
    })
  }

  it('measures volume in user units through the slopes of the warp', () => {
    const cubeRoot: OutputWarp = { forward: Math.cbrt, inverse: (z) => z ** 3 }
    const front = [
      [0.4, 1.5],
      [1.2, 0.2],
    ]
    const raw = front.map((p) => p.map((v) => v ** 3))
    const gain = (point: number[]): number =>
      hypervolumeImprovement(
        point.map((v) => v ** 3),
        raw,
        [-1, -1],
      )
    const criterion = expectedHypervolume(front, 2, cubeRoot)
    const sds = Float64Array.from([1e-7, 1e-7])
    const ratio = (a: number[], b: number[]): number =>
      Math.exp(criterion.logValue(Float64Array.from(a), sds) - criterion.logValue(Float64Array.from(b), sds))
    // Both corners lie on edges of the front's grid, where the piecewise-linear inverse warp is exact.
    expect(ratio([1.2, 1.5], [1.2 - 1e-9, 1.5 - 1e-9])).toBeCloseTo(1, 4)
    expect(gain([1.2, 1.5])).toBeGreaterThan(0)
  })
})

describe('other criteria', () => {
  it('have the gradients of their values', () => {
    checkGradient(new LogExpectedImprovement(0.7), Float64Array.from([0.2]), Float64Array.from([0.4]))
    checkGradient(new LogExpectedImprovement(0.7), Float64Array.from([-9]), Float64Array.from([0.4]))
    const rng = new Rng(3)
    const front = randomFront(4, 9, rng)
    const scalarised = new ScalarisedHypervolume(front, [-1, -1, -1, -1], new Rng(1))
    checkGradient(scalarised, Float64Array.from([1.1, 1.9, 0.8, 1.3]), Float64Array.from([0.2, 0.4, 0.3, 0.5]))
    checkGradient(scalarised, Float64Array.from([-5, -3, -4, -6]), Float64Array.from([0.2, 0.4, 0.3, 0.5]))
  })
})

describe('Acquisition', () => {
  it('has the gradient of its value, feasibility included', () => {
    const a = sample(20, 1)
    const b = sample(20, 2)
    const objectives = [a, b].map(({ values }) => new GaussianProcess(a.points, values, LAYOUT, THETA, 0))
    const labels = Float64Array.from(a.points, (p) => (p[0]! > 0.4 ? 1 : -1))
    const feasibility = new GaussianProcess(a.points, labels, LAYOUT, THETA, 0)
    const front = [
      [0.2, 1.4],
      [1, 0.3],
    ]
    const acquisition = new Acquisition(objectives, expectedHypervolume(front, 2), feasibility, -0.2)
    const point = Float64Array.from([0.45, 2, 0.3, 0.8])
    const gradient = new Float64Array(3)
    const value = acquisition.evaluateGradient(point, gradient)
    expect(acquisition.evaluate([point])[0]).toBeCloseTo(value, 9)
    LAYOUT.numeric.forEach((d, i) => {
      const [up, down] = [Float64Array.from(point), Float64Array.from(point)]
      up[d]! += 1e-5
      down[d]! -= 1e-5
      const [high, low] = acquisition.evaluate([up, down])
      expect(gradient[i]).toBeCloseTo((high! - low!) / 2e-5, 4)
    })
  })
})
