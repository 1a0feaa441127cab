import { z } from 'zod'
import { positiveNumber, wholeNumber } from './numeric-fields.js'

/** How long and how wide to search. */
export interface SweepConfig {
  readonly max_rounds: number
  readonly parallel_evals: number
  /** New candidates per round; null = `parallel_evals`. */
  readonly candidates_per_round: number | null
  readonly random_seed: number
  /** Seconds one candidate may take, from its own start; null = no limit. */
  readonly max_eval_seconds: number | null
  /** Name of a built-in optimiser, or of a package that exports `createOptimizer`. */
  readonly optimizer: string
  /** Ends a study after this many rounds without progress; null = never. */
  readonly stop_after_stall_rounds: number | null
  /** Seconds the whole sweep may take; null = no limit. */
  readonly time_limit_seconds: number | null
}

const schema = z.strictObject({
  max_rounds: wholeNumber(1, 1_000_000).default(20).meta({ description: 'Rounds per deployment mode.' }),
  parallel_evals: wholeNumber(1, 100_000).default(16).meta({ description: 'Evaluations at once.' }),
  candidates_per_round: wholeNumber(1, 100_000)
    .nullable()
    .default(null)
    .meta({ description: 'New candidates per round; null = parallel_evals.' }),
  random_seed: z.int().default(1).meta({ description: 'Equal seeds give equal results.' }),
  max_eval_seconds: positiveNumber().nullable().default(600).meta({ description: 'Time limit of one candidate, s.' }),
  optimizer: z
    .string()
    .min(1)
    .max(4096)
    .default('gp')
    .meta({ description: 'gp, random, quasi-random, or a package that exports createOptimizer.' }),
  stop_after_stall_rounds: wholeNumber(1, 1_000_000)
    .nullable()
    .default(null)
    .meta({ description: 'Stop a study after this many rounds without progress.' }),
  time_limit_seconds: positiveNumber().nullable().default(null).meta({ description: 'Time limit of the sweep, s.' }),
})

export const sweepSchema: z.ZodObject = schema satisfies z.ZodType<SweepConfig>
