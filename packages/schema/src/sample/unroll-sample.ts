import type { SearchSpaceConfig } from '../config/search-space.js'
import { SEARCH_SPACE_DEFAULTS } from '../config/search-space-defaults.js'
import type { ParallelConfig, ReplicatedShape, Role, WorkerShape } from '../domain/parallel.js'
import { usedGpus } from '../domain/parallel.js'
import { FPM_SAMPLING_PRESETS, resolveFpmSampling } from '../presets/fpm-sampling.js'
import { type LoadPredictorEntry, resolveLoadPredictor } from '../presets/load-predictors.js'
import { LOAD_SENSITIVITY_PRESETS, resolveLoadSensitivity } from '../presets/load-sensitivity.js'
import { resolveScalingPolicy } from '../presets/scaling-policies.js'
import type { Selection } from './selection.js'
import type { ShapeStrategy, UnrolledSample } from './unrolled-sample.js'

export interface UnrollOptions {
  /** Pinned values; fields left out take their defaults. */
  readonly searchSpace: Partial<SearchSpaceConfig> & Pick<SearchSpaceConfig, 'model_name' | 'hardware_sku'>
  readonly selection: Selection
  readonly parallelConfig: ParallelConfig
  /** Winner of the predictor sweep per throughput interval in seconds, e.g. `{"180": "arima_raw"}`. */
  readonly loadPredictors?: Readonly<Record<string, LoadPredictorEntry>>
}

const PINNED = ['gpu_budget', 'min_gpu_budget', 'min_endpoint', 'context_length', 'startup_time', 'aic_nextn'] as const
const OFFLOAD = [
  'num_g2_blocks',
  'kv_bytes_per_token',
  'bandwidth_g1_to_g2_gbps',
  'bandwidth_g2_to_g1_gbps',
  'offload_batch_size',
] as const
const KV_ROUTER_KNOBS = [
  'overlap_score_credit',
  'prefill_load_scale',
  'host_cache_hit_weight',
  'disk_cache_hit_weight',
  'router_temperature',
] as const
const ADMISSION = [
  'active_decode_blocks_threshold',
  'active_prefill_tokens_threshold',
  'active_prefill_tokens_threshold_frac',
  'no_admission_control',
] as const

/**
 * Spells a candidate out: pinned values, shape, engine settings of its roles, router and planner settings. Fields that
 * do not apply are left out; key order is fixed.
 */
export function unrollSample(options: UnrollOptions): UnrolledSample {
  const { selection, parallelConfig } = options
  const space = withDefaults(options.searchSpace)
  const sample: Record<string, unknown> = {
    deployment_mode: selection.deployment_mode,
    backend: selection.backend,
    model_name: space.model_name,
    hardware_sku: space.hardware_sku,
    ...pick(space, PINNED),
    ...pick(space, OFFLOAD),
    ...shapeFields(parallelConfig),
    ...engineFields(space, selection, parallelConfig.mode === 'agg' ? ['agg'] : ['prefill', 'decode']),
    router_mode: selection.router_mode,
  }
  if (selection.router_mode === 'kv_router') {
    Object.assign(sample, pick(selection, KV_ROUTER_KNOBS), pick(space, ADMISSION))
  }
  Object.assign(sample, plannerFields(selection, options.loadPredictors ?? {}))
  return sample as unknown as UnrolledSample
}

/** Name of the way a worker splits the model: `tp`, `tep`, `dep` or `dtp`. */
export function shapeStrategy(shape: WorkerShape): ShapeStrategy {
  if (shape.attentionDp > 1) return shape.moeEp > 1 ? 'dep' : 'dtp'
  return shape.moeEp > 1 ? 'tep' : 'tp'
}

function withDefaults(given: UnrollOptions['searchSpace']): SearchSpaceConfig {
  return { ...SEARCH_SPACE_DEFAULTS, ...given }
}

/** The listed fields that are present, in the listed order. */
function pick(from: object, names: readonly string[]): Record<string, unknown> {
  const fields = from as Readonly<Record<string, unknown>>
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}

function shapeFields(config: ParallelConfig): Record<string, unknown> {
  const used = { used_gpus: usedGpus(config) }
  if (config.mode === 'agg') return { ...roleShape('', config.agg), ...used }
  return { ...roleShape('prefill_', config.prefill), ...roleShape('decode_', config.decode), ...used }
}

function roleShape(prefix: string, shape: ReplicatedShape): Record<string, unknown> {
  return {
    [`${prefix}tp`]: shape.tp,
    [`${prefix}pp`]: 1,
    [`${prefix}attention_dp`]: shape.attentionDp,
    [`${prefix}moe_tp`]: shape.moeTp,
    [`${prefix}moe_ep`]: shape.moeEp,
    [`${prefix}strategy`]: shapeStrategy(shape),
    [`${prefix}replicas`]: shape.replicas,
  }
}

function engineFields(space: SearchSpaceConfig, selection: Selection, roles: readonly Role[]): Record<string, unknown> {
  const batching = roles.flatMap((role) => [`${role}_max_num_batched_tokens`, `${role}_max_num_seqs`] as const)
  const pinned = roles.flatMap(
    (role) => [`${role}_block_size`, `${role}_gpu_memory_utilization`, `${role}_enable_prefix_caching`] as const,
  )
  return { ...pick(selection, batching), ...pick(space, pinned) }
}

function plannerFields(
  selection: Selection,
  predictors: Readonly<Record<string, LoadPredictorEntry>>,
): Record<string, unknown> {
  const policy = resolveScalingPolicy(selection.planner_scaling_policy)
  const { enable_throughput_scaling, enable_load_scaling } = policy
  const flags = {
    planner_scaling_policy: selection.planner_scaling_policy,
    enable_throughput_scaling,
    enable_load_scaling,
  }
  if (!enable_throughput_scaling && !enable_load_scaling) return flags
  const sampling = selection.planner_fpm_sampling
  const sensitivity = selection.planner_load_sensitivity
  const fpm = sampling === undefined ? FPM_SAMPLING_PRESETS.default : resolveFpmSampling(sampling)
  const load = sensitivity === undefined ? LOAD_SENSITIVITY_PRESETS.default : resolveLoadSensitivity(sensitivity)
  const interval = String(policy.throughput_adjustment_interval_seconds)
  const predictor = enable_throughput_scaling && Object.hasOwn(predictors, interval) ? predictors[interval] : undefined
  return {
    ...flags,
    throughput_adjustment_interval_seconds: policy.throughput_adjustment_interval_seconds,
    load_adjustment_interval_seconds: policy.load_adjustment_interval_seconds,
    max_num_fpm_samples: fpm.max_num_fpm_samples,
    fpm_sample_bucket_size: fpm.fpm_sample_bucket_size,
    load_scaling_down_sensitivity: load.load_scaling_down_sensitivity,
    load_min_observations: load.load_min_observations,
    ...(predictor === undefined ? {} : resolveLoadPredictor(predictor)),
  }
}
