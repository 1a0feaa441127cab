import { SpicaError } from '@spica/schema/core'

export type OptimizationTarget = 'throughput' | 'latency' | 'load' | 'sla'
export type LoadPredictorFamily = 'constant' | 'arima' | 'kalman' | 'prophet'

/** Planner settings, upstream's key names. Times in the unit of the name; budgets in GPUs; a negative budget bound is off. */
export interface PlannerConfig {
  readonly mode: 'agg' | 'disagg'
  readonly optimization_target: OptimizationTarget
  readonly enable_throughput_scaling: boolean
  readonly enable_load_scaling: boolean
  readonly throughput_adjustment_interval_seconds: number
  readonly load_adjustment_interval_seconds: number
  readonly max_gpu_budget: number
  readonly min_gpu_budget: number
  readonly min_endpoint: number
  readonly ttft_ms: number
  readonly itl_ms: number
  /** Samples each regression store keeps. */
  readonly max_num_fpm_samples: number
  /** Buckets of a store; a perfect square. */
  readonly fpm_sample_bucket_size: number
  /** Percent of the SLA a scale-down may use, 0–100. */
  readonly load_scaling_down_sensitivity: number
  readonly load_min_observations: number
  readonly load_predictor: LoadPredictorFamily
  readonly load_predictor_log1p: boolean
  readonly prophet_window_size: number
  readonly kalman_q_level: number
  readonly kalman_q_trend: number
  readonly kalman_r: number
  readonly kalman_min_points: number
  /** Queue thresholds (tokens) of target `load`; null = prefill is not scaled. */
  readonly prefill_scale_up_queue_tokens: number | null
  readonly prefill_scale_down_queue_tokens: number | null
  /** KV thresholds (percent) of target `load`; null = decode is not scaled. */
  readonly decode_scale_up_kv_rate: number | null
  readonly decode_scale_down_kv_rate: number | null
  readonly speculative_nextn: number
}

/** Upstream's defaults, all but `mode`. */
export const PLANNER_DEFAULTS: Omit<PlannerConfig, 'mode'> = {
  optimization_target: 'throughput',
  enable_throughput_scaling: true,
  enable_load_scaling: false,
  throughput_adjustment_interval_seconds: 180,
  load_adjustment_interval_seconds: 5,
  max_gpu_budget: 8,
  min_gpu_budget: -1,
  min_endpoint: 1,
  ttft_ms: 500,
  itl_ms: 50,
  max_num_fpm_samples: 64,
  fpm_sample_bucket_size: 16,
  load_scaling_down_sensitivity: 80,
  load_min_observations: 5,
  load_predictor: 'arima',
  load_predictor_log1p: false,
  prophet_window_size: 50,
  kalman_q_level: 1,
  kalman_q_trend: 0.1,
  kalman_r: 10,
  kalman_min_points: 5,
  prefill_scale_up_queue_tokens: null,
  prefill_scale_down_queue_tokens: null,
  decode_scale_up_kv_rate: null,
  decode_scale_down_kv_rate: null,
  speculative_nextn: 0,
}

/**
 * Keys of a live deployment that say nothing about a replay. They are accepted, so that payloads written for a cluster load,
 * only with a value that asks for nothing, and are listed in the documentation.
 */
const DEPLOYMENT_ONLY: Readonly<Record<string, readonly unknown[]>> = {
  report_interval_hours: [null],
  live_dashboard_port: [0],
  pre_deployment_sweeping_mode: [null, 'none'],
  environment: ['kubernetes', 'virtual'],
  backend: ['vllm', 'sglang', 'trtllm', 'mocker'],
  advisory: [true, false],
  aic_perf_model: [null],
}
const DESCRIPTIVE = new Set(['model_name', 'prefill_engine_num_gpu', 'decode_engine_num_gpu'])

type Rule = (value: unknown) => string | null
const whole =
  (min: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min ? null : `must be a whole number of at least ${min}`
const positive: Rule = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? null : 'must be a positive number'
const atLeastZero: Rule = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? null : 'must be a number of at least 0'
const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'must be true or false')
const oneOf =
  (...menu: readonly string[]): Rule =>
  (value) =>
    menu.includes(value as string) ? null : `must be one of ${menu.join(', ')}`
const nullable =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? null : rule(value)
const percent: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= 100 ? null : 'must be a percentage between 0 and 100'
const perfectSquare: Rule = (value) =>
  whole(1)(value) ?? (Number.isInteger(Math.sqrt(value as number)) ? null : 'must be a perfect square')

const RULES: Readonly<Record<keyof PlannerConfig, Rule>> = {
  mode: oneOf('agg', 'disagg'),
  optimization_target: oneOf('throughput', 'latency', 'load', 'sla'),
  enable_throughput_scaling: flag,
  enable_load_scaling: flag,
  throughput_adjustment_interval_seconds: positive,
  load_adjustment_interval_seconds: positive,
  max_gpu_budget: (value) => (Number.isSafeInteger(value) ? null : 'must be a whole number'),
  min_gpu_budget: (value) => (Number.isSafeInteger(value) ? null : 'must be a whole number'),
  min_endpoint: whole(0),
  ttft_ms: positive,
  itl_ms: positive,
  max_num_fpm_samples: whole(1),
  fpm_sample_bucket_size: perfectSquare,
  load_scaling_down_sensitivity: percent,
  load_min_observations: whole(1),
  load_predictor: oneOf('constant', 'arima', 'kalman', 'prophet'),
  load_predictor_log1p: flag,
  prophet_window_size: whole(1),
  kalman_q_level: atLeastZero,
  kalman_q_trend: atLeastZero,
  kalman_r: atLeastZero,
  kalman_min_points: whole(1),
  prefill_scale_up_queue_tokens: nullable(atLeastZero),
  prefill_scale_down_queue_tokens: nullable(atLeastZero),
  decode_scale_up_kv_rate: nullable(atLeastZero),
  decode_scale_down_kv_rate: nullable(atLeastZero),
  speculative_nextn: whole(0),
}

function invalid(path: string, message: string, hint?: string): SpicaError {
  return new SpicaError('input', 'invalid-planner-config', `planner config: ${path} ${message}`, {
    location: { path },
    ...(hint === undefined ? {} : { hint }),
  })
}

/**
 * Checks a planner payload and fills the defaults. Targets other than `sla` force load scaling on and throughput scaling
 * off, as upstream does.
 * @throws SpicaError `invalid-planner-config`
 */
export function resolvePlannerConfig(payload: unknown): PlannerConfig {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalid('(root)', 'must be a mapping')
  }
  const given = payload as Record<string, unknown>
  for (const [key, value] of Object.entries(given)) {
    if (key in RULES || DESCRIPTIVE.has(key)) continue
    const allowed = DEPLOYMENT_ONLY[key]
    if (allowed === undefined) throw invalid(key, 'is not a known key')
    if (!allowed.includes(value)) throw invalid(key, 'has no meaning in a replay', 'leave it out')
  }
  const config = { ...PLANNER_DEFAULTS, mode: 'disagg', ...pick(given) } as PlannerConfig
  for (const key of Object.keys(RULES) as (keyof PlannerConfig)[]) {
    const problem = RULES[key](config[key])
    if (problem !== null) throw invalid(key, problem)
  }
  return checkCombination(config)
}

function pick(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => key in RULES && value !== undefined))
}

function checkCombination(config: PlannerConfig): PlannerConfig {
  if (config.max_gpu_budget >= 0 && config.min_gpu_budget > config.max_gpu_budget) {
    throw invalid('min_gpu_budget', `must not exceed max_gpu_budget (${config.max_gpu_budget})`)
  }
  if (config.optimization_target !== 'sla') {
    if (config.optimization_target === 'load') checkLoadThresholds(config)
    return { ...config, enable_load_scaling: true, enable_throughput_scaling: false }
  }
  if (!config.enable_load_scaling && !config.enable_throughput_scaling) {
    throw invalid('enable_load_scaling', 'and enable_throughput_scaling are both off: there is nothing to plan')
  }
  if (
    config.enable_load_scaling &&
    config.enable_throughput_scaling &&
    config.load_adjustment_interval_seconds >= config.throughput_adjustment_interval_seconds
  ) {
    throw invalid('load_adjustment_interval_seconds', 'must be shorter than throughput_adjustment_interval_seconds')
  }
  return config
}

function checkLoadThresholds(config: PlannerConfig): void {
  const pairs = [
    ['decode_scale_up_kv_rate', 'decode_scale_down_kv_rate'],
    ['prefill_scale_up_queue_tokens', 'prefill_scale_down_queue_tokens'],
  ] as const
  for (const [up, down] of pairs) {
    if ((config[up] === null) !== (config[down] === null)) throw invalid(up, `and ${down} go together`)
    if (config[up] !== null && config[down] !== null && config[up] < config[down]) {
      throw invalid(up, `must not be below ${down}`)
    }
  }
  if (config.decode_scale_up_kv_rate === null) {
    throw invalid('decode_scale_up_kv_rate', 'is required with optimization_target load')
  }
}
