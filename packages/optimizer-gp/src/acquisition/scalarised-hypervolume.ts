import type { Rng } from '../random/rng.js'
import type { Criterion } from './criterion.js'

const WEIGHTS = 128
const CONFIDENCE = 1.8

/**
 * Hypervolume scalarisation of the upper confidence bound for four and more objectives (Golovin and Zhang 2020): the
 * mean over random directions w of how far min_j max(y_j − ref_j, 0)/w_j, to the power of the number of objectives,
 * passes the best one known. Where no direction improves, the value falls with the distance to the nearest improvement.
 */
export class ScalarisedHypervolume implements Criterion {
  private readonly reference: readonly number[]
  private readonly inverseWeights: Float64Array
  private readonly best: Float64Array
  private readonly m: number

  constructor(front: readonly (readonly number[])[], reference: readonly number[], rng: Rng) {
    const m = reference.length
    this.m = m
    this.reference = reference
    this.inverseWeights = new Float64Array(WEIGHTS * m)
    this.best = new Float64Array(WEIGHTS)
    for (let w = 0; w < WEIGHTS; w++) {
      let norm = 0
      const direction = Array.from({ length: m }, () => {
        const v = Math.max(1e-3, Math.abs(rng.normal()))
        norm += v * v
        return v
      })
      for (let j = 0; j < m; j++) this.inverseWeights[w * m + j] = Math.sqrt(norm) / direction[j]!
      for (const point of front) this.best[w] = Math.max(this.best[w]!, this.reach(w, point).value)
    }
  }

  /** Smallest weighted excess over the reference, and the objective that sets it. */
  private reach(w: number, y: ArrayLike<number>): { value: number; objective: number } {
    let value = Number.POSITIVE_INFINITY
    let objective = 0
    for (let j = 0; j < this.m; j++) {
      const r = (y[j]! - this.reference[j]!) * this.inverseWeights[w * this.m + j]!
      if (r < value) {
        value = r
        objective = j
      }
    }
    return { value, objective }
  }

  logValue(means: Float64Array, sds: Float64Array): number {
    const unused = new Float64Array(this.m)
    return this.logValueGradient(means, sds, unused, unused)
  }

  logValueGradient(means: Float64Array, sds: Float64Array, byMean: Float64Array, bySd: Float64Array): number {
    const { m } = this
    const bound = Float64Array.from(means, (mean, j) => mean + CONFIDENCE * sds[j]!)
    const derivative = new Float64Array(m)
    let total = 0
    let nearest = Number.NEGATIVE_INFINITY
    let nearestWeight = 0
    for (let w = 0; w < WEIGHTS; w++) {
      const { value, objective } = this.reach(w, bound)
      const gap = value - this.best[w]!
      if (gap > nearest) {
        nearest = gap
        nearestWeight = w
      }
      if (gap <= 0) continue
      total += value ** m - this.best[w]! ** m
      derivative[objective]! += m * value ** (m - 1) * this.inverseWeights[w * m + objective]!
    }
    let result: number
    if (total > 1e-200) {
      result = Math.log(total / WEIGHTS)
      for (let j = 0; j < m; j++) derivative[j]! /= total
    } else {
      const { objective } = this.reach(nearestWeight, bound)
      derivative.fill(0)
      derivative[objective] = this.inverseWeights[nearestWeight * m + objective]!
      result = -500 + nearest
    }
    for (let j = 0; j < m; j++) {
      byMean[j] = derivative[j]!
      bySd[j] = CONFIDENCE * derivative[j]!
    }
    return result
  }
}
