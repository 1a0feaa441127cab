import { SpicaError } from '@spica/schema'
import type { KvEstimate } from './kv-types.js'

/** Whole blocks of one rank: floor(tokens / blockSize); 0 when the cache does not fit. */
export function numGpuBlocks(estimate: KvEstimate, blockSize: number): number {
  if (!Number.isInteger(blockSize) || blockSize < 1) {
    throw new SpicaError(
      'input',
      'invalid-number',
      `block_size must be a whole number of at least 1, not ${blockSize}`,
      {
        location: { path: 'block_size' },
      },
    )
  }
  return Math.floor((estimate.totalKvSizeTokens ?? 0) / blockSize)
}

/** Whole blocks of a deployment: per-rank blocks · attention-DP ranks · replicas. TP ranks hold parts of the same blocks. */
export function deploymentBlocks(
  estimate: KvEstimate,
  blockSize: number,
  attentionDp: number,
  replicas: number,
): number {
  return numGpuBlocks(estimate, blockSize) * attentionDp * replicas
}

/**
 * Sequences of `tokens` tokens that one rank holds at once. Recurrent state and windows count per sequence, so that many short
 * sequences of a hybrid model run out of room earlier than their tokens say.
 */
export function concurrentSequences(estimate: KvEstimate, tokens: number): number {
  if (!estimate.feasible || !(tokens > 0)) return 0
  const windowed = estimate.kvSizePerTokenBytes - estimate.growingBytesPerToken
  const windowBytes = Math.min(windowed * estimate.maxSequenceTokens, estimate.windowedBytesPerToken * tokens)
  const perSequence = estimate.growingBytesPerToken * tokens + windowBytes + estimate.stateBytesPerSequence
  return Math.floor(estimate.kvBudgetBytes / perSequence)
}
