import { type CandidateFront, paretoCandidates } from './candidate-front.js'
import { rankCandidates } from './rank.js'
import type { ScoredCandidate } from './scored-candidate.js'
import { goalObjectives, type ScoringGoal } from './scoring-goal.js'

export type MergedCandidates<T> =
  | { readonly kind: 'ranking'; readonly candidates: readonly T[] }
  | { readonly kind: 'front'; readonly points: CandidateFront<T> }

/**
 * One result over the studies of all branches: a ranking under a scalar goal, one front under a Pareto goal. Ties keep
 * the order of the branches and, inside one, of its candidates.
 */
export function mergeBranches<T extends ScoredCandidate>(
  branches: readonly (readonly T[])[],
  goal: ScoringGoal,
): MergedCandidates<T> {
  const candidates = branches.flat()
  if (goal.target === 'pareto') return { kind: 'front', points: paretoCandidates(candidates, goalObjectives(goal)) }
  return { kind: 'ranking', candidates: rankCandidates(candidates) }
}
