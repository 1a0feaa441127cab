/** What a scalar study optimises; all are maximised but `e2e_latency`. */
export type ScalarTarget =
  | 'throughput'
  | 'throughput_per_gpu'
  | 'throughput_per_user'
  | 'e2e_latency'
  | 'goodput'
  | 'goodput_per_gpu'

export type GoalTarget = ScalarTarget | 'pareto'

/** Latency bounds in milliseconds a request must meet to count as good; null = not bounded. */
export interface SlaConfig {
  readonly ttft_ms: number | null
  readonly itl_ms: number | null
  readonly e2e_ms: number | null
}

export interface GoalConfig {
  readonly target: GoalTarget
  readonly sla: SlaConfig | null
  /** Objectives of a pareto goal; null = the default pair, see `goalObjectives`. */
  readonly pareto_objectives: readonly ScalarTarget[] | null
}

/** Target family the autoscaler steers by. */
export type PlannerTarget = 'throughput' | 'latency' | 'sla'

export const SCALAR_TARGETS: readonly ScalarTarget[] = [
  'throughput',
  'throughput_per_gpu',
  'throughput_per_user',
  'e2e_latency',
  'goodput',
  'goodput_per_gpu',
]

export const GOAL_TARGETS: readonly GoalTarget[] = [...SCALAR_TARGETS, 'pareto']

/** The objectives of a goal, in order: its target, or those of its front. */
export function goalObjectives(goal: Pick<GoalConfig, 'target' | 'pareto_objectives'>): readonly ScalarTarget[] {
  if (goal.target !== 'pareto') return [goal.target]
  return goal.pareto_objectives ?? ['throughput_per_gpu', 'throughput_per_user']
}

/** True when larger values of the target are better. */
export function isMaximized(target: ScalarTarget): boolean {
  return target !== 'e2e_latency'
}

/** True for the targets that count requests within the SLA. */
export function needsSla(target: GoalTarget): boolean {
  return target === 'goodput' || target === 'goodput_per_gpu'
}

/** What the planner steers by under a goal: goodput targets by SLA, latency by latency, all else by throughput. */
export function plannerTarget(target: GoalTarget): PlannerTarget {
  if (needsSla(target)) return 'sla'
  return target === 'e2e_latency' ? 'latency' : 'throughput'
}
