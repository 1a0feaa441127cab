import type { Optimizer, OptimizerOptions } from '@spica/schema'
import { GpProposer } from './gp-proposer.js'
import { DEFAULT_SETTINGS, type GpSettings } from './gp-settings.js'
import { createAskTellOptimizer } from './trials/ask-tell-optimizer.js'

/**
 * Gaussian-process optimiser for mixed spaces, one or several objectives, batches and infeasible outcomes.
 * The first suggestion is the defaults, the next seven (up to eleven with as many parameters) are Owen-scrambled Sobol
 * points, the rest come from the model.
 * @throws SpicaError (kind `input`) for bad options, a bad snapshot, bad counts and bad outcomes.
 */
export function createOptimizer(options: OptimizerOptions): Optimizer {
  return createTunedOptimizer(options, DEFAULT_SETTINGS)
}

/** {@link createOptimizer} with other settings; for measuring them. */
export function createTunedOptimizer(options: OptimizerOptions, settings: GpSettings): Optimizer {
  return createAskTellOptimizer('gp', options, (study, state) => new GpProposer(study, state, settings))
}
