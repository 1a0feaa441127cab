/** Where an operator's time came from. */
export type OperatorSource =
  | 'measured'
  | 'interpolated'
  | 'extrapolated'
  | 'roofline'
  | 'estimate'
  | 'polynomial'
  | 'user-points'

/** Time of one operator inside one pass, all layers together. */
export interface OperatorTime {
  readonly name: string
  readonly ms: number
  readonly source: OperatorSource
}

/** One pass to explain. `isl` and `prefix` for prefill (`isl` includes `prefix`), `context` for decode; tokens. */
export type PassQuery =
  | { readonly phase: 'prefill'; readonly batch: number; readonly isl: number; readonly prefix: number }
  | {
      readonly phase: 'decode'
      readonly batch: number
      readonly context: number
      readonly activeKvTokens?: number
      readonly totalKvTokens?: number
    }

/**
 * Milliseconds of one engine pass. Implementations are pure and deterministic, never return NaN or infinity, return 0 for
 * an empty batch, and are monotone in batch, tokens and context.
 */
export interface PerfModel {
  /** Name shown to users, e.g. `roofline`. */
  readonly name: string
  /**
   * Prefill time of `batch` sequences with mean length `meanIsl` (tokens, prefix included) of which `meanPrefix` are already
   * computed. 0 when batch is 0 or meanIsl ≤ meanPrefix.
   */
  prefillMs(batch: number, meanIsl: number, meanPrefix: number): number
  /**
   * Decode time of one token for each of `batch` sequences of mean length `meanContext`, `activeKvTokens` of the
   * `totalKvTokens` in the pool being in use (models that ignore occupancy ignore both).
   */
  decodeMs(batch: number, activeKvTokens: number, meanContext: number, totalKvTokens: number): number
  /** Operators of a pass; their times add up to the pass. */
  explain(query: PassQuery): readonly OperatorTime[]
}
