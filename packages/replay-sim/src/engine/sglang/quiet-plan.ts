import type { EngineContext } from '../engine.js'
import { passDurationMs } from '../pass-duration.js'
import { canEverRun, tokensToAdmit } from './prefill-batch.js'
import type { RadixTree } from './radix-tree.js'
import type { RunningSet } from './running-set.js'
import type { Sequence } from './sequence.js'
import type { SglangLimits } from './sglang-limits.js'
import type { WaitingQueue } from './waiting-queue.js'

/** State that decides how long decoding stays undisturbed. */
export interface QuietState {
  readonly context: EngineContext
  readonly limits: SglangLimits
  readonly tree: RadixTree
  readonly running: RunningSet
  readonly ratio: number
  /** Tokens that the head of the waiting queue needs (charge and reserve) to be admitted; Infinity when nothing can be. */
  readonly admissionTokens: number
}

/** What waits besides the running sequences. */
export interface QueueState {
  readonly waiting: WaitingQueue<Sequence>
  /** Transferred prompts that have not started. */
  readonly activated: number
  /** Pending reservations keep the waiting queue closed. */
  readonly gated: boolean
}

/** Budget at which the head of the queue would be admitted: Infinity when it can not be, −1 when the queue is not at rest. */
export function tokensAtRest(context: EngineContext, limits: SglangLimits, running: number, queue: QueueState): number {
  if (context.settings.sglang.policy === 'lpm' && queue.waiting.length > 1) return -1
  if (running >= limits.maxSequences) return Number.POSITIVE_INFINITY
  if (queue.activated > 0) return -1
  const head = queue.waiting.at(0)
  if (head === undefined || queue.gated) return Number.POSITIVE_INFINITY
  return canEverRun(head, limits) ? tokensToAdmit(head, limits) : -1
}

/**
 * Counts the coming passes in which every running sequence just gets a token: none finishes, no page that others could
 * share enters the tree, nothing can be admitted and no one must be retracted. Writes their durations, ms.
 */
export function planQuietPasses(state: QuietState, durationsMs: Float64Array, limit: number, spanMs: number): number {
  const { context, limits, tree, running } = state
  const { settings, perf, quirks } = context
  const { pageSize, leastRatio, ratioStep } = limits
  const { count, emissions } = running
  const total = limits.totalPages * pageSize
  const isFree = settings.role === 'prefill' && !quirks.prefillPaysDecode
  const { admissionTokens } = state
  let room = tree.free + tree.evictable
  let tokens = running.tokens
  let reserved = running.reserved
  let nearCount = running.nearCount
  let ratio = state.ratio
  let elapsedMs = 0
  let planned = 0
  while (planned < limit) {
    const emission = emissions + planned + 1
    if (running.finishingAt(emission) !== null || running.hasCrossingAt(emission)) break
    const growth = running.growthAt(emission)
    if (growth > room) break
    if (admissionTokens < room * pageSize - reserved * ratio) break
    let durationMs = 0
    if (!isFree) {
      const model = perf.decodeMs(count, Math.min(tokens, total), Math.floor(tokens / count), total)
      durationMs = passDurationMs(model, settings.decodeSpeedup)
    }
    if (durationMs === 0) break
    durationsMs[planned++] = durationMs
    elapsedMs += durationMs
    if (elapsedMs >= spanMs) break
    room -= growth
    tokens += count
    reserved -= nearCount
    nearCount += running.becomingNearAt(emission)
    ratio = Math.max(leastRatio, ratio - ratioStep)
  }
  return planned
}
