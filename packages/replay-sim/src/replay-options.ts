import type { EngineArgs, PerfModel, Planner, ReplayReport } from '@spica/schema'
import type { ReplayCompat } from './compat.js'
import type { RequestRow } from './report/request-row.js'
import type { SlaThresholds } from './report/sla.js'
import type { RouterConfig } from './router/router-config.js'
import type { LoadMode, Workload } from './workload/workload.js'

/**
 * One deployment and one workload. Aggregated runs give `engine`; disaggregated ones give `prefill` and `decode` instead.
 * Engine arguments come from `parseEngineArgs`, router settings from `parseRouterConfig`.
 */
export interface ReplayOptions {
  readonly workload: Workload
  readonly load: LoadMode
  readonly engine?: EngineArgs
  readonly prefill?: EngineArgs
  readonly decode?: EngineArgs
  /** Workers at the start; default 1. */
  readonly workers?: number
  readonly prefillWorkers?: number
  readonly decodeWorkers?: number
  /** Default `round_robin`. */
  readonly routerMode?: 'round_robin' | 'kv_router'
  readonly routerConfig?: RouterConfig
  /** Pass times; default the built-in occupancy polynomial. The role-specific ones win. */
  readonly perfModel?: PerfModel
  readonly prefillPerfModel?: PerfModel
  readonly decodePerfModel?: PerfModel
  /** Autoscaler called back during the run. */
  readonly planner?: Planner
  /** Goodput thresholds; goodput keys are absent without. */
  readonly sla?: SlaThresholds
  /** Stop the clock here, ms; requests still in flight stay unfinished. */
  readonly maxSimTimeMs?: number
  /** Seed of router ties, router temperature; default 0. */
  readonly seed?: number
  /** Restores upstream's quirks. */
  readonly compat?: ReplayCompat
  /**
   * `pass-by-pass` runs every scheduler iteration on its own, for comparison; the default skips through steady decoding.
   * Results are the same.
   */
  readonly engineKind?: 'coalescing' | 'pass-by-pass'
  /** Host clock in ms for `wall_time_ms`, e.g. `() => performance.now()`; without one it is 0. */
  readonly clockMs?: () => number
  /** Called once per terminal request after the run, sorted by arrival (ties by position in the workload). */
  readonly onRequest?: (row: RequestRow) => void
}

/** Load of one pool at one moment. */
export interface TimelinePoint {
  readonly timeMs: number
  readonly pool: 'prefill' | 'decode'
  readonly activeWorkers: number
  readonly startingWorkers: number
  readonly drainingWorkers: number
  readonly runningRequests: number
  readonly waitingRequests: number
  /** Share of the pool's KV blocks in use, 0…1. */
  readonly kvUtilisation: number
  /** Share of live workers inside a pass, 0…1. */
  readonly busyWorkers: number
}

/** A change of a pool's target made by the planner. */
export interface ScalingEvent {
  readonly timeMs: number
  readonly pool: 'prefill' | 'decode'
  readonly fromCount: number
  readonly toCount: number
}

export interface DetailedReplay {
  readonly report: ReplayReport
  /** At most a few hundred points a pool, evenly spaced in simulated time. */
  readonly timeline: readonly TimelinePoint[]
  readonly scalingEvents: readonly ScalingEvent[]
}
