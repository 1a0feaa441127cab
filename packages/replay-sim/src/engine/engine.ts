import type { PerfModel } from '@spica/schema'
import type { Quirks } from '../compat.js'
import type { TokenLog } from '../report/token-log.js'
import type { Workload } from '../workload/workload.js'
import type { ResolvedEngine } from './engine-settings.js'
import type { DiskTier } from './offload/disk-tier.js'
import type { PromptBlocks } from './prompt-blocks.js'
import type { SignalList } from './signal-list.js'

/** What an engine tells the runtime besides signals. */
export interface EngineObserver {
  /**
   * A request was admitted (SGLang: a chunk was) by the pass starting at `nowMs`, `reusedTokens` of it coming from the
   * prefix cache. Called from `startPass`.
   */
  admitted(request: number, nowMs: number, reusedTokens: number): void
}

/** Everything one rank's engine works with. */
export interface EngineContext {
  readonly settings: ResolvedEngine
  readonly perf: PerfModel
  readonly workload: Workload
  /**
   * Output limit of each request on this pool, tokens: the workload's own column, or a clamped copy for prefill pools.
   * TRT-LLM clamps it further itself; never write to it.
   */
  readonly outputTokens: Int32Array
  /** Interned prompt blocks at the engine's block size (see `prompt-blocks.ts`); SGLang may intern for itself instead. */
  readonly blocks: PromptBlocks
  /** Where token times go; null on prefill pools, whose tokens nobody sees. */
  readonly tokens: TokenLog | null
  readonly observer: EngineObserver
  readonly quirks: Quirks
  /** Global index of this rank, worker · ranks + rank; offsets the multi-token-prediction seed. */
  readonly rankIndex: number
  /** The disk tier that the ranks of the pool share, if any. */
  readonly disk?: DiskTier | null
  /** Whether `metrics` must be kept up to date (a planner watches). */
  readonly wantsMetrics: boolean
}

/** Consecutive blocks of a prompt in host memory and on disk. */
export interface LowerOverlap {
  readonly host: number
  readonly disk: number
}

/** Load of one finished pass, for planners. Lengths in tokens. */
export interface PassMetrics {
  /** Requests whose prompt was computed in part, their new prompt tokens, tokens already there, and Σ prompt length². */
  prefillCount: number
  prefillTokens: number
  prefillKvTokens: number
  prefillLengthSum: number
  prefillLengthSquares: number
  decodeCount: number
  decodeKvTokens: number
  decodeKvSquares: number
  /** Waiting requests never scheduled or still computing their prompt. */
  queuedPrefillCount: number
  queuedPrefillTokens: number
  queuedPrefillSquares: number
  /** Preempted requests. */
  queuedDecodeCount: number
  queuedDecodeKvTokens: number
  queuedDecodeKvSquares: number
}

/**
 * One rank's scheduler with its KV pool. The runtime alternates `startPass` and `finishPass`; between the two the rank is
 * busy and only `enqueue`, `overlapBlocks` and `queueReservation` may be called. Requests are workload indices.
 *
 * Quiet passes: a pass is quiet when it emits one token for each of a fixed set of decoding requests and raises no
 * signal, admits, preempts and rejects nothing, and publishes no block that another request could share. An engine that
 * can foresee quiet passes says so in `planQuiet`, and the runtime applies them in one `commitQuiet`; an engine that can
 * not returns 0 and is run pass by pass. Both must give bit-equal results.
 */
export interface Engine {
  /** Requests waiting, and running. */
  readonly waitingCount: number
  readonly runningCount: number
  /** Blocks in use by unfinished requests or reserved, of `settings.blocks`. */
  readonly activeBlocks: number
  /** The next pass end will try a pending reservation, so passes must not be skipped over even when this rank has no work. */
  readonly reservationIsDue: boolean
  /** Requests × passes that emitted tokens so far, and tokens emitted (they differ under multi-token prediction). */
  readonly decodeForwards: number
  readonly decodeTokens: number
  /** Signals of `finishPass`, `activate`, `reserve`, `rejectStuck`; the runtime reads and clears it after each call. */
  readonly signals: SignalList
  /** The last finished pass; valid when `context.wantsMetrics`. */
  readonly metrics: PassMetrics

  /** True when a pass would find something waiting or running. */
  hasWork(): boolean
  /** Puts a request at the tail of the waiting queue. */
  enqueue(request: number): void
  /**
   * Schedules one pass at `nowMs` (allocation, preemption, admission) and returns when it ends, ≥ nowMs. Whatever the pass
   * did is remembered until `finishPass`. A pass that could do nothing returns `nowMs`.
   */
  startPass(nowMs: number): number
  /**
   * Ends the pass: stamps its tokens with `endMs` (≥ the end returned, when other ranks were slower), completes requests
   * and releases their KV, raises signals in output order, then retries pending reservations.
   * Returns true when the pass made progress of any kind (scheduled a token, emitted, admitted, rejected, preempted).
   */
  finishPass(endMs: number): boolean

  /**
   * How many of the next passes are surely quiet if nothing is enqueued, up to `limit` and to the first pass by whose end
   * `spanMs` have gone by; writes each one's duration in ms to `durationsMs`. Changes nothing.
   */
  planQuiet(durationsMs: Float64Array, limit: number, spanMs: number): number
  /**
   * Performs `count` quiet passes planned before; pass k runs from `boundariesMs[offset + k]` to
   * `boundariesMs[offset + k + 1]`.
   */
  commitQuiet(count: number, boundariesMs: Float64Array, offset: number): void
  /**
   * Called when the rank becomes idle without `finishPass`, after quiet passes or when only other ranks of its worker had a
   * pass: retries pending reservations as `finishPass` does.
   */
  settleIdle(): void

  /** Consecutive full prompt blocks from the root that a router sees on this rank now. */
  overlapBlocks(request: number): number
  /** Full prompt blocks that follow the first `onDevice` ones in lower KV tiers; absent or null without any. */
  lowerOverlap?(request: number, onDevice: number): LowerOverlap | null

  /** Destination side: queues a reservation for a prompt; tries at once when `idle`. Raises `reserved` (value = missing tokens). */
  reserve(request: number, idle: boolean): void
  /** Destination side: the transferred prompt becomes runnable; may raise `reserved` for another. Only while idle. */
  activate(request: number): void
  /** Destination side: forgets a reservation, pending or granted, whose source failed. Only while idle. */
  cancelReservation(request: number): void
  /** Source side: gives back the KV of a held request. Only while idle. */
  releaseSource(request: number): void

  /** Called once after the run stopped: gaps of unfinished requests must leave the log. */
  dropUnfinished(): void

  /**
   * Called when nothing anywhere can make progress: rejects the request that can never be served (raising `rejected`) and
   * returns true, or returns false when there is none.
   */
  rejectStuck(): boolean
}
