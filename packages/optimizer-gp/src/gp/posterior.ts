/** What an acquisition asks of a model. Points are whole search points; derivatives are by numeric coordinates. */
export interface Posterior {
  predict(points: readonly Float64Array[], means: Float64Array, variances?: Float64Array): void
  /** Returns the mean, fills its gradient; with `variance`, also `variance[0]` and the variance's gradient. */
  predictGradient(
    point: Float64Array,
    meanGradient: Float64Array,
    varianceGradient: Float64Array,
    variance: Float64Array | undefined,
  ): number
}
