import type { PagedEngine } from './paged-engine.js'
import type { PassBudget } from './pass-budget.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Fills the engine's metrics from the pass just scheduled. */
export function recordPass(engine: PagedEngine, budget: PassBudget, ready: readonly Sequence[]): void {
  const { metrics } = engine
  metrics.prefillCount = 0
  metrics.prefillTokens = 0
  metrics.prefillKvTokens = 0
  metrics.prefillLengthSum = 0
  metrics.prefillLengthSquares = 0
  for (const [sequence, grant] of budget.grants) {
    if (grant.prefillTokens === 0) continue
    metrics.prefillCount++
    metrics.prefillTokens += grant.prefillTokens
    metrics.prefillKvTokens += grant.prefixTokens
    metrics.prefillLengthSum += sequence.promptTokens
    metrics.prefillLengthSquares += sequence.promptTokens * sequence.promptTokens
  }
  metrics.decodeCount = ready.length
  metrics.decodeKvTokens = 0
  metrics.decodeKvSquares = 0
  for (const sequence of ready) {
    const known = knownTokens(sequence)
    metrics.decodeKvTokens += known
    metrics.decodeKvSquares += known * known
  }
  recordQueue(engine)
}

function recordQueue(engine: PagedEngine): void {
  const { metrics } = engine
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
