/** The latest forward pass of one (worker, rank) since the previous tick; zeros for an idle worker. Lengths in tokens. */
export interface ForwardPassMetrics {
  readonly worker_id: number
  readonly dp_rank: number
  /** Seconds; 0 for an idle worker. */
  readonly wall_time: number
  readonly num_prefill_requests: number
  readonly sum_prefill_tokens: number
  readonly var_prefill_length: number
  readonly sum_prefill_kv_tokens: number
  readonly num_decode_requests: number
  readonly sum_decode_kv_tokens: number
  readonly var_decode_kv_tokens: number
  readonly num_queued_prefill: number
  readonly sum_queued_prefill_tokens: number
  readonly var_queued_prefill_length: number
  readonly num_queued_decode: number
  readonly sum_queued_decode_kv_tokens: number
  readonly var_queued_decode_kv_tokens: number
}

/** Traffic since the previous tick (spec: `num_req` counts arrivals, the averages cover completions). */
export interface TrafficWindow {
  readonly duration_s: number
  readonly num_req: number
  readonly avg_isl: number
  readonly avg_osl: number
  readonly avg_ttft_ms: number
  readonly avg_itl_ms: number
  readonly shape_count: number
  readonly ttft_count: number
  readonly itl_count: number
  readonly avg_accept_length: number | null
  readonly accept_length_forward_count: number
  readonly avg_kv_hit_rate: number
  readonly hit_rate_count: number
}

/** What replay shows the planner at a tick. In agg there is one pool, called decode; prefill lists are empty. */
export interface PlannerSnapshot {
  readonly now_ms: number
  readonly active_prefill_ids: readonly number[]
  readonly active_decode_ids: readonly number[]
  readonly starting_prefill_ids: readonly number[]
  readonly starting_decode_ids: readonly number[]
  readonly draining_prefill_ids: readonly number[]
  readonly draining_decode_ids: readonly number[]
  readonly active_prefill_count: number
  readonly active_decode_count: number
  readonly starting_prefill_count: number
  readonly starting_decode_count: number
  readonly draining_prefill_count: number
  readonly draining_decode_count: number
  /** active + starting */
  readonly non_draining_prefill_count: number
  readonly non_draining_decode_count: number
  /** active + starting + draining */
  readonly total_prefill_count: number
  readonly total_decode_count: number
  /** The latest pass per (worker, rank) since the previous tick. */
  readonly prefill_fpm_snapshots: readonly ForwardPassMetrics[]
  readonly decode_fpm_snapshots: readonly ForwardPassMetrics[]
  /**
   * Every pass that did work since the previous tick, oldest first; only filled when the planner asks for it with
   * `wantsAllPasses` (upstream shows only the latest).
   */
  readonly prefill_passes?: readonly ForwardPassMetrics[]
  readonly decode_passes?: readonly ForwardPassMetrics[]
  readonly traffic: TrafficWindow
}

/** null or absent target = leave unchanged; null or absent next tick = stop ticking. */
export interface PlannerDecision {
  readonly targetPrefill?: number | null
  readonly targetDecode?: number | null
  readonly nextTickMs?: number | null
}

/** A replay callback that decides worker counts. */
export interface Planner {
  /** Set to receive `prefill_passes` and `decode_passes`. */
  readonly wantsAllPasses?: boolean
  initialTickMs(): number
  onTick(snapshot: PlannerSnapshot): PlannerDecision
}
