import { type ObjectiveName, objectiveDirection } from './objectives.js'
import { hypervolume, paretoFrontWithAlternatives } from './pareto.js'
import { type ScoredCandidate, scoreVector } from './scored-candidate.js'

/** One distinct objective vector of a front. */
export interface FrontPoint<T> {
  /** The one with the fewest GPUs; among those the first given. */
  readonly candidate: T
  /** The others with the same vector: fewer GPUs first, then in the given order. */
  readonly alternatives: readonly T[]
}

export type CandidateFront<T> = readonly FrontPoint<T>[]

/**
 * The non-dominated candidates, each vector once. Sorted by the plain value of the last objective, ascending; equal
 * ones by the objective before it, and so on.
 */
export function paretoCandidates<T extends ScoredCandidate>(
  candidates: readonly T[],
  names: readonly ObjectiveName[],
): CandidateFront<T> {
  const front = paretoFrontWithAlternatives(candidates.map((candidate) => scoreVector(candidate, names)))
  return front
    .map(({ index, alternatives }) => {
      const group = [index, ...alternatives].map((i) => candidates[i]).sort((a, b) => a.usedGpus - b.usedGpus)
      return { candidate: group[0], alternatives: group.slice(1) }
    })
    .sort((a, b) => compareFromLast(a.candidate, b.candidate, names))
}

function compareFromLast(a: ScoredCandidate, b: ScoredCandidate, names: readonly ObjectiveName[]): number {
  for (let j = names.length - 1; j >= 0; j--) {
    const difference = a.objectives[names[j]] - b.objectives[names[j]]
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * A reference point in plain units for a set of candidates: 0 for maximised objectives, and for minimised ones the
 * worst value plus 1 % of it, so that every candidate spans a volume.
 */
export function referencePointFor(
  candidates: readonly ScoredCandidate[],
  names: readonly ObjectiveName[],
): Record<string, number> {
  const point: Record<string, number> = {}
  for (const name of names) {
    if (objectiveDirection(name) === 'maximize') point[name] = 0
    else point[name] = candidates.reduce((worst, candidate) => Math.max(worst, candidate.objectives[name]), 0) * 1.01
  }
  return point
}

/**
 * Exact hypervolume of the candidates' front, in the product of the objectives' units. `reference` is in plain units
 * too; default {@link referencePointFor} of the same candidates.
 */
export function frontHypervolume(
  candidates: readonly ScoredCandidate[],
  names: readonly ObjectiveName[],
  reference: Readonly<Record<string, number>> = referencePointFor(candidates, names),
): number {
  const bound = names.map((name) => (objectiveDirection(name) === 'minimize' ? -reference[name] : reference[name]))
  return hypervolume(
    candidates.map((candidate) => scoreVector(candidate, names)),
    bound,
  )
}
