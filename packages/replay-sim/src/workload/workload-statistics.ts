import type { Workload } from './workload.js'

/** Distribution of a length column, tokens. Percentiles are sorted[round((n − 1)·p/100)]. */
export interface LengthStatistics {
  readonly mean: number
  readonly min: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface WorkloadStatistics {
  readonly requests: number
  readonly sessions: number
  /** Time from the first to the last known arrival, ms. */
  readonly spanMs: number
  /** Arrivals a second over the span; null when fewer than two arrivals or no span. */
  readonly ratePerSecond: number | null
  /** Coefficient of variation of the gaps between arrivals: 0 regular, 1 Poisson, above bursty; null when unknown. */
  readonly burstiness: number | null
  readonly inputTokens: LengthStatistics
  readonly outputTokens: LengthStatistics
  readonly totalInputTokens: number
  readonly totalOutputTokens: number
  /** Share of hash-id runs that an unlimited cache would already hold, requests in arrival order; null without hash ids. */
  readonly idealPrefixHitRate: number | null
  /** Distinct prompt runs (hash ids). */
  readonly distinctHashIds: number
}

/** Rate, burstiness, lengths and prefix reuse of a workload. */
export function workloadStatistics(workload: Workload): WorkloadStatistics {
  const arrivals = workload.arrivalMs.filter((time) => !Number.isNaN(time)).sort()
  const spanMs = arrivals.length === 0 ? 0 : arrivals[arrivals.length - 1]! - arrivals[0]!
  let sessions = 0
  for (let request = 0; request < workload.count; request++)
    sessions = Math.max(sessions, workload.session[request]! + 1)
  return {
    requests: workload.count,
    sessions,
    spanMs,
    ratePerSecond: spanMs > 0 ? (arrivals.length - 1) / (spanMs / 1000) : null,
    burstiness: spanMs > 0 && arrivals.length > 2 ? gapVariation(arrivals) : null,
    inputTokens: lengthStatistics(workload.inputTokens),
    outputTokens: lengthStatistics(workload.outputTokens),
    totalInputTokens: sum(workload.inputTokens),
    totalOutputTokens: sum(workload.outputTokens),
    idealPrefixHitRate: idealHitRate(workload),
    distinctHashIds: workload.distinctValues,
  }
}

function gapVariation(sorted: Float64Array): number {
  const gaps = sorted.length - 1
  const mean = (sorted[gaps]! - sorted[0]!) / gaps
  let squares = 0
  for (let index = 0; index < gaps; index++) squares += (sorted[index + 1]! - sorted[index]! - mean) ** 2
  return Math.sqrt(squares / gaps) / mean
}

function sum(column: Int32Array): number {
  let total = 0
  for (let index = 0; index < column.length; index++) total += column[index]!
  return total
}

function lengthStatistics(column: Int32Array): LengthStatistics {
  const sorted = column.slice().sort()
  const last = sorted.length - 1
  const at = (percent: number): number => (last < 0 ? 0 : sorted[Math.floor((last * percent) / 100 + 0.5)]!)
  return {
    mean: last < 0 ? 0 : sum(column) / column.length,
    min: at(0),
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: at(100),
  }
}

/** Leading runs of each prompt that an earlier prompt (or its output) already held, over all runs. */
function idealHitRate(workload: Workload): number | null {
  const { runOffsets, runValue } = workload
  const total = runOffsets[workload.count]!
  if (total === 0) return null
  const seen = new Uint8Array(workload.distinctValues)
  const order = arrivalOrder(workload)
  let hits = 0
  for (let position = 0; position < workload.count; position++) {
    const request = order === null ? position : order[position]!
    let leading = true
    for (let run = runOffsets[request]!; run < runOffsets[request + 1]!; run++) {
      const value = runValue[run]!
      if (leading && (value < 0 || seen[value] === 1)) hits++
      else leading = false
      if (value >= 0) seen[value] = 1
    }
  }
  return hits / total
}

/** Requests by arrival when the file is not already in that order, else null. Later turns keep their place in the file. */
function arrivalOrder(workload: Workload): Uint32Array | null {
  let previous = -Infinity
  for (let request = 0; request < workload.count; request++) {
    const time = workload.arrivalMs[request]!
    if (Number.isNaN(time)) return null
    if (time < previous) {
      const order = Uint32Array.from({ length: workload.count }, (_, index) => index)
      return order.sort((a, b) => workload.arrivalMs[a]! - workload.arrivalMs[b]! || a - b)
    }
    previous = time
  }
  return null
}
