import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { GaussianProcess } from '../../src/gp/gaussian-process.js'
import { correlation, wideShare } from '../../src/gp/matern.js'
import { ScreenedProcess } from '../../src/gp/screened-process.js'
import { LAYOUT, sample, THETA } from './synthetic.js'

function covariance(a: Float64Array, b: Float64Array): number {
  let r2 = 0
  LAYOUT.numeric.forEach((d, i) => {
    r2 += ((a[d]! - b[d]!) / Math.exp(THETA[i]!)) ** 2
  })
  if (a[1] !== b[1]) r2 += Math.exp(-2 * THETA[3]!)
  return Math.exp(THETA[4]!) * correlation(Math.sqrt(r2), wideShare(THETA[6]!))
}

/** Posterior by plain matrix algebra. */
function oracle(points: Float64Array[], values: Float64Array, at: Float64Array): { mean: number; variance: number } {
  const n = points.length
  const k = Matrix.zeros(n, n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = covariance(points[i]!, points[j]!) + (i === j ? Math.exp(THETA[5]!) : 0)
      k.set(i, j, value)
      k.set(j, i, value)
    }
  }
  const cross = Matrix.columnVector(points.map((p) => covariance(p, at)))
  const solved = new CholeskyDecomposition(k).solve(Matrix.columnVector(Array.from(values)))
  const reduced = new CholeskyDecomposition(k).solve(cross)
  const mean = cross.transpose().mmul(solved).get(0, 0)
  return { mean, variance: covariance(at, at) - cross.transpose().mmul(reduced).get(0, 0) }
}

function posterior(gp: GaussianProcess, points: Float64Array[]): { means: Float64Array; variances: Float64Array } {
  const means = new Float64Array(points.length)
  const variances = new Float64Array(points.length)
  gp.predict(points, means, variances)
  return { means, variances }
}

describe('GaussianProcess', () => {
  it('equals the posterior of matrix algebra', () => {
    for (const n of [1, 3, 4, 5, 18, 41]) {
      const { points, values } = sample(n, n)
      const at = sample(39, 99).points
      const { means, variances } = posterior(new GaussianProcess(points, values, LAYOUT, THETA, 0), at)
      at.forEach((p, i) => {
        const expected = oracle(points, values, p)
        expect(means[i]).toBeCloseTo(expected.mean, 9)
        expect(variances[i]).toBeCloseTo(expected.variance, 9)
      })
    }
  })

  it('is the same whether points come at once or are appended', () => {
    const { points, values } = sample(30, 3)
    const at = sample(9, 8).points
    const whole = new GaussianProcess(points, values, LAYOUT, THETA, 0)
    const grown = new GaussianProcess(points.slice(0, 13), values.slice(0, 13), LAYOUT, THETA, 17)
    for (let i = 13; i < 30; i++) grown.append(points[i]!, values[i]!)
    const [a, b] = [posterior(whole, at), posterior(grown, at)]
    for (let i = 0; i < at.length; i++) {
      expect(b.means[i]).toBeCloseTo(a.means[i]!, 9)
      expect(b.variances[i]).toBeCloseTo(a.variances[i]!, 9)
    }
  })

  it('has the derivatives of its predictions', () => {
    const { points, values } = sample(25, 4)
    const gp = new GaussianProcess(points, values, LAYOUT, THETA, 0)
    const small = new GaussianProcess(points.slice(0, 10), values.slice(0, 10), LAYOUT, THETA, 0)
    for (const model of [gp, new ScreenedProcess(gp, small)]) {
      const point = Float64Array.from([0.31, 1, 0.62, 0.47])
      const byMean = new Float64Array(3)
      const byVariance = new Float64Array(3)
      const variance = new Float64Array(1)
      const mean = model.predictGradient(point, byMean, byVariance, variance)
      const at = (p: Float64Array): [number, number] => {
        const m = new Float64Array(1)
        const v = new Float64Array(1)
        model.predict([p], m, v)
        return [m[0]!, v[0]!]
      }
      expect([mean, variance[0]]).toEqual(at(point).map((v) => expect.closeTo(v, 10)))
      LAYOUT.numeric.forEach((d, i) => {
        const [up, down] = [Float64Array.from(point), Float64Array.from(point)]
        up[d]! += 1e-5
        down[d]! -= 1e-5
        expect(byMean[i]).toBeCloseTo((at(up)[0] - at(down)[0]) / 2e-5, 5)
        expect(byVariance[i]).toBeCloseTo((at(up)[1] - at(down)[1]) / 2e-5, 5)
      })
    }
  })

  it('interpolates noise-free data and survives repeats', () => {
    const { points, values } = sample(12, 6)
    const theta = Float64Array.from(THETA)
    theta[5] = -16
    const gp = new GaussianProcess([...points, ...points], [...values, ...values], LAYOUT, theta, 4)
    gp.append(points[0]!, values[0]!)
    const { means, variances } = posterior(gp, points)
    points.forEach((_, i) => {
      expect(means[i]).toBeCloseTo(values[i]!, 4)
      expect(variances[i]).toBeGreaterThan(0)
      expect(variances[i]).toBeLessThan(1e-5)
    })
  })
})
