import { z } from 'zod'
import { positiveNumber, wholeNumber } from './numeric-fields.js'
import type { SweepConfig } from './sweep.js'
import { textField } from './text-field.js'

const schema = z.strictObject({
  max_rounds: wholeNumber(1, 1_000_000).default(20).meta({ description: 'Rounds per deployment mode.' }),
  parallel_evals: wholeNumber(1, 100_000).default(16).meta({ description: 'Evaluations at once.' }),
  candidates_per_round: wholeNumber(1, 100_000)
    .nullable()
    .default(null)
    .meta({ description: 'New candidates per round; null = parallel_evals.' }),
  random_seed: z.int().default(1).meta({ description: 'Equal seeds give equal results.' }),
  max_eval_seconds: positiveNumber().nullable().default(600).meta({ description: 'Time limit of one candidate, s.' }),
  optimizer: textField()
    .default('gp')
    .meta({ description: 'gp, random, quasi-random, or a package that exports createOptimizer.' }),
  stop_after_stall_rounds: wholeNumber(1, 1_000_000)
    .nullable()
    .default(null)
    .meta({ description: 'Stop a study after this many rounds without progress.' }),
  time_limit_seconds: positiveNumber().nullable().default(null).meta({ description: 'Time limit of the sweep, s.' }),
})

export const sweepSchema: z.ZodObject = schema satisfies z.ZodType<SweepConfig>
