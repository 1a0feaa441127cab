import type { ExecutorOutcome, GoalConfig } from '@spica/schema'
import { scoreReport } from '@spica/scorer'
import type { EvaluationResult } from '../evaluation/evaluation-result.js'
import type { Realised } from './branch.js'
import { type Trial, trialHead } from './round.js'
import type { TrialRecord } from './trial-record.js'

/** Turns what an executor answered into a finished trial, scored under the goal. */
export function settleOutcome(
  trial: Trial,
  realised: Extract<Realised, { kind: 'candidate' }>,
  outcome: ExecutorOutcome,
  branch: string,
  goal: GoalConfig,
): TrialRecord {
  const base = {
    ...trialHead({ ...trial, realised }, branch),
    repeats: null,
    timings: { started_ms: Math.round(outcome.startedMs), duration_ms: Math.round(outcome.durationMs * 1000) / 1000 },
    worker: outcome.worker,
  }
  const failed = (
    status: 'failed' | 'timed-out',
    code: string,
    message: string,
    result?: EvaluationResult,
  ): TrialRecord => ({
    ...base,
    status,
    reason: { code, message },
    metrics: result === undefined ? null : { ...result.metrics },
    notes: null,
    objectives: null,
    score: null,
  })
  if (outcome.status !== 'done')
    return failed(outcome.status === 'timed-out' ? 'timed-out' : 'failed', outcome.code, outcome.message)
  const result = outcome.result as EvaluationResult
  const [nonFinite] = result.notes.non_finite
  if (nonFinite !== undefined)
    return failed('failed', 'non-finite-metric', `${nonFinite} is not a finite number`, result)
  const scored = scoreReport(result.metrics, goal)
  if (scored.status === 'failed') return failed('failed', scored.code, scored.message, result)
  return {
    ...base,
    status: 'feasible',
    reason: null,
    metrics: { ...result.metrics },
    notes: { ...result.notes },
    objectives: { ...scored.objectives },
    score: scored.score,
  }
}
