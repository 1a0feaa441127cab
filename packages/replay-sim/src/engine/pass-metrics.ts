import type { PassMetrics } from './engine.js'

/** Metrics of a pass that did nothing. */
export function emptyMetrics(): PassMetrics {
  return {
    prefillCount: 0,
    prefillTokens: 0,
    prefillKvTokens: 0,
    prefillLengthSum: 0,
    prefillLengthSquares: 0,
    decodeCount: 0,
    decodeKvTokens: 0,
    decodeKvSquares: 0,
    queuedPrefillCount: 0,
    queuedPrefillTokens: 0,
    queuedPrefillSquares: 0,
    queuedDecodeCount: 0,
    queuedDecodeKvTokens: 0,
    queuedDecodeKvSquares: 0,
  }
}
