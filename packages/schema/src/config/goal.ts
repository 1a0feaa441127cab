import { z } from 'zod'
import { positiveNumber } from './numeric-fields.js'

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

const bound = (name: string) =>
  positiveNumber()
    .nullable()
    .default(null)
    .meta({ description: `${name} bound, ms.` })

const sla = z.strictObject({
  ttft_ms: bound('Time to first token'),
  itl_ms: bound('Inter-token latency'),
  e2e_ms: bound('End-to-end latency'),
})

const schema = z.strictObject({
  target: z
    .enum(GOAL_TARGETS)
    .default('throughput')
    .meta({ description: 'What to optimise; pareto keeps a front over pareto_objectives.' }),
  sla: sla
    .nullable()
    .default(null)
    .meta({ description: 'Latency bounds; goodput needs e2e_ms, or ttft_ms and itl_ms.' }),
  pareto_objectives: z
    .array(z.enum(SCALAR_TARGETS))
    .nullable()
    .default(null)
    .meta({ description: 'Two or more distinct objectives; only with target pareto.' }),
})

export const goalSchema: z.ZodObject = schema satisfies z.ZodType<GoalConfig>

export const slaKeys: readonly string[] = Object.keys(sla.shape)
