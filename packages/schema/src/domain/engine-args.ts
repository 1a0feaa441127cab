/** Engine arguments of replay, upstream's JSON keys (spec/replay.md §1.1). Absent keys take the documented defaults. */
export interface EngineArgs {
  readonly engine_type?: 'vllm' | 'sglang' | 'trtllm'
  readonly num_gpu_blocks?: number
  readonly block_size?: number
  readonly max_num_seqs?: number | null
  readonly max_num_batched_tokens?: number | null
  readonly enable_prefix_caching?: boolean
  readonly enable_chunked_prefill?: boolean
  readonly speedup_ratio?: number
  readonly decode_speedup_ratio?: number
  readonly dp_size?: number
  readonly startup_time?: number | null
  readonly max_model_len?: number | null
  readonly preemption_mode?: 'lifo' | 'fifo'
  readonly kv_bytes_per_token?: number | null
  readonly kv_transfer_bandwidth?: number | null
  readonly kv_transfer_timing_mode?: 'full_prompt' | 'destination_missing'
  readonly sglang?: {
    readonly schedule_policy?: string
    readonly page_size?: number
    readonly max_prefill_tokens?: number
    readonly chunked_prefill_size?: number
    readonly clip_max_new_tokens?: number
    readonly schedule_conservativeness?: number
  }
  readonly trtllm?: { readonly capacity_scheduler_policy?: string }
  readonly aic_nextn?: number | null
  readonly aic_nextn_accept_rates?: readonly number[] | string | null
  readonly aic_mtp_seed?: number
  readonly num_g2_blocks?: number | null
  readonly num_g3_blocks?: number | null
  readonly enable_g4_storage?: boolean
  readonly offload_batch_size?: number | null
  readonly bandwidth_g1_to_g2_gbps?: number | null
  readonly bandwidth_g2_to_g1_gbps?: number | null
  readonly bandwidth_g2_to_g3_gbps?: number | null
  readonly bandwidth_g3_to_g2_gbps?: number | null
  readonly worker_type?: 'aggregated' | 'prefill' | 'decode'
  readonly is_prefill?: boolean
  readonly is_decode?: boolean
  readonly aic_backend?: string
  readonly aic_backend_version?: string | null
  readonly aic_system?: string
  readonly aic_model_path?: string
  readonly aic_tp_size?: number
  readonly aic_attention_dp_size?: number
  readonly aic_moe_tp_size?: number | null
  readonly aic_moe_ep_size?: number | null
  readonly gpu_memory_utilization?: number
}
