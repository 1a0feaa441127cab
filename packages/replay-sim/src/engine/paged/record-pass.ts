import type { PassMetrics } from '../engine.js'
import type { PagedEngine } from './paged-engine.js'
import type { PassBudget } from './pass-budget.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Fills the metrics of the pass just scheduled. */
export function recordPass(engine: PagedEngine, budget: PassBudget, ready: readonly Sequence[]): void {
  const metrics = engine.passMetrics
  metrics.prefillCount = 0
  metrics.prefillTokens = 0
  metrics.prefillKvTokens = 0
  metrics.prefillLengthSum = 0
  metrics.prefillLengthSquares = 0
  for (const [sequence, grant] of budget.grants) {
    if (grant.prefillTokens === 0) continue
    metrics.prefillCount++
    metrics.prefillTokens += grant.tokens
    metrics.prefillKvTokens += grant.prefixTokens
    metrics.prefillLengthSum += sequence.promptTokens
    metrics.prefillLengthSquares += sequence.promptTokens * sequence.promptTokens
  }
  metrics.decodeCount = 0
  metrics.decodeKvTokens = 0
  metrics.decodeKvSquares = 0
  for (const sequence of ready) {
    if ((budget.grants.get(sequence)?.prefillTokens ?? 0) > 0) continue
    const known = knownTokens(sequence)
    metrics.decodeCount++
    metrics.decodeKvTokens += known
    metrics.decodeKvSquares += known * known
  }
  recordQueue(engine)
}

function recordQueue(engine: PagedEngine): void {
  const metrics = engine.passMetrics
  const isDecodeWorker = engine.context.settings.role === 'decode'
  metrics.queuedPrefillCount = 0
  metrics.queuedPrefillTokens = 0
  metrics.queuedPrefillSquares = 0
  metrics.queuedDecodeCount = 0
  metrics.queuedDecodeKvTokens = 0
  metrics.queuedDecodeKvSquares = 0
  for (const sequence of engine.waiting) {
    if (sequence.fresh && !sequence.transferred) {
      metrics.queuedPrefillCount++
      metrics.queuedPrefillTokens += sequence.promptTokens
      metrics.queuedPrefillSquares += sequence.promptTokens * sequence.promptTokens
    } else countQueuedDecode(metrics, isDecodeWorker ? sequence.promptTokens : knownTokens(sequence))
  }
  for (const sequence of engine.destinations.pending) countQueuedDecode(metrics, sequence.promptTokens)
}

/** Preempted requests (on decode workers by their prompt alone), and those whose KV waits for room or a slot there. */
function countQueuedDecode(metrics: PassMetrics, known: number): void {
  metrics.queuedDecodeCount++
  metrics.queuedDecodeKvTokens += known
  metrics.queuedDecodeKvSquares += known * known
}
