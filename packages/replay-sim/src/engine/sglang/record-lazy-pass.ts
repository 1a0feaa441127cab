import type { CoalescingSglang } from './coalescing-sglang.js'
import type { PrefillBatch } from './prefill-batch.js'

/** Fills the metrics of the pass just scheduled. */
export function recordLazyPass(engine: CoalescingSglang, batch: PrefillBatch): void {
  const { passMetrics: metrics, running } = engine
  metrics.prefillCount = batch.chosen.length
  metrics.prefillTokens = 0
  metrics.prefillKvTokens = batch.prefixSum
  metrics.prefillLengthSum = 0
  metrics.prefillLengthSquares = 0
  for (let index = 0; index < batch.chosen.length; index++) {
    const { promptTokens } = batch.chosen[index]!
    metrics.prefillTokens += batch.chunks[index]!
    metrics.prefillLengthSum += promptTokens
    metrics.prefillLengthSquares += promptTokens * promptTokens
  }
  metrics.decodeCount = running.count
  metrics.decodeKvTokens = running.tokens
  metrics.decodeKvSquares = running.squares
  engine.waiting.record(metrics)
}

/** The same for the last of the quiet passes just performed; the queue is that of when they were planned. */
export function recordQuietPass(engine: CoalescingSglang): void {
  const { metrics, running } = engine
  metrics.prefillCount = 0
  metrics.prefillTokens = 0
  metrics.prefillKvTokens = 0
  metrics.prefillLengthSum = 0
  metrics.prefillLengthSquares = 0
  metrics.decodeCount = running.count
  metrics.decodeKvTokens = running.tokens - running.count
  metrics.decodeKvSquares = running.squares - 2 * running.tokens + running.count
  const { passMetrics } = engine
  metrics.queuedPrefillCount = passMetrics.queuedPrefillCount
  metrics.queuedPrefillTokens = passMetrics.queuedPrefillTokens
  metrics.queuedPrefillSquares = passMetrics.queuedPrefillSquares
  metrics.queuedDecodeCount = passMetrics.queuedDecodeCount
  metrics.queuedDecodeKvTokens = passMetrics.queuedDecodeKvTokens
  metrics.queuedDecodeKvSquares = passMetrics.queuedDecodeKvSquares
}
