import { SpicaError } from '@spica/schema/core'

export interface RankableCandidate {
  /** Signed, larger is better. Never NaN. */
  readonly score: number | null
  readonly usedGpus: number
}

/** Best score first; equal scores by fewer GPUs, then in the given order. The input is left alone. */
export function rankCandidates<T extends RankableCandidate>(candidates: readonly T[]): T[] {
  for (const { score } of candidates) {
    if (score === null || Number.isNaN(score)) {
      throw new SpicaError('internal', 'unscored-candidate', `a candidate with score ${score} cannot be ranked`)
    }
  }
  return [...candidates].sort((a, b) => compareScores(a.score as number, b.score as number) || a.usedGpus - b.usedGpus)
}

/** Infinities included, where a difference would be NaN. */
function compareScores(a: number, b: number): number {
  return a > b ? -1 : a < b ? 1 : 0
}
