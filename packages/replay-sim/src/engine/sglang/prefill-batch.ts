import type { EngineObserver } from '../engine.js'
import type { RadixTree } from './radix-tree.js'
import { knownTokens, remainingTokens, type Sequence } from './sequence.js'
import type { SequenceCache } from './sequence-cache.js'
import { pageCeil, type SglangLimits } from './sglang-limits.js'

/** The prefill part of a pass. */
export interface PrefillBatch {
  readonly chosen: Sequence[]
  /** Tokens computed for each chosen sequence. */
  readonly chunks: number[]
  /** Σ end of chunk and Σ tokens already there, over the chosen. */
  islSum: number
  prefixSum: number
}

/** What choosing prefills needs of an engine. */
export interface PrefillHost {
  readonly limits: SglangLimits
  readonly cache: SequenceCache
  readonly tree: RadixTree
  readonly runningCount: number
  ratio: number
  /** Σ min(remaining output, clip) over the running sequences, tokens. */
  reservedTokens(): number
  /** Head of the waiting queue after refusing what can never be served. */
  servableHead(): Sequence | undefined
  takeHead(): void
}

export const EMPTY_BATCH: PrefillBatch = { chosen: [], chunks: [], islSum: 0, prefixSum: 0 }

/**
 * Picks requests from the head of the waiting queue while the budgets last. The budgets are charged before the prefix
 * match; requests of one batch do not see each other's pages. Running out of memory resets the new-token ratio.
 */
export function choosePrefills(engine: PrefillHost, observer: EngineObserver, nowMs: number): PrefillBatch {
  const batch: PrefillBatch = { chosen: [], chunks: [], islSum: 0, prefixSum: 0 }
  const { limits, tree } = engine
  const { pageSize } = limits
  const slots = limits.maxSequences - engine.runningCount
  let totalLeft = (tree.free + tree.evictable) * pageSize - engine.reservedTokens() * engine.ratio
  let inputLeft = limits.maxPrefillTokens
  let chunkLeft = limits.chunkTokens
  while (batch.chosen.length < slots) {
    const sequence = engine.servableHead()
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
    const present = allocateChunk(engine, sequence, end)
    if (present < 0) {
      engine.ratio = limits.initialRatio
      break
    }
    engine.takeHead()
    sequence.materialized = end
    observer.admitted(sequence.request, nowMs, present)
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

/** False for requests that would not fit an empty pool, or whose prompt reaches the model's length. */
export function canEverRun(sequence: Sequence, limits: SglangLimits): boolean {
  const reserve = Math.min(remainingTokens(sequence), limits.clipTokens)
  const needed = pageCeil(knownTokens(sequence), limits.pageSize) + reserve
  return needed < limits.totalPages * limits.pageSize && sequence.promptTokens < limits.maxModelTokens
}

/** Tokens the total budget must exceed for `sequence` to be admitted to an empty batch; Infinity when other limits forbid it. */
export function tokensToAdmit(sequence: Sequence, limits: SglangLimits): number {
  const extend = knownTokens(sequence) - sequence.materialized
  const chunk = Math.min(extend, limits.chunkTokens)
  const charged = pageCeil(chunk, limits.pageSize)
  if (chunk === 0 || charged > limits.maxPrefillTokens || charged > limits.chunkTokens) return Number.POSITIVE_INFINITY
  return charged + (chunk < extend ? 0 : Math.min(remainingTokens(sequence), limits.clipTokens))
}

/** Pages for a waiting sequence up to `end` tokens; how many tokens were there already, −1 without room. */
function allocateChunk(engine: PrefillHost, sequence: Sequence, end: number): number {
  const { pageSize } = engine.limits
  if (sequence.materialized === 0) {
    const matched = engine.cache.begin(sequence, end)
    return matched < 0 ? -1 : matched * pageSize
  }
  const wanted = Math.ceil(end / pageSize)
  if (!engine.tree.allocate(wanted - sequence.pages)) return -1
  sequence.pages = wanted
  return sequence.materialized
}
