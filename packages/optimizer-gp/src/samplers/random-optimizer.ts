import type { Optimizer, OptimizerOptions } from '@spica/schema'
import { Rng } from '../random/rng.js'
import { createAskTellOptimizer, unusedPoint } from '../trials/ask-tell-optimizer.js'

/**
 * Uniform random search without repeats; levels and categories get equal shares. The first suggestion is the defaults.
 * @throws SpicaError (kind `input`) for bad options, a bad snapshot, bad counts and bad outcomes.
 */
export function createRandomOptimizer(options: OptimizerOptions): Optimizer {
  return createAskTellOptimizer('random', options, () => ({
    propose: (count, study, accept) => {
      for (let i = 0; i < count; i++) {
        const point = unusedPoint(study, new Rng(study.options.seed, 1, study.ledger.trials.length))
        if (point !== undefined) accept(point)
      }
    },
    state: () => null,
  }))
}
