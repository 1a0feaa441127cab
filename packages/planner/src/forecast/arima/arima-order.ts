/** ARIMA(p, d, q), with or without a constant. */
export interface ArimaOrder {
  readonly p: number
  readonly d: number
  readonly q: number
  readonly intercept: boolean
}

/** Constrained parameters, in the order the optimiser sees them. */
export interface ArimaParams {
  readonly intercept: number
  readonly ar: Float64Array
  readonly ma: Float64Array
  readonly variance: number
}

export function parameterCount(order: ArimaOrder): number {
  return (order.intercept ? 1 : 0) + order.p + order.q + 1
}
