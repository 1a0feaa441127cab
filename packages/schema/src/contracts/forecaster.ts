/** One-step-ahead predictor of a series of window totals or means. */
export interface Forecaster {
  /** Points before which `predictNext` can only echo the last value. */
  readonly minPoints: number
  add(value: number): void
  /** Forecast of the next value; 0 before the first point. */
  predictNext(): number
}
