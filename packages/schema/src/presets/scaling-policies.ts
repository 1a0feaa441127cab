/** When and how the planner scales worker pools. Intervals are seconds; null where the policy never scales. */
export interface ScalingPolicy {
  readonly enable_throughput_scaling: boolean
  readonly enable_load_scaling: boolean
  readonly throughput_adjustment_interval_seconds: number | null
  readonly load_adjustment_interval_seconds: number | null
}

export type ScalingPolicyName =
  | 'disabled'
  | 'throughput_180_5'
  | 'throughput_600_5'
  | 'load_180_5'
  | 'load_180_10'
  | 'hybrid_180_5'
  | 'hybrid_600_5'

/** A policy as a config lists it: the name of a preset, or all four fields. */
export type ScalingPolicyEntry = ScalingPolicyName | ScalingPolicy

function policy(throughput: boolean, load: boolean, throughputSeconds: number, loadSeconds: number): ScalingPolicy {
  return {
    enable_throughput_scaling: throughput,
    enable_load_scaling: load,
    throughput_adjustment_interval_seconds: throughputSeconds,
    load_adjustment_interval_seconds: loadSeconds,
  }
}

/** The named scaling policies, in the order in which they are searched by default. */
export const PLANNER_SCALING_POLICIES: Readonly<Record<ScalingPolicyName, ScalingPolicy>> = {
  disabled: {
    enable_throughput_scaling: false,
    enable_load_scaling: false,
    throughput_adjustment_interval_seconds: null,
    load_adjustment_interval_seconds: null,
  },
  throughput_180_5: policy(true, false, 180, 5),
  throughput_600_5: policy(true, false, 600, 5),
  load_180_5: policy(false, true, 180, 5),
  load_180_10: policy(false, true, 180, 10),
  hybrid_180_5: policy(true, true, 180, 5),
  hybrid_600_5: policy(true, true, 600, 5),
}

/** The fields behind a listed policy. */
export function resolveScalingPolicy(entry: ScalingPolicyEntry): ScalingPolicy {
  return typeof entry === 'string' ? PLANNER_SCALING_POLICIES[entry] : entry
}

/** True when the policy changes worker counts at all. */
export function scalesWorkers(entry: ScalingPolicyEntry): boolean {
  const { enable_throughput_scaling, enable_load_scaling } = resolveScalingPolicy(entry)
  return enable_throughput_scaling || enable_load_scaling
}
