import { type GoalConfig, type PlannerTarget, plannerTarget, type SlaConfig } from '../config/goal.js'
import { resolveScalingPolicy, type ScalingPolicyEntry, scalesWorkers } from '../presets/scaling-policies.js'

export type PolicyDropReason = 'throughput-scaling-needs-goodput-goal' | 'scaling-needs-ttft-and-itl'

export interface PolicyFilter {
  readonly kept: readonly ScalingPolicyEntry[]
  readonly dropped: readonly { readonly policy: ScalingPolicyEntry; readonly reason: PolicyDropReason }[]
}

/**
 * Drops policies that a goal cannot steer: throughput scaling unless the planner steers by SLA, and all scaling when
 * the SLA bounds only the whole request, since the planner steers by TTFT and ITL. `kept` may end up empty; a sweep
 * then has nothing to run.
 */
export function filterScalingPolicies(
  policies: readonly ScalingPolicyEntry[],
  goal: Pick<GoalConfig, 'target' | 'sla'>,
): PolicyFilter {
  const target = plannerTarget(goal.target)
  const kept: ScalingPolicyEntry[] = []
  const dropped: { policy: ScalingPolicyEntry; reason: PolicyDropReason }[] = []
  for (const policy of policies) {
    const { enable_throughput_scaling } = resolveScalingPolicy(policy)
    if (target !== 'sla' && enable_throughput_scaling) {
      dropped.push({ policy, reason: 'throughput-scaling-needs-goodput-goal' })
    } else if (scalingLacksBounds(target, goal.sla) && scalesWorkers(policy)) {
      dropped.push({ policy, reason: 'scaling-needs-ttft-and-itl' })
    } else {
      kept.push(policy)
    }
  }
  return { kept, dropped }
}

/** True when the planner would steer by an SLA that lacks `ttft_ms` or `itl_ms`. */
export function scalingLacksBounds(target: PlannerTarget, sla: Partial<SlaConfig> | null): boolean {
  return target === 'sla' && sla !== null && (sla.ttft_ms == null || sla.itl_ms == null)
}

/** Distinct throughput intervals in seconds, in order of first appearance: one predictor sweep runs for each. */
export function throughputIntervals(policies: readonly ScalingPolicyEntry[]): readonly number[] {
  const intervals = policies
    .map(resolveScalingPolicy)
    .filter((policy) => policy.enable_throughput_scaling)
    .map((policy) => policy.throughput_adjustment_interval_seconds)
  return [...new Set(intervals)].filter((seconds) => seconds !== null)
}

/**
 * Drops policies that behave exactly like an earlier one. Outside SLA goals every scaling policy is load scaling and
 * only its load interval counts; under SLA goals the throughput interval counts only where throughput scaling is on.
 */
export function distinctScalingPolicies(
  policies: readonly ScalingPolicyEntry[],
  target: PlannerTarget,
): readonly ScalingPolicyEntry[] {
  const seen = new Set<string>()
  return policies.filter((entry) => {
    const key = policyBehaviour(entry, target)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function policyBehaviour(entry: ScalingPolicyEntry, target: PlannerTarget): string {
  if (!scalesWorkers(entry)) return 'static'
  const policy = resolveScalingPolicy(entry)
  const loadSeconds = policy.load_adjustment_interval_seconds
  if (target !== 'sla') return `load ${loadSeconds}`
  const throughputSeconds = policy.enable_throughput_scaling ? policy.throughput_adjustment_interval_seconds : null
  return `${policy.enable_load_scaling} ${loadSeconds} ${throughputSeconds}`
}
