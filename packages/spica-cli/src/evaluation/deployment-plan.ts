import type { EngineArgs, EvaluationPlan } from '@spica/schema'
import { SpicaError } from '@spica/schema'

/** Latency bounds the planner steers by, ms. */
export interface PlannerSla {
  readonly ttft_ms?: number | null
  readonly itl_ms?: number | null
  readonly e2e_ms?: number | null
}

/** What the flat sample does not say. */
export interface DeploymentContext {
  readonly backendVersion: string
  readonly optimizationTarget: 'throughput' | 'latency' | 'sla'
  readonly plannerSla: PlannerSla | null
}

/** A deployment in the terms of replay; upstream's keys. Absent roles are null and have 0 workers. */
export interface DeploymentPlan {
  readonly deployment_mode: 'agg' | 'disagg'
  /** True when no planner changes worker counts. */
  readonly is_static: boolean
  readonly agg_engine_args: EngineArgs | null
  readonly prefill_engine_args: EngineArgs | null
  readonly decode_engine_args: EngineArgs | null
  readonly num_workers: number
  readonly num_prefill_workers: number
  readonly num_decode_workers: number
  readonly router_mode: 'round_robin' | 'kv_router'
  readonly router_config: Readonly<Record<string, number>> | null
  readonly planner_config: Readonly<Record<string, unknown>> | null
}

const ROUTER_KNOBS = [
  'overlap_score_credit',
  'prefill_load_scale',
  'host_cache_hit_weight',
  'disk_cache_hit_weight',
  'router_temperature',
] as const
const PLANNER_KEYS = [
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
] as const
const KV_MANAGER_KEYS = [
  'num_g2_blocks',
  'kv_bytes_per_token',
  'bandwidth_g1_to_g2_gbps',
  'bandwidth_g2_to_g1_gbps',
  'offload_batch_size',
] as const

/**
 * Engine arguments, worker counts, router and planner settings of an unrolled sample (spec: search-space §4). Throws an
 * `input` error for autoscaling by an SLA that bounds only end-to-end latency, which the planner cannot steer by.
 */
export function buildDeploymentPlan(sample: EvaluationPlan, context: DeploymentContext): DeploymentPlan {
  const disagg = sample['deployment_mode'] === 'disagg'
  const routed = sample['router_mode'] === 'kv_router'
  const scales = sample['enable_throughput_scaling'] === true || sample['enable_load_scaling'] === true
  const replicas = (role: string) => (disagg ? Number(sample[`${role}_replicas`]) : 0)
  return {
    deployment_mode: disagg ? 'disagg' : 'agg',
    is_static: !scales,
    agg_engine_args: disagg ? null : engineArgs(sample, 'agg', context),
    prefill_engine_args: disagg ? engineArgs(sample, 'prefill', context) : null,
    decode_engine_args: disagg ? engineArgs(sample, 'decode', context) : null,
    num_workers: disagg ? 0 : Number(sample['replicas']),
    num_prefill_workers: replicas('prefill'),
    num_decode_workers: replicas('decode'),
    router_mode: routed ? 'kv_router' : 'round_robin',
    router_config: routed ? (pick(sample, ROUTER_KNOBS) as Record<string, number>) : null,
    planner_config: scales ? plannerConfig(sample, context) : null,
  }
}

function engineArgs(
  sample: EvaluationPlan,
  role: 'agg' | 'prefill' | 'decode',
  context: DeploymentContext,
): EngineArgs {
  const shape = (name: string) => Number(sample[role === 'agg' ? name : `${role}_${name}`])
  const setting = (name: string) => sample[`${role}_${name}`]
  const backend = sample['backend'] as 'vllm' | 'sglang' | 'trtllm'
  const experts = shape('moe_tp') * shape('moe_ep') > 1
  const offload = role !== 'decode' && Number(sample['num_g2_blocks']) > 0
  return {
    worker_type: role === 'agg' ? 'aggregated' : role,
    engine_type: backend,
    aic_backend: backend,
    aic_backend_version: context.backendVersion,
    aic_system: String(sample['hardware_sku']),
    aic_model_path: String(sample['model_name']),
    aic_tp_size: shape('tp'),
    aic_attention_dp_size: shape('attention_dp'),
    max_num_batched_tokens: Number(setting('max_num_batched_tokens')),
    max_num_seqs: Number(setting('max_num_seqs')),
    block_size: Number(setting('block_size')),
    gpu_memory_utilization: Number(setting('gpu_memory_utilization')),
    enable_prefix_caching: setting('enable_prefix_caching') === true,
    ...(experts ? { aic_moe_tp_size: shape('moe_tp'), aic_moe_ep_size: shape('moe_ep') } : {}),
    ...pick(sample, ['aic_nextn', 'startup_time']),
    ...(offload ? pick(sample, KV_MANAGER_KEYS) : {}),
  }
}

function plannerConfig(sample: EvaluationPlan, context: DeploymentContext): Record<string, unknown> {
  const disagg = sample['deployment_mode'] === 'disagg'
  const gpus = (prefix: string) => Number(sample[`${prefix}tp`]) * Number(sample[`${prefix}attention_dp`])
  const bySla = context.optimizationTarget === 'sla'
  const sla = context.plannerSla
  const bounded = typeof sla?.ttft_ms === 'number' && typeof sla.itl_ms === 'number'
  if (bySla && sla !== null && !bounded)
    throw new SpicaError(
      'input',
      'planner-needs-ttft-and-itl',
      'autoscaling by SLA needs ttft_ms and itl_ms, not only e2e_ms',
      {
        hint: 'give ttft_ms and itl_ms, or planner_scaling_policy: [disabled]',
      },
    )
  return {
    mode: disagg ? 'disagg' : 'agg',
    optimization_target: context.optimizationTarget,
    report_interval_hours: null,
    live_dashboard_port: 0,
    ...pick(sample, PLANNER_KEYS),
    max_gpu_budget: sample['gpu_budget'],
    ...pick(sample, ['min_gpu_budget', 'min_endpoint']),
    ...(disagg ? { prefill_engine_num_gpu: gpus('prefill_') } : {}),
    decode_engine_num_gpu: gpus(disagg ? 'decode_' : ''),
    ...(bySla && bounded ? { ttft_ms: sla.ttft_ms, itl_ms: sla.itl_ms } : {}),
  }
}

/** The named keys that the sample has and that are not null. */
function pick(sample: EvaluationPlan, keys: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const key of keys) if (sample[key] !== undefined && sample[key] !== null) picked[key] = sample[key]
  return picked
}
