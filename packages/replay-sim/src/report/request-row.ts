/** One line per terminal request, upstream's key names. Times in ms from the start of the run; null = does not apply. */
export interface RequestRow {
  readonly session_id: string | null
  readonly turn_index: number | null
  readonly uuid: string
  readonly arrival_time_ms: number
  readonly first_admit_ms: number | null
  readonly terminal_time_ms: number
  readonly first_token_ms: number | null
  readonly last_token_ms: number | null
  readonly ttft_ms: number | null
  readonly ttst_ms: number | null
  readonly e2e_latency_ms: number | null
  readonly itl_ms: number | null
  readonly input_length: number
  readonly requested_output_length: number
  readonly output_length: number
  readonly reused_input_tokens: number
  readonly prefill_worker_idx: number | null
  readonly decode_worker_idx: number | null
  readonly prefill_admit_ms: number | null
  readonly source_held_ms: number | null
  readonly destination_reserved_ms: number | null
  readonly destination_activated_ms: number | null
  readonly decode_admit_ms: number | null
  readonly source_released_ms: number | null
  readonly decode_reused_input_tokens: number | null
  readonly prefill_route_overlap_tokens: number | null
  readonly decode_route_overlap_tokens: number | null
  readonly terminal_status: 'completed' | 'rejected'
}
