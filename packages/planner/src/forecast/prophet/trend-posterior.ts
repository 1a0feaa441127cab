import type { TrendDesign } from './trend-design.js'

/**
 * Log posterior of the trend model and its derivatives.
 *
 * Notations: θ = (k, m, δ, β), `columns` values, then u = ln σ as the last parameter. y: n scaled targets. A: design.
 * Priors: k, m ~ N(0, 5); δ ~ Laplace(0, 0.05); β ~ N(0, 10); σ ~ half N(0, 0.5). No Jacobian for σ = eᵘ: the mode is taken in σ.
 * Source: Taylor and Letham 2018, "Forecasting at scale", with the library's default scales.
 */
const PRIOR_SD_TREND = 5
const LAPLACE_SCALE = 0.05
const PRIOR_SD_SEASON = 10
const PRIOR_SD_NOISE = 0.5
/** Step of the four-point difference that smooths the kink of the Laplace prior in the curvature. */
const CURVATURE_STEP = 1e-3
const DIFFERENCE = [
  [-2, 1 / 12],
  [-1, -2 / 3],
  [1, 2 / 3],
  [2, -1 / 12],
] as const

export class TrendPosterior {
  /** Parameters: columns + 1. */
  readonly size: number
  /** AᵀA, columns × columns. */
  private readonly gram: Float64Array
  private readonly residuals: Float64Array
  private readonly priorPrecision: Float64Array

  constructor(
    private readonly design: TrendDesign,
    private readonly y: Float64Array,
  ) {
    const { n, columns, changepoints, rows } = design
    this.size = columns + 1
    this.residuals = new Float64Array(n)
    this.gram = new Float64Array(columns * columns)
    for (let i = 0; i < n; i++) {
      for (let a = 0; a < columns; a++) {
        const left = rows[i * columns + a]
        if (left === 0) continue
        for (let b = 0; b <= a; b++) this.gram[a * columns + b] += left * rows[i * columns + b]
      }
    }
    this.priorPrecision = new Float64Array(columns)
    for (let a = 0; a < columns; a++) {
      for (let b = 0; b < a; b++) this.gram[b * columns + a] = this.gram[a * columns + b]
      if (a < 2) this.priorPrecision[a] = 1 / PRIOR_SD_TREND ** 2
      else if (a >= 2 + changepoints) this.priorPrecision[a] = 1 / PRIOR_SD_SEASON ** 2
    }
  }

  private isSlopeChange(column: number): boolean {
    return column >= 2 && column < 2 + this.design.changepoints
  }

  /** Sum of squared residuals at θ; leaves the residuals behind. */
  private squaredError(params: Float64Array): number {
    const { n, columns, rows } = this.design
    let sum = 0
    for (let i = 0; i < n; i++) {
      let fitted = 0
      for (let a = 0; a < columns; a++) fitted += rows[i * columns + a] * params[a]
      const residual = this.y[i] - fitted
      this.residuals[i] = residual
      sum += residual * residual
    }
    return sum
  }

  logDensity(params: Float64Array): number {
    return this.densityFrom(params, this.squaredError(params))
  }

  /**
   * Log density along a line from the point of the last `derivatives` call. The fitted values are linear in θ, so a step costs the
   * points, not points × columns.
   */
  alongLine(params: Float64Array, direction: Float64Array): (step: number, trial: Float64Array) => number {
    const { n, columns, rows } = this.design
    const fittedChange = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      let change = 0
      for (let a = 0; a < columns; a++) change += rows[i * columns + a] * direction[a]
      fittedChange[i] = change
    }
    return (step, trial) => {
      for (let a = 0; a < this.size; a++) trial[a] = params[a] + step * direction[a]
      let error = 0
      for (let i = 0; i < n; i++) {
        const residual = this.residuals[i] - step * fittedChange[i]
        error += residual * residual
      }
      return this.densityFrom(trial, error)
    }
  }

  private densityFrom(params: Float64Array, squaredError: number): number {
    const { n, columns, changepoints } = this.design
    const u = params[columns]
    const variance = Math.exp(2 * u)
    let value = -squaredError / (2 * variance) - n * u - variance / (2 * PRIOR_SD_NOISE ** 2)
    for (let a = 0; a < columns; a++) value -= (this.priorPrecision[a] * params[a] * params[a]) / 2
    for (let a = 2; a < 2 + changepoints; a++) value -= Math.abs(params[a]) / LAPLACE_SCALE
    return value
  }

  /** Gradient (size) and negated curvature (size × size) at the parameters. */
  derivatives(params: Float64Array): { gradient: Float64Array; curvature: Float64Array } {
    const { n, columns, rows } = this.design
    const size = this.size
    const precision = Math.exp(-2 * params[columns])
    const error = this.squaredError(params)
    const gradient = new Float64Array(size)
    const curvature = new Float64Array(size * size)
    for (let i = 0; i < n; i++) {
      const weighted = this.residuals[i] * precision
      for (let a = 0; a < columns; a++) gradient[a] += rows[i * columns + a] * weighted
    }
    for (let a = 0; a < columns; a++) {
      // d²/dθdu of the likelihood is −2 times its gradient in θ.
      curvature[a * size + columns] = curvature[columns * size + a] = 2 * gradient[a]
      for (let b = 0; b < columns; b++) curvature[a * size + b] = this.gram[a * columns + b] * precision
      if (this.isSlopeChange(a)) {
        gradient[a] -= Math.sign(params[a]) / LAPLACE_SCALE
        curvature[a * size + a] += kinkCurvature(params[a])
      } else {
        gradient[a] -= this.priorPrecision[a] * params[a]
        curvature[a * size + a] += this.priorPrecision[a]
      }
    }
    const noisePrior = 1 / (precision * PRIOR_SD_NOISE ** 2)
    gradient[columns] = error * precision - n - noisePrior
    curvature[columns * size + columns] = 2 * error * precision + 2 * noisePrior
    return { gradient, curvature }
  }
}

/** Negated second derivative of the Laplace prior as a four-point difference sees it: zero away from the kink. */
function kinkCurvature(value: number): number {
  let sum = 0
  for (const [steps, weight] of DIFFERENCE) sum += weight * Math.sign(value + steps * CURVATURE_STEP)
  return sum / (CURVATURE_STEP * LAPLACE_SCALE)
}
