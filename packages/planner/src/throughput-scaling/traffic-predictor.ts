import type { Forecaster, TrafficWindow } from '@spica/schema/core'

/** Forecast of the next window: requests in it, and their mean prompt and output tokens. */
export interface TrafficForecast {
  readonly requests: number
  readonly isl: number
  readonly osl: number
}

/**
 * Three forecasters over the windows of live traffic. A window without requests repeats the shape of the last one that had some,
 * so that a lull does not teach that prompts have become empty.
 */
export class TrafficPredictor {
  private lastShape: { isl: number; osl: number } | null = null

  /**
   * @param carryMissingShapes also repeat the last shape in windows whose requests have not finished yet; upstream feeds zeros
   */
  constructor(
    private readonly requests: Forecaster,
    private readonly isl: Forecaster,
    private readonly osl: Forecaster,
    private readonly carryMissingShapes: boolean,
  ) {}

  add(window: TrafficWindow): void {
    const silent = window.num_req === 0 || (this.carryMissingShapes && window.shape_count === 0)
    const carried = silent && this.lastShape !== null
    const shape = carried && this.lastShape !== null ? this.lastShape : { isl: window.avg_isl, osl: window.avg_osl }
    if (!silent) this.lastShape = shape
    this.requests.add(window.num_req)
    this.isl.add(shape.isl)
    this.osl.add(shape.osl)
  }

  /** null when a forecast is not a number. */
  predict(): TrafficForecast | null {
    const forecast = { requests: this.requests.predictNext(), isl: this.isl.predictNext(), osl: this.osl.predictNext() }
    return Object.values(forecast).every((value) => Number.isFinite(value)) ? forecast : null
  }
}
