export type Parameter =
  | { name: string; kind: 'float'; min: number; max: number; scale?: 'linear' | 'log'; default?: number }
  | { name: string; kind: 'integer'; min: number; max: number; default?: number }
  | { name: string; kind: 'discrete'; values: readonly number[]; scale?: 'linear' | 'log'; default?: number }
  | { name: string; kind: 'categorical'; values: readonly string[]; default?: string }

export interface Objective {
  name: string
  direction: 'maximize' | 'minimize'
  /** Reference point of the hypervolume, in the objective's own units; default: worst observed less 1 % of the range. */
  referencePoint?: number
}

export interface Suggestion {
  id: number
  parameters: Readonly<Record<string, number | string>>
}

export type Outcome =
  | { id: number; status: 'complete'; metrics: Readonly<Record<string, number>> }
  | { id: number; status: 'infeasible'; reason: string }

/** Ask/tell optimiser. Deterministic: equal options and equal calls give equal suggestions. */
export interface Optimizer {
  /** Up to `count` new suggestions, none equal to a told or pending one; fewer when a finite space is exhausted. */
  ask(count: number): Suggestion[]
  /** Outcomes of asked suggestions, in any order; a repeated equal tell is ignored. */
  tell(outcomes: readonly Outcome[]): void
  /** JSON state; restored through `OptimizerOptions.snapshot`. */
  snapshot(): unknown
}

export interface OptimizerOptions {
  parameters: readonly Parameter[]
  objectives: readonly Objective[]
  seed: number
  snapshot?: unknown
}

/** Every optimiser package exports a function of this type as `createOptimizer`. */
export type CreateOptimizer = (options: OptimizerOptions) => Optimizer
