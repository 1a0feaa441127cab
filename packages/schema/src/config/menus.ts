import type { Backend, DeploymentMode } from '../domain/parallel.js'
import type { FpmSamplingName } from '../presets/fpm-sampling.js'
import { FPM_SAMPLING_PRESETS } from '../presets/fpm-sampling.js'
import type { LoadPredictorName } from '../presets/load-predictors.js'
import { LOAD_PREDICTOR_PRESETS } from '../presets/load-predictors.js'
import type { LoadSensitivityName } from '../presets/load-sensitivity.js'
import { LOAD_SENSITIVITY_PRESETS } from '../presets/load-sensitivity.js'
import type { ScalingPolicyName } from '../presets/scaling-policies.js'
import { PLANNER_SCALING_POLICIES } from '../presets/scaling-policies.js'

export type RouterMode = 'kv_router' | 'round_robin'

/** What each searchable knob may take; also its default list, except for `backend` (default `[vllm]`). */
export interface SearchMenus {
  readonly deployment_mode: readonly DeploymentMode[]
  readonly backend: readonly Backend[]
  readonly prefill_max_num_batched_tokens: readonly number[]
  readonly prefill_max_num_seqs: readonly number[]
  readonly decode_max_num_batched_tokens: readonly number[]
  readonly decode_max_num_seqs: readonly number[]
  readonly agg_max_num_batched_tokens: readonly number[]
  readonly agg_max_num_seqs: readonly number[]
  readonly router_mode: readonly RouterMode[]
  readonly overlap_score_credit: readonly number[]
  readonly prefill_load_scale: readonly number[]
  readonly host_cache_hit_weight: readonly number[]
  readonly disk_cache_hit_weight: readonly number[]
  readonly router_temperature: readonly number[]
  readonly planner_scaling_policy: readonly ScalingPolicyName[]
  readonly planner_fpm_sampling: readonly FpmSamplingName[]
  readonly planner_load_sensitivity: readonly LoadSensitivityName[]
  readonly load_predictor_candidates: readonly LoadPredictorName[]
}

export const SEARCH_MENUS: SearchMenus = {
  deployment_mode: ['disagg', 'agg'],
  backend: ['vllm', 'sglang', 'trtllm'],
  prefill_max_num_batched_tokens: [8192, 16384, 32768],
  prefill_max_num_seqs: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  decode_max_num_batched_tokens: [8192],
  decode_max_num_seqs: [256, 512, 1024],
  agg_max_num_batched_tokens: [8192, 16384, 32768],
  agg_max_num_seqs: [256, 512, 1024],
  router_mode: ['kv_router', 'round_robin'],
  overlap_score_credit: [0, 0.5, 1],
  prefill_load_scale: [0, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
  host_cache_hit_weight: [0.5, 0.75, 1],
  disk_cache_hit_weight: [0, 0.25, 0.5],
  router_temperature: [0, 0.2, 0.5, 1],
  planner_scaling_policy: Object.keys(PLANNER_SCALING_POLICIES) as ScalingPolicyName[],
  planner_fpm_sampling: Object.keys(FPM_SAMPLING_PRESETS) as FpmSamplingName[],
  planner_load_sensitivity: Object.keys(LOAD_SENSITIVITY_PRESETS) as LoadSensitivityName[],
  load_predictor_candidates: Object.keys(LOAD_PREDICTOR_PRESETS) as LoadPredictorName[],
}
