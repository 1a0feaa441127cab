import type { Criterion } from './criterion.js'
import { logExpectedPositive, logExpectedPositiveSlope } from './normal.js'

/** Log expected improvement over the best value so far (Ament et al. 2023). */
export class LogExpectedImprovement implements Criterion {
  private readonly best: number

  constructor(best: number) {
    this.best = best
  }

  logValue(means: Float64Array, sds: Float64Array): number {
    return Math.log(sds[0]!) + logExpectedPositive((means[0]! - this.best) / sds[0]!)
  }

  logValueGradient(means: Float64Array, sds: Float64Array, byMean: Float64Array, bySd: Float64Array): number {
    const sd = sds[0]!
    const u = (means[0]! - this.best) / sd
    const slope = logExpectedPositiveSlope(u)
    byMean[0] = slope / sd
    bySd[0] = (1 - u * slope) / sd
    return Math.log(sd) + logExpectedPositive(u)
  }
}
