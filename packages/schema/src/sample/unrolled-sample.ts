import type { RouterMode } from '../config/menus.js'
import type { SearchSpaceConfig } from '../config/search-space.js'
import type { Backend, DeploymentMode, Role } from '../domain/parallel.js'
import type { FpmSampling } from '../presets/fpm-sampling.js'
import type { LoadPredictor } from '../presets/load-predictors.js'
import type { LoadSensitivity } from '../presets/load-sensitivity.js'
import type { ScalingPolicy, ScalingPolicyEntry } from '../presets/scaling-policies.js'
import type { KvLoadFields } from './kv-load.js'

export type ShapeStrategy = 'tp' | 'tep' | 'dep' | 'dtp'

type ShapeNumber = 'tp' | 'pp' | 'attention_dp' | 'moe_tp' | 'moe_ep' | 'replicas'
/** Aggregated workers have bare names, the others a prefix. */
type ShapePrefix = '' | 'prefill_' | 'decode_'
type EngineNumber = 'max_num_batched_tokens' | 'max_num_seqs' | 'block_size' | 'gpu_memory_utilization'

type ShapeFields = { readonly [F in `${ShapePrefix}${ShapeNumber}`]?: number } & {
  readonly [F in `${ShapePrefix}strategy`]?: ShapeStrategy
}

type EngineFields = { readonly [F in `${Role}_${EngineNumber}`]?: number } & {
  readonly [F in `${Role}_enable_prefix_caching`]?: boolean
}

type PinnedField =
  | 'model_name'
  | 'hardware_sku'
  | 'gpu_budget'
  | 'min_gpu_budget'
  | 'min_endpoint'
  | 'context_length'
  | 'startup_time'
  | 'aic_nextn'
  | 'num_g2_blocks'
  | 'kv_bytes_per_token'
  | 'bandwidth_g1_to_g2_gbps'
  | 'bandwidth_g2_to_g1_gbps'
  | 'offload_batch_size'

type AdmissionField =
  | 'active_decode_blocks_threshold'
  | 'active_prefill_tokens_threshold'
  | 'active_prefill_tokens_threshold_frac'
  | 'no_admission_control'

interface ChoiceFields {
  readonly deployment_mode: DeploymentMode
  readonly backend: Backend
  /** GPUs of all workers together. */
  readonly used_gpus: number
  readonly router_mode: RouterMode
  readonly overlap_score_credit?: number
  readonly prefill_load_scale?: number
  readonly host_cache_hit_weight?: number
  readonly disk_cache_hit_weight?: number
  readonly router_temperature?: number
  readonly planner_scaling_policy: ScalingPolicyEntry
  readonly enable_throughput_scaling: boolean
  readonly enable_load_scaling: boolean
  /** Version of the engine whose timing is used; added by the search. */
  readonly backend_version?: string
}

/**
 * A candidate as one flat record of JSON values with upstream's snake_case names. Fields of the other deployment mode,
 * of an unused router and of an idle planner are absent; KV load fields are added by the search.
 */
export type UnrolledSample = Readonly<Record<string, unknown>> &
  ChoiceFields &
  Readonly<Pick<SearchSpaceConfig, PinnedField>> &
  Readonly<Partial<Pick<SearchSpaceConfig, AdmissionField>>> &
  ShapeFields &
  EngineFields &
  Readonly<Partial<ScalingPolicy & FpmSampling & LoadSensitivity & LoadPredictor & KvLoadFields>>
