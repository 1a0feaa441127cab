/** Value of independent normal objectives, all maximised, as a logarithm. */
export interface Criterion {
  logValue(means: Float64Array, sds: Float64Array): number
  /** Fills the derivatives by means and standard deviations. */
  logValueGradient(means: Float64Array, sds: Float64Array, byMean: Float64Array, bySd: Float64Array): number
}
