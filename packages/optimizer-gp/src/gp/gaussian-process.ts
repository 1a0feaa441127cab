import { choleskyInPlace, invertLower } from '../linalg/cholesky.js'
import { lowerTimesBlockNorms, lowerTimesVector, lowerTransposeTimesVector } from '../linalg/triangular-product.js'
import { type Hyperparameters, type KernelLayout, WIDE_FACTOR, wideShare } from './matern.js'
import type { Posterior } from './posterior.js'

const SQRT5 = Math.sqrt(5)
const INVERSE_WIDE = 1 / WIDE_FACTOR
const BLOCK = 32

/**
 * Zero-mean Gaussian process with a two-scale Matérn-5/2 kernel, ARD over numbers and a Hamming term per category, conditioned
 * on points by the inverse Cholesky factor W = L⁻¹. A point is appended in O(n²); means cost O(n d), variances O(n²/2)
 * and are computed for blocks of points. Variances are those of the noise-free function.
 */
export class GaussianProcess implements Posterior {
  readonly layout: KernelLayout
  readonly theta: Hyperparameters
  private readonly signal: number
  private readonly noise: number
  private readonly share: number
  private readonly inverseScales: Float64Array
  private readonly numericCount: number
  private readonly dimensions: number
  private capacity: number
  private count = 0
  /** Scaled points: numbers over their length scale, then category codes. */
  private rows: Float64Array
  private values: Float64Array
  private inverseFactor: Float64Array
  private readonly alpha: Float64Array
  private whitened: Float64Array
  private readonly scratch: Float64Array
  private readonly crossBlock: Float64Array
  private readonly scaledBlock: Float64Array

  /** @param spare how many points may be appended later */
  constructor(
    points: readonly Float64Array[],
    values: ArrayLike<number>,
    layout: KernelLayout,
    theta: Hyperparameters,
    spare: number,
  ) {
    this.layout = layout
    this.theta = theta
    this.numericCount = layout.numeric.length
    this.dimensions = this.numericCount + layout.categorical.length
    this.signal = Math.exp(theta[this.dimensions]!)
    this.share = wideShare(theta[this.dimensions + 2]!)
    this.noise = Math.max(Math.exp(theta[this.dimensions + 1]!), this.signal * 1e-10)
    this.inverseScales = Float64Array.from({ length: this.dimensions }, (_, d) => Math.exp(-theta[d]!))
    this.capacity = points.length + spare
    const c = this.capacity
    this.rows = new Float64Array(c * this.dimensions)
    this.values = new Float64Array(c)
    this.inverseFactor = new Float64Array(c * c)
    this.alpha = new Float64Array(c)
    this.whitened = new Float64Array(c)
    this.scratch = new Float64Array(c)
    this.crossBlock = new Float64Array(BLOCK * c)
    this.scaledBlock = new Float64Array(BLOCK * this.dimensions)
    this.condition(points, values)
  }

  /** Number of points conditioned on. */
  get size(): number {
    return this.count
  }

  get signalVariance(): number {
    return this.signal
  }

  get noiseVariance(): number {
    return this.noise
  }

  private condition(points: readonly Float64Array[], values: ArrayLike<number>): void {
    const n = points.length
    const c = this.capacity
    for (let i = 0; i < n; i++) {
      this.scaleInto(points[i]!, this.rows, i * this.dimensions)
      this.values[i] = values[i]!
    }
    const factor = new Float64Array(n * c)
    for (let jitter = 0; ; jitter = jitter === 0 ? 1e-9 : jitter * 10) {
      for (let i = 0; i < n; i++) {
        this.covariances(this.rows, i * this.dimensions, factor, i * c, i)
        factor[i * c + i] = this.signal * (1 + jitter) + this.noise
      }
      if (choleskyInPlace(factor, n, c, this.signal * 1e-14)) break
    }
    invertLower(factor, this.inverseFactor, n, c)
    this.count = n
    this.refreshAlpha()
  }

  private refreshAlpha(): void {
    lowerTimesVector(this.inverseFactor, this.count, this.capacity, this.values, 0, this.whitened)
    lowerTransposeTimesVector(this.inverseFactor, this.count, this.capacity, this.whitened, this.alpha)
  }

  private scaleInto(point: Float64Array, into: Float64Array, at: number): void {
    const { numeric, categorical } = this.layout
    for (let d = 0; d < numeric.length; d++) into[at + d] = point[numeric[d]!]! * this.inverseScales[d]!
    for (let k = 0; k < categorical.length; k++) into[at + numeric.length + k] = point[categorical[k]!]!
  }

  /** Covariances of one scaled point with the first `n` points. */
  private covariances(scaled: Float64Array, at: number, into: Float64Array, offset: number, n: number): void {
    const { rows, dimensions, numericCount, inverseScales, signal } = this
    const narrow = signal * (1 - this.share)
    const wide = signal * this.share
    for (let i = 0, p = 0; i < n; i++) {
      let r2 = 0
      let d = 0
      for (; d < numericCount; d++) {
        const delta = scaled[at + d]! - rows[p++]!
        r2 += delta * delta
      }
      for (; d < dimensions; d++) if (scaled[at + d] !== rows[p++]) r2 += inverseScales[d]! * inverseScales[d]!
      const s = SQRT5 * Math.sqrt(r2)
      const t = s * INVERSE_WIDE
      const f = Math.exp(-t)
      into[offset + i] = narrow * (1 + s + (s * s) / 3) * (f * f * f * f * f) + wide * (1 + t + (t * t) / 3) * f
    }
  }

  /** Conditions on one more point, O(n²). */
  append(point: Float64Array, value: number): void {
    const { count: n, capacity: c, dimensions, inverseFactor } = this
    if (n >= c) this.grow()
    this.scaleInto(point, this.rows, n * dimensions)
    const k = this.crossBlock
    this.covariances(this.rows, n * dimensions, k, 0, n)
    lowerTimesVector(inverseFactor, n, c, k, 0, this.scratch)
    let rest = this.signal + this.noise
    for (let i = 0; i < n; i++) rest -= this.scratch[i]! * this.scratch[i]!
    const pivot = Math.sqrt(Math.max(rest, this.noise, this.signal * 1e-10))
    const row = n * c
    for (let j = 0; j < n; j++) inverseFactor[row + j] = 0
    for (let i = 0; i < n; i++) {
      const f = this.scratch[i]! / pivot
      for (let j = 0; j <= i; j++) inverseFactor[row + j]! -= f * inverseFactor[i * c + j]!
    }
    inverseFactor[row + n] = 1 / pivot
    this.values[n] = value
    this.count = n + 1
    let z = 0
    for (let j = 0; j <= n; j++) z += inverseFactor[row + j]! * this.values[j]!
    this.whitened[n] = z
    this.alpha[n] = 0
    for (let j = 0; j <= n; j++) this.alpha[j]! += z * inverseFactor[row + j]!
  }

  private grow(): never {
    throw new RangeError('no spare room for another point')
  }

  /** Posterior means, and variances when `variances` is given, of `count` points. */
  predict(points: readonly Float64Array[], means: Float64Array, variances?: Float64Array): void {
    const { count: n, capacity: c, dimensions, crossBlock, scaledBlock, alpha } = this
    for (let from = 0; from < points.length; from += BLOCK) {
      const size = Math.min(BLOCK, points.length - from)
      for (let b = 0; b < size; b++) {
        this.scaleInto(points[from + b]!, scaledBlock, b * dimensions)
        this.covariances(scaledBlock, b * dimensions, crossBlock, b * c, n)
        let mean = 0
        for (let i = 0, at = b * c; i < n; i++) mean += alpha[i]! * crossBlock[at + i]!
        means[from + b] = mean
      }
      if (variances === undefined) continue
      const out = variances.subarray(from, from + size)
      lowerTimesBlockNorms(this.inverseFactor, n, c, crossBlock, c, size, out)
      for (let b = 0; b < size; b++) out[b] = Math.max(this.signal - out[b]!, this.signal * 1e-10)
    }
  }

  /**
   * Posterior mean at one point with its derivatives by the numeric coordinates, in the layout's order, and, when
   * `variance` is given, the variance in `variance[0]` with its derivatives. Returns the mean.
   */
  predictGradient(
    point: Float64Array,
    meanGradient: Float64Array,
    varianceGradient: Float64Array,
    variance: Float64Array | undefined,
  ): number {
    const {
      count: n,
      capacity: c,
      dimensions,
      numericCount,
      inverseScales,
      rows,
      crossBlock,
      scaledBlock,
      alpha,
    } = this
    const { scratch, inverseFactor } = this
    this.scaleInto(point, scaledBlock, 0)
    this.covariances(scaledBlock, 0, crossBlock, 0, n)
    let mean = 0
    for (let i = 0; i < n; i++) mean += alpha[i]! * crossBlock[i]!
    const beta = crossBlock.subarray(c, 2 * c)
    meanGradient.fill(0)
    if (variance === undefined) beta.fill(0, 0, n)
    else {
      lowerTimesVector(inverseFactor, n, c, crossBlock, 0, scratch)
      let explained = 0
      for (let i = 0; i < n; i++) explained += scratch[i]! * scratch[i]!
      lowerTransposeTimesVector(inverseFactor, n, c, scratch, beta)
      varianceGradient.fill(0)
      variance[0] = Math.max(this.signal - explained, this.signal * 1e-10)
    }
    const narrow = this.signal * (1 - this.share)
    const wide = this.signal * this.share * INVERSE_WIDE * INVERSE_WIDE
    for (let i = 0; i < n; i++) {
      const at = i * dimensions
      let r2 = 0
      let d = 0
      for (; d < numericCount; d++) {
        const delta = scaledBlock[d]! - rows[at + d]!
        r2 += delta * delta
      }
      for (; d < dimensions; d++) if (scaledBlock[d] !== rows[at + d]) r2 += inverseScales[d]! * inverseScales[d]!
      const s = SQRT5 * Math.sqrt(r2)
      const t = s * INVERSE_WIDE
      const f = Math.exp(-t)
      const slope = (-5 / 3) * ((1 + s) * narrow * (f * f * f * f * f) + (1 + t) * wide * f)
      const a = alpha[i]! * slope
      const v = -2 * beta[i]! * slope
      for (d = 0; d < numericCount; d++) {
        const delta = scaledBlock[d]! - rows[at + d]!
        meanGradient[d]! += a * delta
        if (variance !== undefined) varianceGradient[d]! += v * delta
      }
    }
    for (let d = 0; d < numericCount; d++) {
      meanGradient[d]! *= inverseScales[d]!
      if (variance !== undefined) varianceGradient[d]! *= inverseScales[d]!
    }
    return mean
  }
}
