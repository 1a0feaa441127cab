import type { PerfPoint, SharedPerfDatabase } from '@spica/perf-model'
import type { SharedWorkload } from '@spica/replay-sim'
import type { Backend, Compat, GoalConfig, HardwareSpec, ModelSpec, PerfModelName, WorkloadConfig } from '@spica/schema'

/** What decides pass times. */
export interface PerfSettings {
  readonly model: PerfModelName
  /** Measured tables of the `table` model, loaded. */
  readonly database: SharedPerfDatabase | null
  /** The user's own measurements, for the roofline. */
  readonly points: readonly PerfPoint[] | null
  /** Version of each backend whose timing is used. */
  readonly backendVersions: Readonly<Partial<Record<Backend, string>>>
}

/**
 * Everything an evaluation needs besides its candidate: plain data and typed arrays, without paths, the same in this
 * thread, in another one and on another machine.
 */
export interface EvaluationSettings {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  /** Paths taken out. */
  readonly workload: Omit<WorkloadConfig, 'trace_path'>
  /** The trace, or null for a synthetic load. */
  readonly trace: SharedWorkload | null
  readonly goal: GoalConfig
  readonly perf: PerfSettings
  /** Seed of router ties and temperatures. */
  readonly seed: number
  readonly compat: readonly Compat[]
}
