import {
  carryIdleShapes,
  forecasterSpecOf,
  type PredictorCandidate,
  type PredictorSweepResult,
  resolvePlannerConfig,
  sweepPredictors,
  traceWindows,
} from '@spica/planner'
import { type SharedWorkload, workloadFromShared } from '@spica/replay-sim'
import {
  type Compat,
  type LoadPredictorEntry,
  resolveLoadPredictor,
  type ScalingPolicyEntry,
  type SpicaConfig,
  throughputIntervals,
} from '@spica/schema'

/** The forecaster chosen for each throughput interval, seconds, and how it was chosen. */
export interface PredictorPlan {
  readonly winners: Readonly<Record<string, LoadPredictorEntry>>
  readonly sweeps: readonly PredictorSweepResult[]
}

/** Candidates with a name each: a preset's own, or `custom-N` for the N-th mapping of the list. */
export function predictorCandidates(
  entries: readonly LoadPredictorEntry[],
  intervalSeconds: number,
): readonly (PredictorCandidate & { entry: LoadPredictorEntry })[] {
  return entries.map((entry, index) => ({
    id: typeof entry === 'string' ? entry : `custom-${index + 1}`,
    entry,
    spec: forecasterSpecOf(
      resolvePlannerConfig({
        mode: 'agg',
        throughput_adjustment_interval_seconds: intervalSeconds,
        ...resolveLoadPredictor(entry),
      }),
    ),
  }))
}

/** Finds the best forecaster of the trace for every throughput interval of the policies; `constant_last` without a trace. */
export function planPredictors(
  config: SpicaConfig,
  policies: readonly ScalingPolicyEntry[],
  trace: SharedWorkload | null,
  compat: readonly Compat[],
): PredictorPlan {
  const winners: Record<string, LoadPredictorEntry> = {}
  const sweeps: PredictorSweepResult[] = []
  for (const interval of [...throughputIntervals(policies)].sort((a, b) => a - b)) {
    if (trace === null || config.workload.replay_concurrency !== null) {
      winners[String(interval)] = 'constant_last'
      continue
    }
    const candidates = predictorCandidates(config.search_space.load_predictor_candidates, interval)
    const workload = workloadFromShared(trace)
    const timed = { timestampMs: workload.arrivalMs.filter((ms) => !Number.isNaN(ms)), ...lengthsOfTimed(workload) }
    // Arrivals are sped up already; upstream cuts the trace at its own pace.
    const upstream = compat.includes('dynamo-1.4')
    const windows = traceWindows(timed, interval, upstream ? 1 / config.workload.arrival_speedup_ratio : 1)
    const sweep = sweepPredictors(upstream ? windows : carryIdleShapes(windows), candidates, interval)
    sweeps.push(sweep)
    winners[String(interval)] = candidates.find((candidate) => candidate.id === sweep.winner)?.entry ?? 'constant_last'
  }
  return { winners, sweeps }
}

/** Lengths of the requests that have an arrival of their own; later turns of a session have none. */
function lengthsOfTimed(workload: {
  readonly arrivalMs: Float64Array
  readonly inputTokens: Int32Array
  readonly outputTokens: Int32Array
}): { inputTokens: Int32Array; outputTokens: Int32Array } {
  const timed = (column: Int32Array) => column.filter((_, request) => !Number.isNaN(workload.arrivalMs[request]))
  return { inputTokens: timed(workload.inputTokens), outputTokens: timed(workload.outputTokens) }
}
