import { type ObjectiveName, objectiveDirection } from './objectives.js'
import { dominates } from './pareto.js'
import { type ScoredCandidate, scoreVector } from './scored-candidate.js'

/** A candidate that beats another one everywhere, and by how much. */
export interface Dominator<T> {
  readonly candidate: T
  /** Advantage per objective in plain units, never negative. */
  readonly margins: Readonly<Record<string, number>>
}

/** Those of `others` that dominate `candidate`, in the given order. Empty for a member of the front. */
export function dominators<T extends ScoredCandidate>(
  candidate: ScoredCandidate,
  others: readonly T[],
  names: readonly ObjectiveName[],
): Dominator<T>[] {
  const own = scoreVector(candidate, names)
  return others
    .filter((other) => dominates(scoreVector(other, names), own))
    .map((other) => ({
      candidate: other,
      margins: Object.fromEntries(
        names.map((name) => {
          const gain = other.objectives[name] - candidate.objectives[name]
          return [name, (objectiveDirection(name) === 'minimize' ? -gain : gain) + 0]
        }),
      ),
    }))
}
