import type { ArimaModel } from './arima/arima-model.js'
import { selectArima } from './arima/select-order.js'
import { IdleSkippingForecaster } from './idle-skip.js'

const MIN_POINTS = 5
/** Steps of a refit when a point has been added. */
const REFIT_ITERATIONS = 5

export interface ArimaOptions {
  /** Fit ln(1 + y). A plain fit that finds no lags at all changes to it by itself. */
  readonly log1p: boolean
}

/**
 * ARIMA whose order is chosen once, from the first five points (or when the series stops being constant), and whose coefficients are
 * refitted a few steps after every point. Below five points, or when no model can be fitted, the last value. Never negative.
 */
export class ArimaForecaster extends IdleSkippingForecaster {
  readonly minPoints: number = MIN_POINTS
  private readonly raw: number[] = []
  private data: number[] = []
  private model: ArimaModel | null = null
  private fittedPoints = 0
  private log1p: boolean

  constructor(private readonly options: ArimaOptions) {
    super()
    this.log1p = options.log1p
  }

  protected accept(value: number): void {
    const point = Math.max(0, value)
    this.raw.push(point)
    this.data.push(this.log1p ? Math.log1p(point) : point)
  }

  predictNext(): number {
    if (this.raw.length < MIN_POINTS) return this.lastValue
    if (this.raw.every((value) => value === this.raw[0])) return this.raw[0]
    if (this.model === null) this.choose()
    else if (this.fittedPoints < this.data.length) this.model.refit(this.data, REFIT_ITERATIONS)
    this.fittedPoints = this.data.length
    if (this.model === null) return Math.max(0, this.lastValue)
    const forecast = this.model.forecast(this.data)
    const value = this.log1p ? Math.expm1(forecast) : forecast
    return Number.isFinite(value) ? Math.max(0, value) : Math.max(0, this.lastValue)
  }

  private choose(): void {
    this.model = selectArima(this.data)
    const collapsed = this.model !== null && this.model.order.p === 0 && this.model.order.q === 0
    if (!collapsed || this.options.log1p) return
    const logged = this.raw.map((value) => Math.log1p(value))
    const model = selectArima(logged)
    if (model === null) return
    this.log1p = true
    this.data = logged
    this.model = model
  }
}
