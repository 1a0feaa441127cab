import type { Optimizer, OptimizerOptions } from '@spica/schema'
import { hashLabels } from '../random/rng.js'
import { SobolSequence } from '../random/sobol.js'
import { createAskTellOptimizer } from '../trials/ask-tell-optimizer.js'

const MAX_INDEX = 2 ** 31 - 1

/**
 * Owen-scrambled Sobol points without repeats. The first suggestion is the defaults. Points of a finite space that
 * come up twice are passed over; when the sequence brings nothing new for a while, random unused points fill in.
 * @throws SpicaError (kind `input`) for bad options, a bad snapshot, bad counts and bad outcomes.
 */
export function createQuasiRandomOptimizer(options: OptimizerOptions): Optimizer {
  return createAskTellOptimizer('quasi-random', options, (initial, state) => {
    const sobol = new SobolSequence(initial.space.dimensions, hashLabels(options.seed, 2))
    const saved = (state as { next?: unknown } | null | undefined)?.next
    let next = typeof saved === 'number' && Number.isInteger(saved) && saved >= 0 ? saved : 0
    return {
      propose: (count, { space, ledger }, accept) => {
        const target = ledger.trials.length + count
        let fruitless = 0
        while (ledger.trials.length < target && fruitless < 256 && next < MAX_INDEX) {
          const before = ledger.trials.length
          accept(space.fromUnit(sobol.point(next++)))
          fruitless = ledger.trials.length > before ? 0 : fruitless + 1
        }
      },
      state: () => ({ next }),
    }
  })
}
