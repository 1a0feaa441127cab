import type { Posterior } from '../gp/posterior.js'
import type { Point } from '../space/search-space.js'
import type { Criterion } from './criterion.js'
import { inverseMills, logNormalCdf } from './normal.js'

/**
 * What a point is worth: a criterion of the objectives' posteriors, plus the log probability that the point is
 * feasible.
 */
export class Acquisition {
  private readonly objectives: readonly Posterior[]
  private readonly feasibility: Posterior | undefined
  private readonly feasibilityOffset: number
  private readonly criterion: Criterion | undefined
  private readonly means: Float64Array
  private readonly sds: Float64Array
  private readonly byMean: Float64Array
  private readonly bySd: Float64Array
  private readonly one = new Float64Array(1)
  /** How many posteriors were computed, as a measure of work. */
  evaluations = 0

  /**
   * @param criterion undefined to look at feasibility only
   * @param feasibilityOffset added to the feasibility model's mean
   */
  constructor(
    objectives: readonly Posterior[],
    criterion: Criterion | undefined,
    feasibility: Posterior | undefined,
    feasibilityOffset: number,
  ) {
    this.objectives = objectives
    this.criterion = criterion
    this.feasibility = feasibility
    this.feasibilityOffset = feasibilityOffset
    const m = objectives.length
    this.means = new Float64Array(m)
    this.sds = new Float64Array(m)
    this.byMean = new Float64Array(m)
    this.bySd = new Float64Array(m)
  }

  /** Log values of many points. */
  evaluate(points: readonly Point[]): Float64Array {
    const count = points.length
    this.evaluations += count
    const out = new Float64Array(count)
    const { objectives, criterion, feasibility } = this
    if (criterion !== undefined) {
      const means = objectives.map(() => new Float64Array(count))
      const variances = objectives.map(() => new Float64Array(count))
      for (let m = 0; m < objectives.length; m++) objectives[m]!.predict(points, means[m]!, variances[m]!)
      for (let i = 0; i < count; i++) {
        for (let m = 0; m < objectives.length; m++) {
          this.means[m] = means[m]![i]!
          this.sds[m] = Math.sqrt(variances[m]![i]!)
        }
        out[i] = criterion.logValue(this.means, this.sds)
      }
    }
    if (feasibility !== undefined) {
      const means = new Float64Array(count)
      const variances = new Float64Array(count)
      feasibility.predict(points, means, variances)
      for (let i = 0; i < count; i++) {
        out[i]! += logNormalCdf((means[i]! + this.feasibilityOffset) / Math.sqrt(variances[i]!))
      }
    }
    return out
  }

  /** Log value at one point; fills the derivatives by its numeric coordinates, in the layout's order. */
  evaluateGradient(point: Point, gradient: Float64Array): number {
    this.evaluations++
    gradient.fill(0)
    const { objectives, criterion, feasibility, one } = this
    const d = gradient.length
    let value = 0
    if (criterion !== undefined) {
      const meanGradients = objectives.map(() => new Float64Array(d))
      const varianceGradients = objectives.map(() => new Float64Array(d))
      for (let m = 0; m < objectives.length; m++) {
        this.means[m] = objectives[m]!.predictGradient(point, meanGradients[m]!, varianceGradients[m]!, one)
        this.sds[m] = Math.sqrt(one[0]!)
      }
      value = criterion.logValueGradient(this.means, this.sds, this.byMean, this.bySd)
      for (let m = 0; m < objectives.length; m++) {
        const a = this.byMean[m]!
        const b = this.bySd[m]! / (2 * this.sds[m]!)
        for (let i = 0; i < d; i++) gradient[i]! += a * meanGradients[m]![i]! + b * varianceGradients[m]![i]!
      }
    }
    if (feasibility !== undefined) {
      const meanGradient = new Float64Array(d)
      const varianceGradient = new Float64Array(d)
      const mean = feasibility.predictGradient(point, meanGradient, varianceGradient, one) + this.feasibilityOffset
      const sd = Math.sqrt(one[0]!)
      const z = mean / sd
      value += logNormalCdf(z)
      const slope = inverseMills(z)
      for (let i = 0; i < d; i++) {
        gradient[i]! += slope * (meanGradient[i]! / sd - (mean * varianceGradient[i]!) / (2 * sd ** 3))
      }
    }
    return value
  }
}
