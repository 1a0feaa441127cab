import { keptMetrics, METRIC_KEYS, type MetricKey } from './metrics.js'
import {
  avgGpus,
  type ObjectiveName,
  objectiveScore,
  objectiveValue,
  type ReportMetrics,
  requiredMetric,
} from './objectives.js'
import { goalObjectives, type ScoringGoal } from './scoring-goal.js'

/** A report that can be ranked. All numbers are finite. */
export interface ScoredReport {
  readonly status: 'scored'
  /** Signed, larger is better; null under a Pareto goal. */
  readonly score: number | null
  /** Plain value of each objective of the goal, in the goal's order. */
  readonly objectives: Readonly<Record<string, number>>
  /** GPUs in use on average, positive. */
  readonly avgGpus: number
  readonly metrics: Readonly<Partial<Record<MetricKey, number>>>
}

export type ScoreFailureCode =
  | 'missing-metric'
  | 'missing-cost'
  | 'negative-metric'
  | 'no-completed-requests'
  | 'non-finite-metric'

/** A report that must count as a failed evaluation. */
export interface ScoreFailure {
  readonly status: 'failed'
  readonly code: ScoreFailureCode
  readonly message: string
  /** Report key at fault. */
  readonly metric: string
}

export type ScoreResult = ScoredReport | ScoreFailure

/**
 * Objectives and score of a report under a goal, or why it cannot be trusted: a kept metric or an objective that is
 * not finite or negative, a metric the goal needs that is absent, no GPU time or no duration (its cost would be
 * nothing, whatever the goal), or not one finished request.
 */
export function scoreReport(report: ReportMetrics, goal: ScoringGoal): ScoreResult {
  const names = goalObjectives(goal)
  const failure = findFailure(report, names)
  if (failure !== null) return failure
  const objectives: Record<string, number> = {}
  for (const name of names) {
    const value = objectiveValue(report, name)
    // A quotient of finite numbers can still overflow.
    if (!Number.isFinite(value)) return failed('non-finite-metric', requiredMetric(name), `${name} is not finite`)
    objectives[name] = value
  }
  return {
    status: 'scored',
    score: goal.target === 'pareto' ? null : objectiveScore(report, goal.target),
    objectives,
    avgGpus: avgGpus(report),
    metrics: keptMetrics(report),
  }
}

function findFailure(report: ReportMetrics, names: readonly ObjectiveName[]): ScoreFailure | null {
  for (const key of METRIC_KEYS) {
    const value = report[key]
    if (isAbsent(value)) continue
    if (!Number.isFinite(value)) return failed('non-finite-metric', key, `${key} is ${value}, not a finite number`)
    if (value < 0) return failed('negative-metric', key, `${key} is ${value}, below zero`)
  }
  if (report['completed_requests'] === 0) {
    return failed('no-completed-requests', 'completed_requests', 'no request was completed')
  }
  for (const key of ['duration_ms', 'gpu_hours']) {
    const value = report[key]
    if (isAbsent(value) || value === 0) {
      return failed('missing-cost', key, `${key} is ${value === 0 ? 0 : 'absent'}, so the run has no cost`)
    }
  }
  for (const name of names) {
    const key = requiredMetric(name)
    if (isAbsent(report[key])) return failed('missing-metric', key, `${name} needs ${key}, which the report lacks`)
  }
  if (!(avgGpus(report) > 0) || !Number.isFinite(avgGpus(report))) {
    return failed('missing-cost', 'gpu_hours', 'gpu_hours and duration_ms give no usable GPU count')
  }
  return null
}

/** A metric that is not there; null is what JSON makes of a NaN that crossed a process boundary. */
function isAbsent(value: number | null | undefined): value is null | undefined {
  return value === undefined || value === null
}

function failed(code: ScoreFailureCode, metric: string, message: string): ScoreFailure {
  return { status: 'failed', code, metric, message }
}
