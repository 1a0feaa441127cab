import { knownTokens, remainingTokens, type Sequence } from './sequence.js'
import type { SglangEngine } from './sglang-engine.js'
import { pageCeil } from './sglang-limits.js'

/** The prefill part of a pass. */
export interface PrefillBatch {
  readonly chosen: Sequence[]
  /** Tokens computed for each chosen sequence. */
  readonly chunks: number[]
  /** Σ end of chunk and Σ tokens already there, over the chosen. */
  islSum: number
  prefixSum: number
}

/**
 * Picks requests from the head of the waiting queue while the budgets last. The budgets are charged before the prefix
 * match; requests of one batch do not see each other's pages. Running out of memory resets the new-token ratio.
 */
export function choosePrefills(engine: SglangEngine, nowMs: number): PrefillBatch {
  const batch: PrefillBatch = { chosen: [], chunks: [], islSum: 0, prefixSum: 0 }
  const { limits, tree, waiting } = engine
  const { pageSize } = limits
  let reserved = 0
  for (const sequence of engine.running) reserved += Math.min(remainingTokens(sequence), limits.clipTokens)
  let totalLeft = (tree.free + tree.evictable) * pageSize - reserved * engine.ratio
  let inputLeft = limits.maxPrefillTokens
  let chunkLeft = limits.chunkTokens
  while (batch.chosen.length < limits.maxSequences - engine.running.length) {
    engine.rejectImpossible()
    const sequence = waiting[0]
    if (sequence === undefined) break
    const known = knownTokens(sequence)
    const extend = known - sequence.materialized
    let chunk = extend
    if (extend > limits.chunkTokens) chunk = Math.min(extend, Math.floor(chunkLeft / pageSize) * pageSize)
    if (chunk === 0) break
    const charged = pageCeil(chunk, pageSize)
    const reserve = chunk < extend ? 0 : Math.min(remainingTokens(sequence), limits.clipTokens)
    if (charged + reserve >= totalLeft || charged > inputLeft || charged > chunkLeft) break
    const end = sequence.materialized + chunk
    const pagesBefore = sequence.pages
    const present = engine.allocateChunk(sequence, end)
    if (present < 0) {
      engine.ratio = limits.initialRatio
      break
    }
    waiting.shift()
    sequence.materialized = end
    engine.context.observer.admitted(sequence.request, nowMs, present)
    batch.chosen.push(sequence)
    batch.chunks.push(end - present)
    batch.islSum += end
    batch.prefixSum += present
    totalLeft -= (sequence.pages - pagesBefore) * pageSize + reserve
    inputLeft -= charged
    chunkLeft -= charged
    if (chunkLeft <= 0) break
  }
  return batch
}
