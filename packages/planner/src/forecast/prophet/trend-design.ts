const CHANGEPOINTS = 25
/** Share of the history in which the slope may change. */
const CHANGEPOINT_RANGE = 0.8
const SECONDS_PER_DAY = 86_400
/** 2024-01-01 in days since 1970-01-01: the first point's date. */
const ORIGIN_DAYS = 19_723

/** A periodic part: enabled when the history covers two periods (daily, weekly) or two years. */
interface Seasonality {
  readonly periodDays: number
  readonly order: number
  readonly minHistoryDays: number
}
const SEASONALITIES: readonly Seasonality[] = [
  { periodDays: 365.25, order: 10, minHistoryDays: 730 },
  { periodDays: 7, order: 3, minHistoryDays: 14 },
  { periodDays: 1, order: 4, minHistoryDays: 2 },
]

/** Linear model of a history: y ≈ k·t + m + Σ δⱼ·max(0, t − cⱼ) + Σ β·fourier, with t from 0 (first point) to 1 (last). */
export interface TrendDesign {
  /** Points. */
  readonly n: number
  /** Columns: k, m, then `changepoints` δ, then Fourier terms. */
  readonly columns: number
  readonly changepoints: number
  /** n × columns, row-major. */
  readonly rows: Float64Array
  /** Row of the next point. */
  readonly nextRow: Float64Array
}

/** Rounds halves to the even neighbour. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** Changepoints on the t axis: up to 25, evenly spread over the first 80 % of the history. */
function changepointTimes(n: number): number[] {
  const history = Math.floor(CHANGEPOINT_RANGE * n)
  const count = CHANGEPOINTS + 1 > history ? history - 1 : CHANGEPOINTS
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => roundHalfEven(((i + 1) * (history - 1)) / count) / (n - 1),
  )
}

/**
 * @param n points of the history, at least 2
 * @param firstIndex index of the first point on the unbroken time axis
 * @param intervalSeconds between points
 */
export function trendDesign(n: number, firstIndex: number, intervalSeconds: number): TrendDesign {
  const breaks = changepointTimes(n)
  const spanDays = ((n - 1) * intervalSeconds) / SECONDS_PER_DAY
  const seasons = SEASONALITIES.filter(
    (s) => spanDays >= s.minHistoryDays && intervalSeconds < s.periodDays * SECONDS_PER_DAY,
  )
  const columns = 2 + breaks.length + seasons.reduce((sum, season) => sum + 2 * season.order, 0)
  const fill = (row: Float64Array, index: number): void => {
    const t = index / (n - 1)
    let column = 0
    row[column++] = t
    row[column++] = 1
    for (const c of breaks) row[column++] = Math.max(0, t - c)
    const days = ORIGIN_DAYS + ((firstIndex + index) * intervalSeconds) / SECONDS_PER_DAY
    for (const { periodDays, order } of seasons) {
      for (let harmonic = 1; harmonic <= order; harmonic++) {
        const angle = (2 * Math.PI * harmonic * days) / periodDays
        row[column++] = Math.sin(angle)
        row[column++] = Math.cos(angle)
      }
    }
  }
  const rows = new Float64Array(n * columns)
  for (let i = 0; i < n; i++) fill(rows.subarray(i * columns, (i + 1) * columns), i)
  const nextRow = new Float64Array(columns)
  fill(nextRow, n)
  return { n, columns, changepoints: breaks.length, rows, nextRow }
}
