import { type KvCurve, kvBytesOfSequence } from './kv-bytes.js'

/**
 * Prompts being computed hold, in windowed layers, the window and the whole chunk; later only the window. An engine computes few
 * prompts at a time, so that at most this many batches' worth of chunks count: one in the step, one scheduled ahead, one just done.
 */
const BATCHES_IN_FLIGHT = 3

/** What a pool of equal sequences holds. */
export interface PoolCapacity {
  /** Tokens of all sequences together; not rounded, infinite when a sequence takes nothing. */
  readonly tokens: number
  /** Cache bytes per token at that fill, recurrent state apart. */
  readonly bytesPerToken: number
}

/**
 * Tokens that a pool holds of sequences of `length` tokens, the longest the engine admits. With up to three sequences this is how
 * vLLM reports hybrid caches, growing · L + windowed · min(window + batched, L) + state each; with more, further ones only take
 * their windows. Continuous and increasing in the budget.
 */
export function poolCapacity(curve: KvCurve, length: number, batchedTokens: number, budgetBytes: number): PoolCapacity {
  const resident = kvBytesOfSequence(curve, length)
  const inFlight = kvBytesOfSequence(curve, length, batchedTokens) - resident
  const few = budgetBytes / (resident + inFlight)
  if (!(few > BATCHES_IN_FLIGHT)) {
    return { tokens: few * length, bytesPerToken: (resident + inFlight - curve.stateBytes) / length }
  }
  const sequences = (budgetBytes - BATCHES_IN_FLIGHT * inFlight) / resident
  const perSequence = resident + (BATCHES_IN_FLIGHT * inFlight) / sequences
  return { tokens: sequences * length, bytesPerToken: (perSequence - curve.stateBytes) / length }
}
