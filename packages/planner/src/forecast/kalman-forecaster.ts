import { IdleSkippingForecaster } from './idle-skip.js'

/** Prior variance of level and trend. */
const PRIOR_VARIANCE = 1000
const MIN_R = 1e-9
const MIN_Q = 1e-12

export interface KalmanOptions {
  readonly qLevel: number
  readonly qTrend: number
  readonly r: number
  readonly minPoints: number
  /** Filter ln(1 + y); forecasts are then never negative. */
  readonly log1p: boolean
}

/**
 * Local linear trend by a Kalman filter. State x = (level, trend), F = [[1, 1], [0, 1]], H = (1, 0), Q = diag(qLevel, qTrend), R = r,
 * P₀ = 1000·I. The first kept point sets the level. A forecast advances the filter by one step, once, until the next point.
 */
export class KalmanForecaster extends IdleSkippingForecaster {
  readonly minPoints: number
  private readonly options: KalmanOptions
  private level = 0
  private trend = 0
  /** Covariance, p01 = p10. */
  private p00 = PRIOR_VARIANCE
  private p01 = 0
  private p11 = PRIOR_VARIANCE
  private started = false
  private advanced = false

  constructor(options: KalmanOptions) {
    super()
    this.options = options
    this.minPoints = options.minPoints
  }

  protected accept(value: number): void {
    const z = this.options.log1p ? Math.log1p(Math.max(0, value)) : value
    if (!this.started) {
      this.started = true
      this.level = z
      return
    }
    if (!this.advanced) this.advance()
    this.advanced = false
    this.update(z)
  }

  predictNext(): number {
    if (!this.started) return this.lastValue
    if (!this.advanced) this.advance()
    this.advanced = true
    return this.options.log1p ? Math.max(0, Math.expm1(this.level)) : this.level
  }

  private advance(): void {
    this.level += this.trend
    const p00 = this.p00 + this.p01 + (this.p01 + this.p11)
    const p01 = this.p01 + this.p11
    this.p00 = p00 + Math.max(MIN_Q, this.options.qLevel)
    this.p01 = p01
    this.p11 += Math.max(MIN_Q, this.options.qTrend)
  }

  /** Joseph form: (I − KH) P (I − KH)ᵀ + K R Kᵀ. */
  private update(z: number): void {
    const r = Math.max(MIN_R, this.options.r)
    const s = this.p00 + r
    const k0 = this.p00 / s
    const k1 = this.p01 / s
    const residual = z - this.level
    this.level += k0 * residual
    this.trend += k1 * residual
    const a = 1 - k0
    const p00 = a * a * this.p00 + k0 * k0 * r
    const p01 = a * (this.p01 - k1 * this.p00) + k0 * k1 * r
    const p11 = this.p11 - k1 * this.p01 - k1 * (this.p01 - k1 * this.p00) + k1 * k1 * r
    this.p00 = p00
    this.p01 = p01
    this.p11 = p11
  }
}
