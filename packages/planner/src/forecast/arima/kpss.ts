/** Critical values of the level test and their p-values. */
const STATISTIC = [0.347, 0.463, 0.574, 0.739]
const P_VALUE = [0.1, 0.05, 0.025, 0.01]
const ALPHA = 0.05
const MAX_DIFFERENCES = 2

export function isConstant(series: readonly number[]): boolean {
  return series.every((value) => value === series[0])
}

export function difference(series: readonly number[]): number[] {
  return series.slice(1).map((value, i) => value - series[i])
}

/**
 * p-value of the KPSS test that a series is stationary around a level (Kwiatkowski et al. 1992), truncated lag 4·(n/100)^¼,
 * interpolated between 0.01 and 0.1; NaN when the residual variance is zero.
 */
export function kpssPValue(series: readonly number[]): number {
  const n = series.length
  const mean = series.reduce((sum, value) => sum + value, 0) / n
  const residuals = series.map((value) => value - mean)
  let cumulative = 0
  let eta = 0
  for (const residual of residuals) {
    cumulative += residual
    eta += cumulative * cumulative
  }
  eta /= n * n
  let variance = residuals.reduce((sum, residual) => sum + residual * residual, 0) / n
  const lags = Math.trunc(4 * (n / 100) ** 0.25)
  let autocovariance = 0
  for (let lag = 1; lag <= lags; lag++) {
    let sum = 0
    for (let i = lag; i < n; i++) sum += residuals[i] * residuals[i - lag]
    autocovariance += sum * (1 - lag / (lags + 1))
  }
  variance += (2 * autocovariance) / n
  return interpolate(eta / variance)
}

function interpolate(statistic: number): number {
  if (Number.isNaN(statistic)) return Number.NaN
  const last = STATISTIC.length - 1
  if (statistic <= STATISTIC[0]) return P_VALUE[0]
  if (statistic >= STATISTIC[last]) return P_VALUE[last]
  let i = 0
  while (statistic > STATISTIC[i + 1]) i++
  const share = (statistic - STATISTIC[i]) / (STATISTIC[i + 1] - STATISTIC[i])
  return P_VALUE[i] + share * (P_VALUE[i + 1] - P_VALUE[i])
}

/** Differences, 0 to 2, until the KPSS test no longer rejects a level at 5 %. */
export function differencingOrder(series: readonly number[]): number {
  let current = [...series]
  if (isConstant(current)) return 0
  let pValue = kpssPValue(current)
  if (Number.isNaN(pValue)) return 0
  let order = 0
  while (pValue < ALPHA && order < MAX_DIFFERENCES) {
    order++
    current = difference(current)
    if (isConstant(current)) return order
    pValue = kpssPValue(current)
    if (Number.isNaN(pValue)) return order - 1
  }
  return order
}
