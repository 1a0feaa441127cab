import type { ArimaOrder, ArimaParams } from './arima-order.js'

const LOG_TWO_PI = Math.log(2 * Math.PI)
/** Prior variance of the undifferenced levels. */
const DIFFUSE_VARIANCE = 1e6

/** Result of one pass of the filter. */
export interface FilterResult {
  readonly logLikelihood: number
  /** Forecast of the value after the last. */
  readonly next: number
}

/**
 * Exact Gaussian likelihood of an ARIMA model by the Kalman filter (Harvey 1989, §3.4): d level states, then r = max(p, q + 1)
 * ARMA states started at their stationary distribution. The first d observations do not count in the likelihood.
 * The matrices are allocated once per (order, length) and refilled.
 */
export class ArimaFilter {
  private readonly size: number
  private readonly r: number
  private readonly transition: Float64Array
  private readonly noise: Float64Array
  private state: Float64Array
  private nextState: Float64Array
  private readonly covariance: Float64Array
  private readonly work: Float64Array
  private readonly gain: Float64Array

  constructor(private readonly order: ArimaOrder) {
    this.r = Math.max(order.p, order.q + 1)
    this.size = order.d + this.r
    const s = this.size
    this.transition = new Float64Array(s * s)
    this.noise = new Float64Array(s * s)
    this.state = new Float64Array(s)
    this.nextState = new Float64Array(s)
    this.covariance = new Float64Array(s * s)
    this.work = new Float64Array(s * s)
    this.gain = new Float64Array(s)
  }

  /** logLikelihood is −∞ where the model degenerates. */
  run(series: ArrayLike<number>, params: ArimaParams): FilterResult {
    const { d } = this.order
    const s = this.size
    if (!this.prepare(params)) return { logLikelihood: Number.NEGATIVE_INFINITY, next: Number.NaN }
    let logLikelihood = 0
    for (let t = 0; t < series.length; t++) {
      // Z has ones at the d levels and at the first ARMA state.
      let mean = 0
      let variance = 0
      for (let i = 0; i <= d; i++) mean += this.state[i]
      for (let i = 0; i < s; i++) {
        let sum = 0
        for (let j = 0; j <= d; j++) sum += this.covariance[i * s + j]
        this.gain[i] = sum
      }
      for (let i = 0; i <= d; i++) variance += this.gain[i]
      if (!(variance > 0)) return { logLikelihood: Number.NEGATIVE_INFINITY, next: Number.NaN }
      const surprise = series[t] - mean
      if (t >= d) logLikelihood -= 0.5 * (LOG_TWO_PI + Math.log(variance) + (surprise * surprise) / variance)
      this.advance(surprise, variance, params.intercept)
    }
    let next = 0
    for (let i = 0; i <= d; i++) next += this.state[i]
    return { logLikelihood, next }
  }

  private advance(surprise: number, variance: number, intercept: number): void {
    const s = this.size
    const { state, nextState, covariance, work, gain, transition } = this
    for (let i = 0; i < s; i++) state[i] += (gain[i] * surprise) / variance
    for (let i = 0; i < s; i++) for (let j = 0; j < s; j++) covariance[i * s + j] -= (gain[i] * gain[j]) / variance
    for (let i = 0; i < s; i++) {
      let sum = 0
      for (let j = 0; j < s; j++) sum += transition[i * s + j] * state[j]
      nextState[i] = sum
      for (let j = 0; j < s; j++) {
        let product = 0
        for (let k = 0; k < s; k++) product += transition[i * s + k] * covariance[k * s + j]
        work[i * s + j] = product
      }
    }
    nextState[this.order.d] += intercept
    for (let i = 0; i < s; i++) {
      for (let j = 0; j <= i; j++) {
        let product = this.noise[i * s + j]
        for (let k = 0; k < s; k++) product += work[i * s + k] * transition[j * s + k]
        covariance[i * s + j] = covariance[j * s + i] = product
      }
    }
    this.state = nextState
    this.nextState = state
  }

  /** Fills the matrices and the starting distribution; false when the ARMA part has none. */
  private prepare({ intercept, ar, ma, variance }: ArimaParams): boolean {
    const { d } = this.order
    const { size: s, r, transition } = this
    transition.fill(0)
    for (let i = 0; i < d; i++) for (let j = i; j <= d; j++) transition[i * s + j] = 1
    for (let i = 0; i < r; i++) {
      if (i < ar.length) transition[(d + i) * s + d] = ar[i]
      if (i + 1 < r) transition[(d + i) * s + d + i + 1] = 1
    }
    const loading = (i: number): number => (i === 0 ? 1 : i <= ma.length ? ma[i - 1] : 0)
    this.noise.fill(0)
    for (let i = 0; i < r; i++) {
      for (let j = 0; j < r; j++) this.noise[(d + i) * s + d + j] = loading(i) * loading(j) * variance
    }
    this.state.fill(0)
    this.covariance.fill(0)
    for (let i = 0; i < d; i++) this.covariance[i * s + i] = DIFFUSE_VARIANCE
    return this.startStationary(intercept, ar)
  }

  /** Mean (I − T)⁻¹c and covariance P = T·P·Tᵀ + RQRᵀ of the ARMA states. */
  private startStationary(intercept: number, ar: Float64Array): boolean {
    const { d } = this.order
    const { size: s, r } = this
    const root = 1 - ar.reduce((sum, value) => sum + value, 0)
    const level = intercept === 0 ? 0 : intercept / root
    if (!Number.isFinite(level)) return false
    this.state[d] = level
    let tail = 0
    for (let i = r - 1; i >= 1; i--) {
      tail += (i < ar.length ? ar[i] : 0) * level
      this.state[d + i] = tail
    }
    const pairs: [number, number][] = []
    const indexOf = new Map<number, number>()
    for (let i = 0; i < r; i++) {
      for (let j = 0; j <= i; j++) {
        indexOf.set(i * r + j, pairs.length)
        pairs.push([i, j])
      }
    }
    const m = pairs.length
    const rows = pairs.map(([i, j], row) => {
      const equation = new Float64Array(m + 1)
      equation[row] = 1
      equation[m] = this.noise[(d + i) * s + d + j]
      for (let a = 0; a < r; a++) {
        const left = this.transition[(d + i) * s + d + a]
        if (left === 0) continue
        for (let b = 0; b < r; b++) {
          const right = this.transition[(d + j) * s + d + b]
          if (right !== 0) equation[indexOf.get(Math.max(a, b) * r + Math.min(a, b)) ?? 0] -= left * right
        }
      }
      return equation
    })
    const solution = eliminate(rows, m)
    if (solution === null) return false
    pairs.forEach(([i, j], k) => {
      this.covariance[(d + i) * s + d + j] = this.covariance[(d + j) * s + d + i] = solution[k]
    })
    return true
  }
}

function eliminate(rows: Float64Array[], m: number): Float64Array | null {
  for (let column = 0; column < m; column++) {
    let pivot = column
    for (let i = column + 1; i < m; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i
    if (!(Math.abs(rows[pivot][column]) > 0)) return null
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let i = column + 1; i < m; i++) {
      const factor = rows[i][column] / rows[column][column]
      if (factor === 0) continue
      for (let j = column; j <= m; j++) rows[i][j] -= factor * rows[column][j]
    }
  }
  const x = new Float64Array(m)
  for (let i = m - 1; i >= 0; i--) {
    let value = rows[i][m]
    for (let j = i + 1; j < m; j++) value -= rows[i][j] * x[j]
    x[i] = value / rows[i][i]
  }
  return x
}
