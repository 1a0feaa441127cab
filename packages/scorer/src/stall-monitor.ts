import { frontHypervolume, paretoCandidates, referencePointFor } from './candidate-front.js'
import type { ScoredCandidate } from './scored-candidate.js'
import { goalObjectives, type ScoringGoal } from './scoring-goal.js'

export interface StallOptions {
  readonly goal: ScoringGoal
  /** Smallest relative gain that counts as progress. @defaultValue 1e-9 */
  readonly relativeTolerance?: number
}

export interface StallState {
  /** Best score so far, or the hypervolume of the front so far; null before the first feasible candidate. */
  readonly value: number | null
  /** Whether the last round moved it. */
  readonly improved: boolean
  /** Rounds in a row without movement. Rounds before the first feasible candidate do not count. */
  readonly stalledRounds: number
}

/** Watches one study for lack of progress, round by round. Feeding the same rounds again gives the same states. */
export interface StallMonitor {
  observeRound(candidates: readonly ScoredCandidate[]): StallState
}

/**
 * A scalar goal moves when its best score does. A Pareto goal moves when the hypervolume of the new front exceeds that
 * of the old one, both measured from the reference point of everything seen so far: the point itself may wander.
 */
export function createStallMonitor(options: StallOptions): StallMonitor {
  const { goal } = options
  const tolerance = options.relativeTolerance ?? 1e-9
  const names = goalObjectives(goal)
  const isFront = goal.target === 'pareto'
  let best: ScoredCandidate[] = []
  /** The best as it was when it last counted as progress, so that many small gains add up. */
  let anchor: ScoredCandidate[] = []
  let reference: Record<string, number> = referencePointFor([], names)
  let stalledRounds = 0

  function measure(candidates: readonly ScoredCandidate[]): number {
    return isFront ? frontHypervolume(candidates, names, reference) : (candidates[0].score as number)
  }

  return {
    observeRound(candidates) {
      const all = [...best, ...candidates]
      if (all.length === 0) return { value: null, improved: false, stalledRounds }
      const seen = referencePointFor(candidates, names)
      reference = Object.fromEntries(names.map((name) => [name, Math.max(reference[name], seen[name])]))
      const next = isFront
        ? paretoCandidates(all, names).map((point) => point.candidate)
        : [all.reduce((top, one) => ((one.score as number) > (top.score as number) ? one : top))]
      const value = measure(next)
      const before = anchor.length === 0 ? null : measure(anchor)
      const improved = before === null || value - before > tolerance * Math.abs(before)
      stalledRounds = improved ? 0 : stalledRounds + 1
      best = next
      if (improved) anchor = next
      return { value, improved, stalledRounds }
    },
  }
}
