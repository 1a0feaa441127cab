import { ArimaFilter } from './arima-likelihood.js'
import { type ArimaOrder, type ArimaParams, parameterCount } from './arima-order.js'
import { minimise } from './minimise.js'
import { startParams } from './start-params.js'
import { constrainStationary, largestInverseRoot, unconstrainStationary } from './stationary-transform.js'

/** A likelihood this bad keeps the optimiser away without breaking its arithmetic. */
const REJECTED = 1e100

/** Free numbers → parameters: lags through partial autocorrelations, the variance as a square. */
function toParams(free: Float64Array, order: ArimaOrder): ArimaParams {
  const offset = order.intercept ? 1 : 0
  const ar = free.subarray(offset, offset + order.p)
  const ma = free.subarray(offset + order.p, offset + order.p + order.q)
  return {
    intercept: order.intercept ? free[0] : 0,
    ar: constrainStationary(ar),
    ma: constrainStationary(ma).map((value) => -value),
    variance: free[free.length - 1] ** 2,
  }
}

function toFree(params: ArimaParams, order: ArimaOrder): Float64Array {
  return Float64Array.from([
    ...(order.intercept ? [params.intercept] : []),
    ...unconstrainStationary(params.ar),
    ...unconstrainStationary(params.ma.map((value) => -value)),
    Math.sqrt(params.variance),
  ])
}

/** An ARIMA model of a fixed order, fitted by exact maximum likelihood and refitted from where it stands. */
export class ArimaModel {
  private readonly filter: ArimaFilter
  private params: ArimaParams

  constructor(
    readonly order: ArimaOrder,
    series: readonly number[],
    maxIterations: number,
  ) {
    this.filter = new ArimaFilter(order)
    this.params = startParams(series, order)
    this.refit(series, maxIterations)
  }

  /** Improves the parameters for a (longer) series by at most `maxIterations` steps. */
  refit(series: readonly number[], maxIterations: number): void {
    const data = Float64Array.from(series)
    const objective = (free: Float64Array): number => {
      const value = -this.filter.run(data, toParams(free, this.order)).logLikelihood / data.length
      return Number.isFinite(value) ? value : REJECTED
    }
    this.params = toParams(minimise(objective, toFree(this.params, this.order), maxIterations), this.order)
  }

  /** Akaike's criterion on a series; +∞ where the likelihood degenerates. */
  aic(series: readonly number[]): number {
    const { logLikelihood } = this.filter.run(series, this.params)
    return Number.isFinite(logLikelihood)
      ? 2 * parameterCount(this.order) - 2 * logLikelihood
      : Number.POSITIVE_INFINITY
  }

  forecast(series: readonly number[]): number {
    return this.filter.run(series, this.params).next
  }

  /** Modulus of the inverse root nearest the unit circle: of the moving average when there is one, else of the lags. */
  get nearestInverseRoot(): number {
    const { ar, ma } = this.params
    return this.order.q > 0 ? largestInverseRoot(ma.map((value) => -value)) : largestInverseRoot(ar)
  }
}
