/** Report of one replay, upstream's key names (spec/replay.md §13). Numbers only; absent keys were not asked for. */
export interface ReplayReport {
  readonly num_requests: number
  readonly completed_requests: number
  readonly duration_ms: number
  readonly wall_time_ms: number
  readonly total_input_tokens: number
  readonly total_output_tokens: number
  readonly request_throughput_rps: number
  readonly output_throughput_tok_s: number
  readonly total_throughput_tok_s: number
  readonly mean_ttft_ms: number
  readonly mean_tpot_ms: number
  readonly mean_itl_ms: number
  readonly mean_e2e_latency_ms: number
  readonly mean_output_token_throughput_per_user: number
  readonly prefix_cache_reused_ratio: number
  readonly prefill_worker_seconds: number
  readonly decode_worker_seconds: number
  readonly prefill_gpus_per_worker: number
  readonly decode_gpus_per_worker: number
  readonly gpu_hours: number
  readonly [key: string]: number | undefined
}
