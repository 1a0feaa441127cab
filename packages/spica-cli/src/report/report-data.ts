import type { Bottleneck } from './bottleneck.js'
import type { FailureSummary } from './failure-summary.js'
import type { KnobImportance } from './knob-importance.js'
import type { ProgressCurve } from './progress-curve.js'

/** One axis of the goal. */
export interface ReportObjective {
  readonly name: string
  /** Short name for people. */
  readonly label: string
  readonly unit: string
  readonly direction: 'maximize' | 'minimize'
}

/** A further figure of a replay that tables and axes can show. */
export interface ReportMeasure {
  readonly name: string
  readonly label: string
  readonly unit: string
  /** True when the table has a column for it; every measure can be an axis. */
  readonly table: boolean
}

/** A trial, feasible or not. */
export interface ReportTrial {
  readonly id: number
  readonly round: number
  readonly status: string
  readonly mode: string | null
  readonly backend: string | null
  /** Replicas and splits, e.g. `2×DEP8 + 6×DTP8`. */
  readonly shape: string | null
  /** The same without replica counts, e.g. `DEP8 + DTP8`. */
  readonly layout: string | null
  readonly gpus: number | null
  readonly reason: string | null
}

/** Figures and configuration of a feasible trial. */
export interface FeasibleTrial {
  readonly trial: number
  /** Objectives in plain units, by name. */
  readonly objectives: Readonly<Record<string, number>>
  readonly metrics: Readonly<Record<string, number>>
  /** The unrolled sample. */
  readonly config: Readonly<Record<string, unknown>>
}

/** One row of the latency table: mean, median, p75, p90, p95, p99, max. */
export interface PercentileRow {
  readonly label: string
  readonly unit: string
  readonly values: readonly (number | null)[]
}

/** What only the page of a deployment shows. */
export interface CandidateDetail {
  readonly percentiles?: readonly PercentileRow[]
  /** Columns over time by pool; `timeMs` in ms, shares 0…1. */
  readonly timeline?: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
  readonly events?: readonly {
    readonly time_ms: number
    readonly pool: string
    readonly from: number
    readonly to: number
  }[]
  /** Scaling decisions of the whole run, when `events` holds only the first. */
  readonly eventCount?: number
  readonly bottleneck?: Bottleneck
  readonly manifest?: readonly Manifest[]
}

/** A file of `export/`. */
export interface Manifest {
  readonly name: string
  readonly text: string
}

/** Points drawn over the plot: another run, or measurements. Absent values are not drawn. */
export interface Overlay {
  readonly label: string
  readonly points: readonly { readonly label: string; readonly values: Readonly<Record<string, number>> }[]
}

/** Where the figures come from. */
export interface Provenance {
  /** Name of the pass-time model, or null when the study does not say. */
  readonly perfModel: string | null
  /** Share of pass time by source (measured, interpolated, …) over the listed candidates; null when unknown. */
  readonly sources: readonly { readonly source: string; readonly share: number }[] | null
  readonly compat: readonly string[]
}

/** A ranked deployment, best first or along the front. */
export interface ReportCandidate {
  readonly trial: number
  /** Trials with exactly the same objectives. */
  readonly alternatives: readonly number[]
}

/** Everything a report shows. */
export interface ReportData {
  readonly title: string
  readonly model: string
  readonly hardware: string
  readonly kind: 'ranking' | 'front'
  /** Version of the program that writes the report. */
  readonly version: string
  readonly objectives: readonly ReportObjective[]
  readonly measures: readonly ReportMeasure[]
  /** Goal, traffic, search and versions, as label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly provenance: Provenance
  readonly notices: readonly string[]
  readonly trials: readonly ReportTrial[]
  readonly feasible: readonly FeasibleTrial[]
  readonly candidates: readonly ReportCandidate[]
  readonly details: ReadonlyMap<number, CandidateDetail>
  readonly importance: readonly KnobImportance[]
  readonly failures: FailureSummary
  /** Best value or hypervolume by trial; null without a feasible trial. */
  readonly progress: ProgressCurve | null
  readonly overlay: Overlay | null
}
