import { IdleSkippingForecaster } from './idle-skip.js'
import { trendDesign } from './prophet/trend-design.js'
import { fitTrend } from './prophet/trend-fit.js'

const MIN_POINTS = 5

export interface ProphetOptions {
  /** Points kept. */
  readonly windowSize: number
  readonly intervalSeconds: number
  /** Fit ln(1 + y). */
  readonly log1p: boolean
}

/**
 * Piecewise linear trend with up to 25 changes of slope, refitted to the last points at every forecast; with seasons once the window
 * spans two of them. Below five points the last value. Never negative.
 */
export class ProphetForecaster extends IdleSkippingForecaster {
  readonly minPoints: number = MIN_POINTS
  private readonly points: number[] = []
  private accepted = 0

  constructor(private readonly options: ProphetOptions) {
    super()
  }

  protected accept(value: number): void {
    this.accepted++
    this.points.push(this.options.log1p ? Math.log1p(Math.max(0, value)) : value)
    if (this.points.length > this.options.windowSize) this.points.shift()
  }

  predictNext(): number {
    const n = this.points.length
    if (n < MIN_POINTS) return this.lastValue
    const forecast = this.points.every((value) => value === this.points[0]) ? this.points[0] : this.extrapolate(n)
    return Math.max(0, this.options.log1p ? Math.expm1(forecast) : forecast)
  }

  private extrapolate(n: number): number {
    const scale = this.points.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const design = trendDesign(n, this.accepted - n, this.options.intervalSeconds)
    const coefficients = fitTrend(
      design,
      Float64Array.from(this.points, (value) => value / scale),
    )
    return coefficients.reduce((sum, value, i) => sum + value * design.nextRow[i], 0) * scale
  }
}
