import type { WorkloadConfig } from '../config/workload.js'

type Load = Pick<WorkloadConfig, 'concurrency' | 'request_rate' | 'num_request_ratio'>

/**
 * Requests of a synthetic run: ratio times load, rounded half to even, at least 1. The load is `concurrency` where the
 * candidate's own is known (KV load), else the configured concurrency, else the rate in requests per second. Undefined
 * where ratio or load is not set, as for traces.
 */
export function resolveRequestCount(workload: Load, concurrency?: number): number | undefined {
  const load = concurrency ?? workload.concurrency ?? workload.request_rate
  if (load === null || workload.num_request_ratio === null) return undefined
  return Math.max(1, roundHalfEven(workload.num_request_ratio * load))
}

/** Milliseconds between synthetic arrivals: 1000 / rate, or 1 without a rate. */
export function resolveArrivalIntervalMs(workload: Pick<WorkloadConfig, 'request_rate'>): number {
  return workload.request_rate === null ? 1 : 1000 / workload.request_rate
}

function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1
  return below % 2 === 0 ? below : below + 1
}
