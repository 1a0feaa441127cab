import type { GoalConfig } from '@spica/schema'
import { keptMetrics, mergeBranches } from '@spica/scorer'
import type { SweepCandidate } from './sweep-result.js'
import type { TrialRecord } from './trial-record.js'

/** Ranking or front over the feasible trials of all branches; branches and trials in the order they ran. */
export function mergeTrials(
  trials: readonly TrialRecord[],
  goal: GoalConfig,
): { readonly kind: 'ranking' | 'front'; readonly candidates: readonly SweepCandidate[] } {
  const byBranch = new Map<string, ScoredTrial[]>()
  for (const record of [...trials].sort((a, b) => a.id - b.id)) {
    const scored = scoredTrial(record)
    if (scored === null) continue
    const list = byBranch.get(record.branch)
    if (list === undefined) byBranch.set(record.branch, [scored])
    else list.push(scored)
  }
  const merged = mergeBranches([...byBranch.values()], goal)
  if (merged.kind === 'ranking')
    return { kind: 'ranking', candidates: merged.candidates.map((candidate) => candidateOf(candidate, [])) }
  return {
    kind: 'front',
    candidates: merged.points.map((point) => candidateOf(point.candidate, point.alternatives)),
  }
}

/** A feasible trial in the scorer's terms. */
export interface ScoredTrial {
  readonly usedGpus: number
  readonly score: number | null
  readonly objectives: Readonly<Record<string, number>>
  readonly record: TrialRecord
}

/** The scorer's view of a trial; null unless it is feasible. */
export function scoredTrial(record: TrialRecord): ScoredTrial | null {
  if (record.status !== 'feasible' || record.objectives === null || record.used_gpus === null) return null
  return { usedGpus: record.used_gpus, score: record.score, objectives: record.objectives, record }
}

function candidateOf({ record }: ScoredTrial, alternatives: readonly ScoredTrial[]): SweepCandidate {
  return {
    config: record.config ?? {},
    used_gpus: record.used_gpus ?? 0,
    score: record.score,
    metrics: keptMetrics(record.metrics ?? {}) as Record<string, number>,
    objectives: record.objectives ?? {},
    trial: record.id,
    alternatives: alternatives.map((alternative) => alternative.record.id).sort((a, b) => a - b),
  }
}
