import type { EngineContext } from '../engine.js'
import { emptyMetrics } from '../pass-metrics.js'
import { DecodingSet } from './decoding-set.js'
import { KvBlocks } from './kv-blocks.js'
import { PassRecorder } from './pass-recorder.js'
import { RequestQueue } from './request-queue.js'
import { DECODING, PREEMPTED, type SequenceTable } from './sequence-table.js'
import { UnfinishedGaps } from './unfinished-gaps.js'

/**
 * What a coalescing engine knows. Running requests form a list in admission order; those that emit every pass are in
 * `decoding`, the others (computing their prompt, or left out of a pass) are the `laggards`.
 */
export class EngineState {
  readonly context: EngineContext
  readonly table: SequenceTable
  readonly kv: KvBlocks
  readonly decoding: DecodingSet
  readonly waiting: RequestQueue = new RequestQueue()
  readonly isTrtllm: boolean
  readonly blockSize: number
  /** Gaps to take back from the log should their request not finish; null when every request surely does. */
  readonly unfinished: UnfinishedGaps | null
  /** Null when nobody looks at passes. */
  readonly recorder: PassRecorder | null
  head = -1
  tail = -1
  runningCount = 0
  /** Running requests that are not decoding, in running order. */
  laggards: number[] = []
  rejected: number[] = []
  /** Decoding requests that have had one token. */
  awaitSecond: number[] = []
  /** When the decoding members had their last token. */
  lastEndMs = 0
  /** Grows whenever capacity may have been freed. */
  capacityGeneration = 0
  /** Nothing waiting can be admitted before something else happens. */
  waitingIsStuck = false
  /** TRT-LLM: blocks that running, reserved and transferred requests will hold when they finish. */
  promisedBlocks = 0
  /** TRT-LLM: of those, blocks already held. */
  promisedHeld = 0
  /** Result of the last prefix lookup: cached leading tokens, and those of them in use by others. */
  matchedTokens = 0
  matchedActiveTokens = 0

  budget = 0
  prefillCount = 0
  islSum = 0
  prefixSum = 0
  hasPreempted = false
  lastGrant = 0
  /** Decoding members up to this place in the running order have their token of this pass. */
  grantedUpTo = 0
  readonly grantRequests: number[] = []
  readonly grantTokens: number[] = []
  readonly grantPrefill: number[] = []
  readonly grantPrefix: number[] = []
  grantCount = 0
  private nextOrder = 0
  private nextOwnId: number

  constructor(context: EngineContext, table: SequenceTable, longestOutput: number, tracksUnfinished: boolean) {
    const { settings, blocks } = context
    this.context = context
    this.table = table
    this.isTrtllm = settings.type === 'trtllm'
    this.blockSize = settings.blockSize
    this.kv = new KvBlocks(settings.blocks, blocks.distinct)
    this.decoding = new DecodingSet(table, settings.blockSize, longestOutput)
    this.unfinished = tracksUnfinished && context.tokens !== null ? new UnfinishedGaps(context.tokens.gaps) : null
    this.recorder = context.wantsMetrics ? new PassRecorder(emptyMetrics()) : null
    this.nextOwnId = blocks.distinct + 1
  }

  promptOf(request: number): number {
    return this.context.workload.inputTokens[request]!
  }

  /** Output limit as the scheduler books it. */
  limitOf(request: number): number {
    const limit = this.context.outputTokens[request]!
    if (!this.isTrtllm) return limit
    const room = this.context.settings.blocks * this.blockSize - this.promptOf(request)
    return room > 0 ? Math.min(limit, room) : limit
  }

  /** Tokens it really emits: the limit, cut by the longest sequence the model takes. */
  emissionsOf(request: number): number {
    const limit = this.limitOf(request)
    const longest = this.context.settings.maxModelTokens
    if (this.isTrtllm || longest === Number.POSITIVE_INFINITY) return limit
    return Math.min(limit, Math.max(0, longest - this.promptOf(request)))
  }

  /** Blocks it holds when it finishes (TRT-LLM reserves them). */
  completionBlocks(request: number): number {
    return Math.ceil((this.promptOf(request) + this.limitOf(request)) / this.blockSize)
  }

  appendRunning(request: number): void {
    const { table } = this
    table.order[request] = this.nextOrder++
    table.previous[request] = this.tail
    table.next[request] = -1
    if (this.tail >= 0) table.next[this.tail] = request
    else this.head = request
    this.tail = request
    this.runningCount++
  }

  unlinkRunning(request: number): void {
    const { previous, next } = this.table
    const before = previous[request]!
    const after = next[request]!
    if (before >= 0) next[before] = after
    else this.head = after
    if (after >= 0) previous[after] = before
    else this.tail = before
    this.runningCount--
  }

  /** A request that held the blocks of `computed` tokens no longer counts towards what must stay free for others to finish. */
  unpromise(request: number, computed: number): void {
    if (!this.isTrtllm || computed <= 0) return
    this.promisedBlocks -= this.completionBlocks(request)
    this.promisedHeld -= Math.ceil(computed / this.blockSize)
  }

  /** Gives back the KV of a request with `computed` tokens, leaf first; `mayReturn` when it will look for its blocks again. */
  releaseBlocks(request: number, computed: number, mayReturn: boolean): void {
    if (computed <= 0) return
    const { kv, table, blockSize } = this
    const total = Math.ceil(computed / blockSize)
    if (!this.context.settings.prefixCaching) {
      kv.free(total)
      return
    }
    const full = Math.floor(computed / blockSize)
    if (total > full) kv.free(total - full)
    const { sharedBlocks, offsets } = this.context.blocks
    const shared = Math.min(full, sharedBlocks[request]!)
    const own = table.ownHeld.size > 0 ? table.ownHeld.get(request) : undefined
    const ownHeld = own === undefined ? 0 : own.length
    if (mayReturn) this.nameOwnBlocks(request, shared + ownHeld, full)
    else kv.retire(full - shared - ownHeld)
    if (own !== undefined) {
      for (let k = ownHeld - 1; k >= 0; k--) kv.unpin(own[k]!)
      table.ownHeld.delete(request)
    }
    const from = offsets[request]!
    for (let k = shared - 1; k >= 0; k--) kv.unpin(table.held[from + k]!)
  }

  private nameOwnBlocks(request: number, from: number, to: number): void {
    if (to <= from) return
    const { table, kv } = this
    const shared = this.context.blocks.sharedBlocks[request]!
    if (table.ownIds[request] === 0) {
      table.ownIds[request] = this.nextOwnId
      this.nextOwnId += this.completionBlocks(request) + 1 - shared
    }
    const base = table.ownIds[request]! - shared
    for (let k = to - 1; k >= from; k--) kv.publish(base + k, 0)
  }

  /** Ends steady decoding of a member before its time; `computed` is what it has KV for. */
  leaveDecoding(request: number, computed: number): void {
    const { table, decoding } = this
    const known = decoding.known(request)
    decoding.remove(request)
    const produced = known - this.promptOf(request)
    table.produced[request] = produced
    table.computed[request] = computed
    const log = this.context.tokens
    if (log !== null) {
      log.lastTokenMs[request] = this.lastEndMs
      log.producedTokens[request] = produced
    }
    if (produced === 1) this.awaitSecond = this.awaitSecond.filter((other) => other !== request)
    this.unfinished?.leave(request)
  }

  /** Takes all KV from a running request and puts it at the head of the waiting queue. */
  preempt(request: number): void {
    const { table } = this
    if ((table.flags[request]! & DECODING) !== 0) {
      const granted = table.order[request]! <= this.grantedUpTo
      const known = this.decoding.known(request)
      this.leaveDecoding(request, granted ? known : known - 1)
      if (granted) this.budget++
    } else {
      this.laggards.splice(this.laggards.indexOf(request), 1)
      this.undoGrant(request)
    }
    this.unlinkRunning(request)
    this.unpromise(request, table.computed[request]!)
    this.releaseBlocks(request, table.computed[request]!, true)
    table.charged[request] = this.promptOf(request) + table.produced[request]!
    table.computed[request] = 0
    table.flags[request] = table.flags[request]! | PREEMPTED
    this.waiting.pushFront(request)
    this.recorder?.waitingChanged(this, request, 1)
    this.capacityGeneration++
    this.hasPreempted = true
  }

  private undoGrant(request: number): void {
    for (let k = 0; k < this.grantCount; k++) {
      if (this.grantRequests[k] !== request) continue
      this.budget += this.grantTokens[k]!
      if (this.grantPrefill[k]! > 0) {
        this.prefillCount--
        this.islSum -= this.grantPrefill[k]! + this.grantPrefix[k]!
        this.prefixSum -= this.grantPrefix[k]!
      }
      this.grantRequests[k] = -1
    }
  }
}
