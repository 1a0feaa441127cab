import type { PlannerTarget, SlaConfig } from '../config/goal.js'
import type { EngineArgs } from '../domain/engine-args.js'
import type { DeploymentMode, Role } from '../domain/parallel.js'
import { scalingLacksBounds } from './scaling-policy-filter.js'
import type { UnrolledSample } from './unrolled-sample.js'

/** What replay needs to run a candidate: engine arguments per role, worker counts, router and planner settings. */
export interface DeploymentPlan {
  readonly deployment_mode: DeploymentMode
  /** True when no planner changes worker counts. */
  readonly is_static: boolean
  readonly agg_engine_args: EngineArgs | null
  readonly prefill_engine_args: EngineArgs | null
  readonly decode_engine_args: EngineArgs | null
  readonly num_workers: number
  readonly num_prefill_workers: number
  readonly num_decode_workers: number
  readonly router_mode: 'kv_router' | 'round_robin'
  readonly router_config: Readonly<Record<string, unknown>> | null
  readonly planner_config: Readonly<Record<string, unknown>> | null
}

export interface DeploymentOptions {
  /** Version of the engine whose timing is used. */
  readonly backendVersion: string | null
  readonly optimizationTarget: PlannerTarget
  /** Bounds the planner steers by; used only when it steers by SLA. */
  readonly plannerSla: Partial<SlaConfig> | null
}

export type DeploymentResult =
  | { readonly ok: true; readonly plan: DeploymentPlan }
  | { readonly ok: false; readonly error: { readonly code: 'scaling-needs-ttft-and-itl'; readonly message: string } }

const NO_ROLE = { agg_engine_args: null, prefill_engine_args: null, decode_engine_args: null }

/** Maps an unrolled sample to engine arguments and planner settings; refuses scaling by an SLA that cannot steer it. */
export function deploymentPlan(sample: UnrolledSample, options: DeploymentOptions): DeploymentResult {
  const scales = sample.enable_throughput_scaling || sample.enable_load_scaling
  if (scales && scalingLacksBounds(options.optimizationTarget, options.plannerSla)) {
    const message = 'the planner steers by ttft_ms and itl_ms, but the SLA does not bound both'
    return { ok: false, error: { code: 'scaling-needs-ttft-and-itl', message } }
  }
  const disagg = sample.deployment_mode === 'disagg'
  const roles = disagg
    ? {
        ...NO_ROLE,
        prefill_engine_args: engineArgs(sample, 'prefill', options),
        decode_engine_args: engineArgs(sample, 'decode', options),
      }
    : { ...NO_ROLE, agg_engine_args: engineArgs(sample, 'agg', options) }
  const plan: DeploymentPlan = {
    deployment_mode: sample.deployment_mode,
    is_static: !scales,
    ...roles,
    num_workers: disagg ? 0 : (sample.replicas ?? 0),
    num_prefill_workers: disagg ? (sample.prefill_replicas ?? 0) : 0,
    num_decode_workers: disagg ? (sample.decode_replicas ?? 0) : 0,
    router_mode: sample.router_mode,
    router_config: sample.router_mode === 'kv_router' ? present(sample, ROUTER_FIELDS) : null,
    planner_config: scales ? plannerConfig(sample, options) : null,
  }
  return { ok: true, plan }
}

const ROUTER_FIELDS = [
  'overlap_score_credit',
  'prefill_load_scale',
  'host_cache_hit_weight',
  'disk_cache_hit_weight',
  'router_temperature',
]
const OFFLOAD_FIELDS = [
  'num_g2_blocks',
  'kv_bytes_per_token',
  'bandwidth_g1_to_g2_gbps',
  'bandwidth_g2_to_g1_gbps',
  'offload_batch_size',
]
const SCALING_FIELDS = [
  'enable_throughput_scaling',
  'enable_load_scaling',
  'throughput_adjustment_interval_seconds',
  'load_adjustment_interval_seconds',
  'max_num_fpm_samples',
  'fpm_sample_bucket_size',
  'load_scaling_down_sensitivity',
  'load_min_observations',
  'load_predictor',
  'load_predictor_log1p',
  'prophet_window_size',
  'kalman_q_level',
  'kalman_q_trend',
  'kalman_r',
  'kalman_min_points',
]
const WORKER_TYPES = { agg: 'aggregated', prefill: 'prefill', decode: 'decode' } as const

/** The listed fields of the sample that are set, in the listed order. */
function present(sample: UnrolledSample, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => sample[name] != null).map((name) => [name, sample[name]]))
}

function shapePrefix(role: Role): string {
  return role === 'agg' ? '' : `${role}_`
}

function engineArgs(sample: UnrolledSample, role: Role, { backendVersion }: DeploymentOptions): EngineArgs {
  const shape = (field: string) => sample[`${shapePrefix(role)}${field}`] as number
  const setting = (field: string) => sample[`${role}_${field}`]
  const args: Record<string, unknown> = {
    worker_type: WORKER_TYPES[role],
    engine_type: sample.backend,
    aic_backend: sample.backend,
    aic_backend_version: backendVersion,
    aic_system: sample.hardware_sku,
    aic_model_path: sample.model_name,
    aic_tp_size: shape('tp'),
    aic_attention_dp_size: shape('attention_dp'),
    max_num_batched_tokens: setting('max_num_batched_tokens'),
    max_num_seqs: setting('max_num_seqs'),
    block_size: setting('block_size'),
    gpu_memory_utilization: setting('gpu_memory_utilization'),
    enable_prefix_caching: setting('enable_prefix_caching'),
  }
  if (shape('moe_tp') * shape('moe_ep') > 1) {
    args['aic_moe_tp_size'] = shape('moe_tp')
    args['aic_moe_ep_size'] = shape('moe_ep')
  }
  Object.assign(args, present(sample, ['aic_nextn', 'startup_time']))
  if (role !== 'decode' && sample.num_g2_blocks > 0) Object.assign(args, present(sample, OFFLOAD_FIELDS))
  return args as EngineArgs
}

function plannerConfig(sample: UnrolledSample, options: DeploymentOptions): Record<string, unknown> {
  const gpus = (role: Role) =>
    (sample[`${shapePrefix(role)}tp`] as number) * (sample[`${shapePrefix(role)}attention_dp`] as number)
  const engines =
    sample.deployment_mode === 'agg'
      ? { decode_engine_num_gpu: gpus('agg') }
      : { prefill_engine_num_gpu: gpus('prefill'), decode_engine_num_gpu: gpus('decode') }
  const sla = options.optimizationTarget === 'sla' ? (options.plannerSla ?? {}) : {}
  return {
    mode: sample.deployment_mode,
    optimization_target: options.optimizationTarget,
    report_interval_hours: null,
    live_dashboard_port: 0,
    ...Object.fromEntries(SCALING_FIELDS.filter((name) => name in sample).map((name) => [name, sample[name]])),
    max_gpu_budget: sample.gpu_budget,
    ...present(sample, ['min_gpu_budget', 'min_endpoint']),
    ...engines,
    ...(sla.ttft_ms == null ? {} : { ttft_ms: sla.ttft_ms }),
    ...(sla.itl_ms == null ? {} : { itl_ms: sla.itl_ms }),
  }
}
