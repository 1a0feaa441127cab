/** Kinds of signal an engine raises. */
export const SIGNAL_FIRST_TOKEN = 0 as const
/** All output produced (or none was wanted). */
export const SIGNAL_COMPLETED = 1 as const
/** The request can not be served; no tokens, or no more tokens. */
export const SIGNAL_REJECTED = 2 as const
/** Prefill side: prompt computed, KV held until `releaseSource`. */
export const SIGNAL_SOURCE_HELD = 3 as const
/** Decode side: destination blocks reserved; value = newly taken blocks · block size, tokens. */
export const SIGNAL_RESERVED = 4 as const

export type SignalKind =
  | typeof SIGNAL_FIRST_TOKEN
  | typeof SIGNAL_COMPLETED
  | typeof SIGNAL_REJECTED
  | typeof SIGNAL_SOURCE_HELD
  | typeof SIGNAL_RESERVED

/**
 * Signals of one engine in output order, reused between passes. A first token that is also the last raises only
 * `SIGNAL_COMPLETED`.
 */
export class SignalList {
  count = 0
  readonly kinds: SignalKind[] = []
  readonly requests: number[] = []
  readonly values: number[] = []

  push(kind: SignalKind, request: number, value = 0): void {
    const index = this.count++
    this.kinds[index] = kind
    this.requests[index] = request
    this.values[index] = value
  }

  clear(): void {
    this.count = 0
  }
}
