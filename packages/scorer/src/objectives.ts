/** What a goal can optimise for on one axis; upstream's names. */
export type ObjectiveName =
  | 'throughput'
  | 'throughput_per_gpu'
  | 'throughput_per_user'
  | 'e2e_latency'
  | 'goodput'
  | 'goodput_per_gpu'

/** A goal's target: one objective, or a front over several. */
export type GoalTarget = ObjectiveName | 'pareto'

/** The keys of a replay report that scoring reads; every `ReplayReport` is one. Absent keys are `undefined`. */
export interface ReportMetrics {
  readonly [key: string]: number | undefined
}

interface ObjectiveDefinition {
  /** Report key the value comes from. */
  readonly metric: string
  readonly perGpu: boolean
  readonly direction: 'maximize' | 'minimize'
  /** Value of the formula when the metric is absent. */
  readonly whenMissing: number
  readonly unit: string
}

const DEFINITIONS: Readonly<Record<ObjectiveName, ObjectiveDefinition>> = {
  throughput: {
    metric: 'output_throughput_tok_s',
    perGpu: false,
    direction: 'maximize',
    whenMissing: 0,
    unit: 'tok/s',
  },
  throughput_per_gpu: {
    metric: 'output_throughput_tok_s',
    perGpu: true,
    direction: 'maximize',
    whenMissing: 0,
    unit: 'tok/s/GPU',
  },
  throughput_per_user: {
    metric: 'mean_output_token_throughput_per_user',
    perGpu: false,
    direction: 'maximize',
    whenMissing: 0,
    unit: 'tok/s/user',
  },
  e2e_latency: {
    metric: 'mean_e2e_latency_ms',
    perGpu: false,
    direction: 'minimize',
    whenMissing: Number.POSITIVE_INFINITY,
    unit: 'ms',
  },
  goodput: {
    metric: 'goodput_output_throughput_tok_s',
    perGpu: false,
    direction: 'maximize',
    whenMissing: 0,
    unit: 'tok/s',
  },
  goodput_per_gpu: {
    metric: 'goodput_output_throughput_tok_s',
    perGpu: true,
    direction: 'maximize',
    whenMissing: 0,
    unit: 'tok/s/GPU',
  },
}

/** All objectives, in upstream's order. */
export const OBJECTIVE_NAMES: readonly ObjectiveName[] = [
  'throughput',
  'throughput_per_gpu',
  'throughput_per_user',
  'e2e_latency',
  'goodput',
  'goodput_per_gpu',
]

/** Every objective is maximised, but for `e2e_latency`. */
export function objectiveDirection(name: ObjectiveName): 'maximize' | 'minimize' {
  return DEFINITIONS[name].direction
}

/** Unit of an objective's plain value, for tables and axes. */
export function objectiveUnit(name: ObjectiveName): string {
  return DEFINITIONS[name].unit
}

/** Report key an objective is computed from. */
export function requiredMetric(name: ObjectiveName): string {
  return DEFINITIONS[name].metric
}

/**
 * GPUs in use on average over the run: GPU-hours (start-up, serving and draining) over the duration of serving.
 * 0 when either is absent or not positive.
 */
export function avgGpus(report: ReportMetrics): number {
  const gpuHours = report['gpu_hours'] ?? 0
  const durationMs = report['duration_ms'] ?? 0
  if (!(gpuHours > 0) || !(durationMs > 0)) return 0
  return (gpuHours * 3600) / (durationMs / 1000)
}

/**
 * Plain value of one objective, in its own unit and never sign-flipped. The bare formula: absent rates count as 0, an
 * absent latency as infinite, and per-GPU rates are 0 where the GPU count is. `scoreReport` refuses such reports.
 */
export function objectiveValue(report: ReportMetrics, name: ObjectiveName): number {
  const { metric, perGpu, whenMissing } = DEFINITIONS[name]
  const value = report[metric] ?? whenMissing
  if (!perGpu) return value
  const gpus = avgGpus(report)
  return gpus > 0 ? value / gpus : 0
}

/** Signed value, larger is better: the plain value, negated where it is minimised. */
export function objectiveScore(report: ReportMetrics, name: ObjectiveName): number {
  const value = objectiveValue(report, name)
  return DEFINITIONS[name].direction === 'minimize' ? -value : value
}

/** True when plain value `a` beats `b` on this objective. */
export function isBetter(name: ObjectiveName, a: number, b: number): boolean {
  return DEFINITIONS[name].direction === 'minimize' ? a < b : a > b
}
