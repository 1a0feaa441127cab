import type { PrefillBatch } from './prefill-batch.js'
import { knownTokens, remainingTokens } from './sequence.js'
import type { SglangEngine } from './sglang-engine.js'

/** Fills the metrics of the pass just scheduled. */
export function recordSglangPass(engine: SglangEngine, batch: PrefillBatch): void {
  const metrics = engine.passMetrics
  metrics.prefillCount = batch.chosen.length
  metrics.prefillTokens = 0
  metrics.prefillKvTokens = batch.prefixSum
  metrics.prefillLengthSum = 0
  metrics.prefillLengthSquares = 0
  batch.chosen.forEach((sequence, index) => {
    metrics.prefillTokens += batch.chunks[index]!
    metrics.prefillLengthSum += sequence.promptTokens
    metrics.prefillLengthSquares += sequence.promptTokens * sequence.promptTokens
  })
  metrics.decodeCount = 0
  metrics.decodeKvTokens = 0
  metrics.decodeKvSquares = 0
  for (const sequence of engine.running) {
    if (remainingTokens(sequence) === 0) continue
    const known = knownTokens(sequence)
    metrics.decodeCount++
    metrics.decodeKvTokens += known
    metrics.decodeKvSquares += known * known
  }
  metrics.queuedPrefillCount = 0
  metrics.queuedPrefillTokens = 0
  metrics.queuedPrefillSquares = 0
  metrics.queuedDecodeCount = 0
  metrics.queuedDecodeKvTokens = 0
  metrics.queuedDecodeKvSquares = 0
  for (const sequence of engine.waiting) {
    if (sequence.fresh) {
      metrics.queuedPrefillCount++
      metrics.queuedPrefillTokens += sequence.promptTokens
      metrics.queuedPrefillSquares += sequence.promptTokens * sequence.promptTokens
    } else {
      const known = knownTokens(sequence)
      metrics.queuedDecodeCount++
      metrics.queuedDecodeKvTokens += known
      metrics.queuedDecodeKvSquares += known * known
    }
  }
}
