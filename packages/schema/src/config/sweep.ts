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
