/** One measured pass of the user's: all sequences alike. `isl` includes `context` already computed tokens. */
export type PerfPoint =
  | {
      readonly phase: 'prefill'
      readonly batch: number
      readonly isl: number
      readonly prefix: number
      readonly ms: number
    }
  | { readonly phase: 'decode'; readonly batch: number; readonly context: number; readonly ms: number }
