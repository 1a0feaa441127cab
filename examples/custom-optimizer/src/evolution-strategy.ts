import { createAskTellOptimizer, mutate, type Point, Rng, type StudyView, unusedPoint } from '@spica/optimizer-gp'
import type { Optimizer, OptimizerOptions } from '@spica/schema'

/** Told points, the best first: by the sum of their ranks over all objectives. */
function parents({ ledger, options }: StudyView): Point[] {
  const complete = ledger.trials.filter((trial) => trial.status === 'complete')
  const rankSums = new Map(complete.map((trial) => [trial.id, 0]))
  options.objectives.forEach(({ direction }, m) => {
    const sign = direction === 'maximize' ? -1 : 1
    const sorted = [...complete].sort((a, b) => sign * (a.metrics![m]! - b.metrics![m]!) || a.id - b.id)
    sorted.forEach((trial, rank) => {
      rankSums.set(trial.id, rankSums.get(trial.id)! + rank)
    })
  })
  return complete.sort((a, b) => rankSums.get(a.id)! - rankSums.get(b.id)! || a.id - b.id).map(({ point }) => point)
}

/**
 * A small evolution strategy: the first ten suggestions are random, later ones are mutations of the best five so far,
 * with steps that shrink as the study grows. Every random number is drawn from the seed and the id of the suggestion,
 * so nothing but the trials has to be kept in a snapshot.
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  return createAskTellOptimizer('example-evolution-strategy', options, () => ({
    propose: (count, study, accept) => {
      const { ledger, space } = study
      const best = parents(study).slice(0, 5)
      for (let i = 0; i < count; i++) {
        const id = ledger.trials.length
        const rng = new Rng(options.seed, id)
        const sigma = 0.3 / (1 + id / 20)
        let child: Point | undefined
        if (id >= 10 && best.length > 0) {
          for (let attempt = 0; attempt < 20 && (child === undefined || ledger.has(child)); attempt++) {
            child = mutate(space, best[rng.below(best.length)]!, sigma, 0.3, rng)
          }
        }
        if (child === undefined || ledger.has(child)) child = unusedPoint(study, rng)
        if (child === undefined) return
        accept(child)
      }
    },
    state: () => null,
  }))
}
