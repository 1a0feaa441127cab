/**
 * Formats of a request trace: Mooncake JSONL, Mooncake with accumulating turns, and a graph of dependent requests.
 * Other formats are converted first.
 */
export type TraceFormat = 'mooncake' | 'mooncake-delta' | 'agentic_mooncake'

/** A load relative to the KV capacity of a candidate: one ratio, or [min, max] to search it. */
export type KvLoadRatio = number | readonly [number, number]

/**
 * The traffic every candidate is measured with: a recorded trace (`trace_path`), or synthetic requests of one size
 * under exactly one load (`request_rate`, `concurrency` or `kv_load_ratio`). null = not set.
 */
export interface WorkloadConfig {
  /** Prompt tokens of a synthetic request. */
  readonly isl: number | null
  /** Generated tokens of a synthetic request. */
  readonly osl: number | null
  /** Requests in flight at once (closed loop). */
  readonly concurrency: number | null
  /** Requests in flight as a share of what the KV caches of the candidate hold. */
  readonly kv_load_ratio: KvLoadRatio | null
  /** Requests per second (open loop). */
  readonly request_rate: number | null
  /** Requests per unit of load: the run has this many times the concurrency, or times the rate. */
  readonly num_request_ratio: number | null
  /** Share of the prompt common to all requests of a prefix group, 0 to 1. */
  readonly shared_prefix_ratio: number
  readonly num_prefix_groups: number
  readonly turns_per_session: number
  readonly inter_turn_delay_ms: number
  readonly trace_path: string | null
  readonly trace_format: TraceFormat
  /** Arrivals of the trace come this many times faster. */
  readonly arrival_speedup_ratio: number
  /** Replays the trace closed loop with this many requests in flight; null = at its own times. */
  readonly replay_concurrency: number | null
}
