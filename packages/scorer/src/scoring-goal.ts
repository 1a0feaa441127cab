import type { GoalTarget, ObjectiveName } from './objectives.js'

/** The part of a config's `goal` section that scoring needs; a validated goal fits as it is. */
export interface ScoringGoal {
  readonly target: GoalTarget
  /** Axes of a Pareto goal; default throughput per GPU against throughput per user. Ignored by other targets. */
  readonly pareto_objectives?: readonly ObjectiveName[] | null | undefined
}

export const DEFAULT_PARETO_OBJECTIVES: readonly ObjectiveName[] = ['throughput_per_gpu', 'throughput_per_user']

/** The objectives of a goal: its target alone, or the axes of its front. */
export function goalObjectives(goal: ScoringGoal): readonly ObjectiveName[] {
  if (goal.target !== 'pareto') return [goal.target]
  return goal.pareto_objectives ?? DEFAULT_PARETO_OBJECTIVES
}
