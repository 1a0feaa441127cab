/** Upstream version whose known quirks can be restored. */
export type ReplayCompat = 'dynamo-1.4'

/** Every place where the default differs from upstream. All false by default; all true under `dynamo-1.4`. */
export interface Quirks {
  /** vLLM: generated tokens recomputed after a preemption cost no time, and decode workers recompute anything for free. */
  readonly freeRecompute: boolean
  /** Trace-driven disaggregation: prefill workers generate the whole planned output before the source is held. */
  readonly prefillGeneratesAll: boolean
  /** SGLang prefill workers are charged decode time for their hidden token. */
  readonly prefillPaysDecode: boolean
  /** SGLang ignores `max_num_batched_tokens`, `max_model_len` and `enable_prefix_caching`. */
  readonly sglangIgnoresSharedKnobs: boolean
  /** vLLM fifo preemption of a request before the current one makes the next one miss this pass. */
  readonly fifoSkipsNext: boolean
  /** Single-worker closed loop stamps the arrival of a later turn at the pass end instead of its ready time. */
  readonly closedLoopArrivalAtPassEnd: boolean
  /** Host and disk KV tiers are accepted and have no effect. */
  readonly offloadIgnored: boolean
  /** A missing `kv_transfer_bandwidth` means an instant transfer, not the documented 64 GB/s. */
  readonly transferWithoutBandwidthIsFree: boolean
  /** `use_kv_events: false` has no effect. */
  readonly kvEventsAlwaysUsed: boolean
  /** A lone worker of a run in which nothing completed counts a nanosecond. */
  readonly nothingCompletedIsANanosecond: boolean
  /** Rows name a session for every request where the multi-target loop ran over sessions, and nowhere else. */
  readonly namesSessionsByLoop: boolean
}

/** The quirks in force. */
export function quirksOf(compat: ReplayCompat | undefined): Quirks {
  const on = compat === 'dynamo-1.4'
  return {
    freeRecompute: on,
    prefillGeneratesAll: on,
    prefillPaysDecode: on,
    sglangIgnoresSharedKnobs: on,
    fifoSkipsNext: on,
    closedLoopArrivalAtPassEnd: on,
    offloadIgnored: on,
    transferWithoutBandwidthIsFree: on,
    kvEventsAlwaysUsed: on,
    nothingCompletedIsANanosecond: on,
    namesSessionsByLoop: on,
  }
}
