import { SpicaError } from '@spica/schema/core'
import { type ObjectiveName, objectiveDirection } from './objectives.js'

/** A feasible candidate as ranking and fronts see it; callers' candidates carry more. */
export interface ScoredCandidate {
  /** GPUs of the initial deployment. */
  readonly usedGpus: number
  /** Signed, larger is better; null under a Pareto goal. */
  readonly score: number | null
  /** Plain value of each objective. */
  readonly objectives: Readonly<Record<string, number>>
}

/** The candidate's objectives as one vector, all maximised. Throws when one is absent or not finite. */
export function scoreVector(candidate: ScoredCandidate, names: readonly ObjectiveName[]): number[] {
  return names.map((name) => {
    const value = candidate.objectives[name]
    if (value === undefined || !Number.isFinite(value)) {
      throw new SpicaError('internal', 'unscored-candidate', `a candidate has no finite value of objective ${name}`, {
        details: { objective: name, value: String(value) },
      })
    }
    // Adding 0 turns −0 into 0, so that equal vectors are equal byte for byte.
    return (objectiveDirection(name) === 'minimize' ? -value : value) + 0
  })
}
