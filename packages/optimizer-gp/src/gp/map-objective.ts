import { choleskyInPlace, gramOfLower, invertLower } from '../linalg/cholesky.js'
import { type Hyperparameters, type KernelLayout, WIDE_FACTOR, wideShare } from './matern.js'

const SQRT5 = Math.sqrt(5)
const INVERSE_WIDE = 1 / WIDE_FACTOR

/** Independent normal priors on the logarithms of the hyper-parameters, in their order. */
export interface HyperPrior {
  readonly mean: Float64Array
  readonly sd: Float64Array
}

/**
 * Negative log posterior density of the hyper-parameters given points and (standardised) values, without constants,
 * and its analytic gradient 1/2 tr((K⁻¹ − αα^T) dK).
 */
export class MapObjective {
  readonly n: number
  readonly dimensions: number
  private readonly y: Float64Array
  private readonly prior: HyperPrior
  /** Squared differences (0 or 1 for categories) of each pair, pairs ordered by row. */
  private readonly differences: Float64Array
  private readonly factor: Float64Array
  private readonly inverse: Float64Array
  private readonly slopes: Float64Array
  private readonly contrasts: Float64Array
  private readonly alpha: Float64Array
  private readonly weights: Float64Array

  constructor(points: readonly Float64Array[], y: Float64Array, layout: KernelLayout, prior: HyperPrior) {
    const n = points.length
    const numeric = layout.numeric.length
    const dimensions = numeric + layout.categorical.length
    this.n = n
    this.dimensions = dimensions
    this.y = y
    this.prior = prior
    this.differences = new Float64Array(((n * (n - 1)) / 2) * dimensions)
    this.factor = new Float64Array(n * n)
    this.inverse = new Float64Array(n * n)
    this.slopes = new Float64Array((n * (n - 1)) / 2)
    this.contrasts = new Float64Array((n * (n - 1)) / 2)
    this.alpha = new Float64Array(n)
    this.weights = new Float64Array(dimensions)
    let at = 0
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        for (const d of layout.numeric) this.differences[at++] = (points[i]![d]! - points[j]![d]!) ** 2
        for (const d of layout.categorical) this.differences[at++] = points[i]![d] === points[j]![d] ? 0 : 1
      }
    }
  }

  /** Prior part of the value. */
  penalty(theta: Hyperparameters): number {
    let value = 0
    for (let p = 0; p < theta.length; p++) value += 0.5 * ((theta[p]! - this.prior.mean[p]!) / this.prior.sd[p]!) ** 2
    return value
  }

  /** Value at `theta`; fills `gradient`. `Infinity` where the covariance cannot be factored. */
  evaluate(theta: Hyperparameters, gradient: Float64Array): number {
    const { n, dimensions, differences, weights, factor, slopes, contrasts, alpha } = this
    for (let d = 0; d < dimensions; d++) weights[d] = Math.exp(-2 * theta[d]!)
    const signal = Math.exp(theta[dimensions]!)
    const noise = Math.exp(theta[dimensions + 1]!)
    const share = wideShare(theta[dimensions + 2]!)
    const narrow = signal * (1 - share)
    const wide = signal * share
    const mixing = signal * share * (1 - share)
    const diagonal = signal + noise + signal * 1e-10
    for (let i = 0, pair = 0, at = 0; i < n; i++) {
      const row = i * n
      for (let j = 0; j < i; j++, pair++) {
        let r2 = 0
        for (let d = 0; d < dimensions; d++) r2 += weights[d]! * differences[at++]!
        const s = SQRT5 * Math.sqrt(r2)
        const t = s * INVERSE_WIDE
        const f = Math.exp(-t)
        const e = f * f * f * f * f
        const m = (1 + s + (s * s) / 3) * e
        const w = (1 + t + (t * t) / 3) * f
        factor[row + j] = narrow * m + wide * w
        contrasts[pair] = mixing * (w - m)
        slopes[pair] = (5 / 3) * ((1 + s) * e * narrow + (1 + t) * f * wide * INVERSE_WIDE * INVERSE_WIDE)
      }
      factor[row + i] = diagonal
    }
    const kernel = this.inverse
    kernel.set(factor)
    if (!choleskyInPlace(factor, n, n)) return Number.POSITIVE_INFINITY
    let logDeterminant = 0
    for (let i = 0; i < n; i++) logDeterminant += Math.log(factor[i * n + i]!)
    const quadratic = this.solve()
    let value = 0.5 * quadratic + logDeterminant
    gradient.fill(0)
    // Signal variance by K_f = K − noise I: tr(K⁻¹ K_f) = n − noise tr(K⁻¹), α^T K_f α = y^T α − noise |α|².
    invertLower(factor, kernel, n, n)
    gramOfLower(kernel, factor, n, n)
    let trace = 0
    let alphaSquared = 0
    for (let i = 0; i < n; i++) {
      trace += factor[i * n + i]!
      alphaSquared += alpha[i]! * alpha[i]!
    }
    gradient[dimensions] = 0.5 * (n - noise * trace - (quadratic - noise * alphaSquared))
    gradient[dimensions + 1] = 0.5 * noise * (trace - alphaSquared)
    let byShare = 0
    for (let i = 0, pair = 0, at = 0; i < n; i++) {
      const row = i * n
      const ai = alpha[i]!
      for (let j = 0; j < i; j++, pair++) {
        const h = factor[row + j]! - ai * alpha[j]!
        byShare += h * contrasts[pair]!
        const g = h * slopes[pair]!
        for (let d = 0; d < dimensions; d++) gradient[d]! += g * differences[at++]!
      }
    }
    for (let d = 0; d < dimensions; d++) gradient[d]! *= weights[d]!
    gradient[dimensions + 2] = byShare
    const { mean, sd } = this.prior
    for (let p = 0; p < dimensions + 3; p++) {
      const z = (theta[p]! - mean[p]!) / sd[p]!
      value += 0.5 * z * z
      gradient[p]! += z / sd[p]!
    }
    return Number.isFinite(value) ? value : Number.POSITIVE_INFINITY
  }

  /** α = K⁻¹ y by the factor; returns yᵀ α. */
  private solve(): number {
    const { n, factor, alpha, y } = this
    let quadratic = 0
    for (let i = 0; i < n; i++) {
      let s = y[i]!
      for (let j = 0; j < i; j++) s -= factor[i * n + j]! * alpha[j]!
      alpha[i] = s / factor[i * n + i]!
      quadratic += alpha[i]! * alpha[i]!
    }
    for (let i = n - 1; i >= 0; i--) {
      const a = alpha[i]! / factor[i * n + i]!
      alpha[i] = a
      for (let j = 0; j < i; j++) alpha[j]! -= factor[i * n + j]! * a
    }
    return quadratic
  }
}
