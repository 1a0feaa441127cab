import type { RouterMode } from '../config/menus.js'
import type { Backend, DeploymentMode } from '../domain/parallel.js'
import type { FpmSamplingEntry } from '../presets/fpm-sampling.js'
import type { LoadSensitivityEntry } from '../presets/load-sensitivity.js'
import type { ScalingPolicyEntry } from '../presets/scaling-policies.js'

/** One value for every knob that is active in a study. Knobs of the other deployment mode are absent. */
export interface Selection {
  readonly deployment_mode: DeploymentMode
  readonly backend: Backend
  readonly router_mode: RouterMode
  readonly overlap_score_credit?: number
  readonly prefill_load_scale?: number
  readonly host_cache_hit_weight?: number
  readonly disk_cache_hit_weight?: number
  readonly router_temperature?: number
  readonly planner_scaling_policy: ScalingPolicyEntry
  readonly planner_fpm_sampling?: FpmSamplingEntry
  readonly planner_load_sensitivity?: LoadSensitivityEntry
  readonly prefill_max_num_batched_tokens?: number
  readonly prefill_max_num_seqs?: number
  readonly decode_max_num_batched_tokens?: number
  readonly decode_max_num_seqs?: number
  readonly agg_max_num_batched_tokens?: number
  readonly agg_max_num_seqs?: number
  readonly kv_load_ratio?: number
}

export type KnobName = keyof Selection
