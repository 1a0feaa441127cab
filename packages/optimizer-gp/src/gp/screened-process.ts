import type { GaussianProcess } from './gaussian-process.js'
import type { Posterior } from './posterior.js'

/**
 * Means of one process, variances of a smaller one on a subset of the same points with the same hyper-parameters.
 * Variances of a subset are never too small, and cost its square instead of that of all points: a screen for many
 * candidates, of which the best are scored again with the full process.
 */
export class ScreenedProcess implements Posterior {
  private readonly full: GaussianProcess
  private readonly small: GaussianProcess
  private readonly unused: Float64Array

  constructor(full: GaussianProcess, small: GaussianProcess) {
    this.full = full
    this.small = small
    this.unused = new Float64Array(full.layout.numeric.length)
  }

  predict(points: readonly Float64Array[], means: Float64Array, variances?: Float64Array): void {
    if (variances !== undefined) this.small.predict(points, means, variances)
    this.full.predict(points, means)
  }

  predictGradient(
    point: Float64Array,
    meanGradient: Float64Array,
    varianceGradient: Float64Array,
    variance: Float64Array | undefined,
  ): number {
    if (variance !== undefined) this.small.predictGradient(point, this.unused, varianceGradient, variance)
    return this.full.predictGradient(point, meanGradient, varianceGradient, undefined)
  }
}
