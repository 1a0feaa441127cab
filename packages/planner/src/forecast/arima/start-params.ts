import type { ArimaOrder, ArimaParams } from './arima-order.js'
import { difference } from './kpss.js'
import { leastNormSolve } from './least-norm-solve.js'
import { isStationary } from './stationary-transform.js'

const SMALLEST_VARIANCE = 1e-10

/**
 * Where a fit starts: regression of the differenced series on a constant, its own lags and the lagged residuals of a long autoregression
 * (Hannan and Rissanen 1982). Lags that would not be stationary or invertible start at zero, as does everything when the series is
 * too short.
 */
export function startParams(series: readonly number[], order: ArimaOrder): ArimaParams {
  let data = [...series]
  for (let i = 0; i < order.d; i++) data = difference(data)
  const fit = conditionalSumOfSquares(data, order) ?? shortSeries(data, order)
  const { coefficients, residuals } = fit
  const offset = order.intercept ? 1 : 0
  const ar = Float64Array.from(coefficients.slice(offset, offset + order.p))
  const ma = Float64Array.from(coefficients.slice(offset + order.p))
  const variance =
    coefficients.length === 0
      ? meanSquare(data)
      : residuals.length > Math.max(1, order.q)
        ? meanSquare(residuals.slice(order.q))
        : populationVariance(data)
  return {
    intercept: order.intercept ? coefficients[0] : 0,
    ar: isStationary(ar) ? ar : ar.fill(0),
    ma: isStationary(ma.map((value) => -value)) ? ma : ma.fill(0),
    variance: Math.max(variance, SMALLEST_VARIANCE),
  }
}

interface Regression {
  readonly coefficients: readonly number[]
  readonly residuals: readonly number[]
}

/** null when a lag does not fit into the series. */
function conditionalSumOfSquares(data: readonly number[], { p, q, intercept }: ArimaOrder): Regression | null {
  if (p + q === 0 && !intercept) return { coefficients: [], residuals: [] }
  const k = 2 * q
  const r = Math.max(k + q, p)
  let innovations: readonly number[] = []
  if (q > 0) {
    if (k >= data.length) return null
    innovations = regress(
      Array.from({ length: k }, (_, lag) => data.slice(k - lag - 1, data.length - lag - 1)),
      data.slice(k),
    ).residuals
    if (q >= innovations.length) return null
  }
  if (p > 0 && p >= data.length) return null
  const rows = Math.max(0, data.length - r)
  const columns: number[][] = []
  if (intercept) columns.push(new Array<number>(rows).fill(1))
  for (let lag = 1; lag <= p; lag++) columns.push(Array.from({ length: rows }, (_, i) => data[r + i - lag]))
  for (let lag = 1; lag <= q; lag++) columns.push(Array.from({ length: rows }, (_, i) => innovations[r - k + i - lag]))
  return regress(columns, data.slice(r))
}

function regress(columns: readonly (readonly number[])[], y: readonly number[]): Regression {
  const coefficients = leastNormSolve(columns, y)
  const residuals = y.map(
    (value, i) => value - columns.reduce((sum, column, j) => sum + coefficients[j] * column[i], 0),
  )
  return { coefficients, residuals }
}

function shortSeries(data: readonly number[], { p, q, intercept }: ArimaOrder): Regression {
  const coefficients = new Array<number>((intercept ? 1 : 0) + p + q).fill(0)
  if (data.length === 0) return { coefficients, residuals: new Array<number>(2 * q + 1).fill(1) }
  const mean = data.reduce((sum, value) => sum + value, 0) / data.length
  return { coefficients, residuals: [...new Array<number>(2 * q).fill(0), ...data.map((value) => value - mean)] }
}

function meanSquare(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value * value, 0) / values.length
}

function populationVariance(values: readonly number[]): number {
  if (values.length === 0) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
}
