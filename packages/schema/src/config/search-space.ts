import type { Backend, DeploymentMode } from '../domain/parallel.js'
import type { FpmSamplingEntry } from '../presets/fpm-sampling.js'
import type { LoadPredictorEntry } from '../presets/load-predictors.js'
import type { LoadSensitivityEntry } from '../presets/load-sensitivity.js'
import type { ScalingPolicyEntry } from '../presets/scaling-policies.js'
import type { RouterMode } from './menus.js'
import type { PinnedParallelConfig } from './parallel-pins.js'

/**
 * What is searched and what is pinned. Lists are searched (a list of one is a constant), scalars are pinned; null means
 * "not set". Every field is present after loading, defaults filled in.
 */
export interface SearchSpaceConfig {
  /** One study runs per mode; repeats count once. */
  readonly deployment_mode: readonly DeploymentMode[]
  readonly backend: readonly Backend[]
  /** Shapes to use as they are; empty = enumerate every legal one. */
  readonly parallel_configs: readonly PinnedParallelConfig[]
  /** Hugging Face name of a known model, or a path to a model's config. */
  readonly model_name: string
  /** Name of a known GPU, or a path to a description of one. */
  readonly hardware_sku: string
  /** GPUs a candidate may use at most. */
  readonly gpu_budget: number
  readonly min_gpu_budget: number | null
  /** Fewest replicas the planner keeps per pool. */
  readonly min_endpoint: number | null
  /** Longest sequence in tokens that must fit; null = the model's maximum. */
  readonly context_length: number | null
  /** Seconds a scaled-up worker takes to become ready. */
  readonly startup_time: number | null
  /** Draft tokens of multi-token prediction, 1 to 5; null = off. */
  readonly aic_nextn: number | null
  readonly prefill_max_num_batched_tokens: readonly number[]
  readonly prefill_max_num_seqs: readonly number[]
  readonly prefill_block_size: number
  readonly prefill_gpu_memory_utilization: number
  readonly prefill_enable_prefix_caching: boolean
  readonly decode_max_num_batched_tokens: readonly number[]
  readonly decode_max_num_seqs: readonly number[]
  readonly decode_block_size: number
  readonly decode_gpu_memory_utilization: number
  readonly decode_enable_prefix_caching: boolean
  readonly agg_max_num_batched_tokens: readonly number[]
  readonly agg_max_num_seqs: readonly number[]
  readonly agg_block_size: number
  readonly agg_gpu_memory_utilization: number
  readonly agg_enable_prefix_caching: boolean
  /** Host KV blocks per worker; above 0 turns KV offload on. */
  readonly num_g2_blocks: number
  /** KV bytes of one token; needed with host offload. */
  readonly kv_bytes_per_token: number | null
  /** GB/s from GPU to host. */
  readonly bandwidth_g1_to_g2_gbps: number | null
  /** GB/s from host to GPU. */
  readonly bandwidth_g2_to_g1_gbps: number | null
  /** Blocks moved per offload transfer. */
  readonly offload_batch_size: number | null
  readonly router_mode: readonly RouterMode[]
  readonly overlap_score_credit: readonly number[]
  readonly prefill_load_scale: readonly number[]
  readonly host_cache_hit_weight: readonly number[]
  readonly disk_cache_hit_weight: readonly number[]
  readonly router_temperature: readonly number[]
  readonly active_decode_blocks_threshold: number | null
  readonly active_prefill_tokens_threshold: number | null
  readonly active_prefill_tokens_threshold_frac: number | null
  readonly no_admission_control: boolean
  readonly planner_scaling_policy: readonly ScalingPolicyEntry[]
  readonly planner_fpm_sampling: readonly FpmSamplingEntry[]
  readonly planner_load_sensitivity: readonly LoadSensitivityEntry[]
  readonly load_predictor_candidates: readonly LoadPredictorEntry[]
}
