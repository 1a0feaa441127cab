import type { Engine, EngineContext } from '../engine.js'
import { passDurationMs } from '../pass-duration.js'
import { SIGNAL_COMPLETED, SIGNAL_FIRST_TOKEN, SIGNAL_REJECTED, SIGNAL_SOURCE_HELD } from '../signal-list.js'
import { EmissionLog } from './emission-log.js'
import { clockAfter, decodeLazily } from './lazy-decode.js'
import { LazySequence } from './lazy-sequence.js'
import { sortByPrefixMatch } from './lpm-order.js'
import { canEverRun, choosePrefills, EMPTY_BATCH, type PrefillHost } from './prefill-batch.js'
import { planQuietPasses, tokensAtRest } from './quiet-plan.js'
import { recordLazyPass, recordQuietPass } from './record-lazy-pass.js'
import { RunningSet } from './running-set.js'
import { knownTokens, remainingTokens } from './sequence.js'
import { SglangBase } from './sglang-base.js'
import { type DestinationHost, SglangDestinations } from './sglang-destinations.js'
import { forgetUnfinished, popRunning } from './unfinished.js'
import { WaitingQueue } from './waiting-queue.js'

/**
 * The SGLang scheduler with a cost per event instead of per token: decoding sequences are sums over an emission counter,
 * and only those that start, finish, get retracted or touch shared pages are looked at. Bit-equal to `SglangEngine`.
 */
export class CoalescingSglang extends SglangBase implements Engine, PrefillHost, DestinationHost {
  readonly running: RunningSet
  readonly waiting: WaitingQueue<LazySequence> = new WaitingQueue()
  readonly log: EmissionLog
  /** Who runs but has had no token in this stay, in order. */
  joiners: LazySequence[] = []
  /** Of the pass in flight: who has nothing to generate; who got the last token. */
  tokenless: LazySequence[] = []
  finishers: LazySequence[] = []
  /** Sequences of the pass in flight that continue from the emission before; −1 when it emitted nothing. */
  pooled: number = -1
  private passInFlight: boolean = false
  private readonly destinations: SglangDestinations<LazySequence>
  private readonly activated: LazySequence[] = []
  private readonly held: Map<number, LazySequence> = new Map()

  constructor(context: EngineContext) {
    super(context)
    this.destinations = new SglangDestinations<LazySequence>(this)
    this.log = new EmissionLog(context.tokens, () => this.running.head?.joinedAt ?? Number.POSITIVE_INFINITY)
    let longest = 0
    for (const tokens of context.outputTokens) if (tokens > longest) longest = tokens
    this.running = new RunningSet(this.limits.pageSize, this.limits.clipTokens, longest)
  }

  get waitingCount(): number {
    return this.waiting.length + this.activated.length
  }

  get runningCount(): number {
    return this.running.count + this.tokenless.length
  }

  get reservationIsDue(): boolean {
    return this.destinations.isDue
  }

  hasWork(): boolean {
    return this.waiting.length > 0 || this.running.count > 0 || this.activated.length > 0
  }

  enqueue(request: number): void {
    this.waiting.pushBack(this.newSequence(request))
  }

  private newSequence(request: number): LazySequence {
    const promptTokens = this.promptTokens(request)
    return new LazySequence(
      request,
      promptTokens,
      this.outputLimit(request),
      this.content.coveredTokens(request),
      this.tree.root,
    )
  }

  startPass(nowMs: number): number {
    const { settings, perf, quirks, observer } = this.context
    this.passInFlight = true
    this.progressed = false
    this.finishers = []
    const continuing = this.running.count - this.joiners.length
    while (this.runningCount < this.limits.maxSequences && this.activated.length > 0) {
      const sequence = this.activated.shift()!
      this.start(sequence)
      observer.admitted(sequence.request, nowMs, 0)
      this.progressed = true
    }
    const gated = this.activated.length > 0 || !this.destinations.isEmpty
    if (settings.sglang.policy === 'lpm') {
      this.waiting.reorder((sequences) => sortByPrefixMatch(sequences, this.tree, this.content))
    }
    const batch = gated || this.waiting.length === 0 ? EMPTY_BATCH : choosePrefills(this, observer, nowMs)
    let startMs = nowMs
    const count = batch.chosen.length
    if (count > 0) {
      this.progressed = true
      if (settings.role !== 'decode' || !quirks.freeRecompute) {
        const model = perf.prefillMs(count, Math.floor(batch.islSum / count), Math.floor(batch.prefixSum / count))
        startMs += passDurationMs(model, settings.prefillSpeedup)
      }
      for (const sequence of batch.chosen as LazySequence[]) {
        if (sequence.materialized === knownTokens(sequence)) this.start(sequence)
        else {
          this.cache.enter(sequence, sequence.materialized)
          this.waiting.pushFront(sequence)
        }
      }
    }
    if (this.context.wantsMetrics) recordLazyPass(this, batch)
    this.pooled = -1
    const endMs = this.runningCount === 0 ? startMs : decodeLazily(this, startMs, continuing)
    this.ratio = Math.max(this.limits.leastRatio, this.ratio - this.limits.ratioStep)
    return endMs
  }

  private start(sequence: LazySequence): void {
    if (remainingTokens(sequence) === 0) {
      this.tokenless.push(sequence)
      return
    }
    this.running.add(sequence)
    this.joiners.push(sequence)
  }

  /** Whether pages are held by others than running and waiting sequences, so that some will come free by themselves. */
  get hasOutsideHolders(): boolean {
    return this.held.size > 0 || this.activated.length > 0 || this.destinations.granted > 0
  }

  reservedTokens(): number {
    return this.running.reserved
  }

  servableHead(): LazySequence | undefined {
    for (;;) {
      const sequence = this.waiting.at(0)
      if (sequence === undefined || canEverRun(sequence, this.limits)) return sequence
      this.waiting.popFront()
      this.refuse(sequence)
      this.rejected.push(sequence.request)
    }
  }

  takeHead(): void {
    this.waiting.popFront()
  }

  /** Frees a sequence that will not finish and takes its gaps back. */
  refuse(sequence: LazySequence): void {
    this.cache.retract(sequence)
    this.log.forget(sequence)
  }

  /** Frees a finished sequence, or holds its KV for the decode side. */
  complete(sequence: LazySequence): void {
    if (this.context.settings.role === 'prefill') {
      this.held.set(sequence.request, sequence)
      return
    }
    this.cache.finish(sequence)
    this.capacityGeneration++
  }

  finishPass(endMs: number): boolean {
    const { signals, rejected, joiners, finishers, tokenless } = this
    this.passInFlight = false
    const ended = this.context.settings.role === 'prefill' ? SIGNAL_SOURCE_HELD : SIGNAL_COMPLETED
    const progressed = this.progressed || tokenless.length > 0 || rejected.length > 0 || this.pooled >= 0
    for (const sequence of tokenless) signals.push(ended, sequence.request)
    if (this.pooled >= 0) {
      const emission = this.running.emissions
      for (const sequence of finishers) {
        if (sequence.joinedAt < emission) signals.push(ended, sequence.request)
      }
      for (const sequence of joiners) {
        if (sequence.finishAt === emission) signals.push(ended, sequence.request)
        else if (Number.isNaN(sequence.lastTokenMs)) signals.push(SIGNAL_FIRST_TOKEN, sequence.request)
      }
      this.log.emission(endMs, this.pooled, joiners)
      for (const sequence of finishers) this.log.leave(sequence, emission, endMs)
      if (this.context.tokens === null) for (const sequence of joiners) sequence.lastTokenMs = endMs
      this.joiners = []
    }
    for (const request of rejected) signals.push(SIGNAL_REJECTED, request)
    this.publishPass(progressed)
    rejected.length = 0
    tokenless.length = 0
    this.published.publish()
    this.destinations.retry()
    return progressed
  }

  planQuiet(durationsMs: Float64Array, limit: number, spanMs: number): number {
    if (this.running.count === 0 || this.joiners.length > 0 || this.destinations.isDue) return 0
    const queue = { waiting: this.waiting, activated: this.activated.length, gated: !this.destinations.isEmpty }
    const admissionTokens = tokensAtRest(this.context, this.limits, this.running.count, queue)
    if (admissionTokens < 0) return 0
    if (this.context.wantsMetrics) this.waiting.record(this.passMetrics)
    const { context, limits, tree, running, ratio } = this
    return planQuietPasses({ context, limits, tree, running, ratio, admissionTokens }, durationsMs, limit, spanMs)
  }

  commitQuiet(count: number, boundariesMs: Float64Array, offset: number): void {
    const { running, limits } = this
    this.tree.allocate(running.growthOver(count))
    this.log.emissions(count, boundariesMs, offset + 1, running.count)
    running.advance(count)
    this.tree.clock = clockAfter(running.emissions)
    this.decodeForwards += running.count * count
    this.decodeTokens += running.count * count
    for (let k = 0; k < count && this.ratio > limits.leastRatio; k++) {
      this.ratio = Math.max(limits.leastRatio, this.ratio - limits.ratioStep)
    }
    if (this.context.wantsMetrics) recordQuietPass(this)
    this.published.publish()
  }

  settleIdle(): void {
    this.destinations.retry()
  }

  reserve(request: number, idle: boolean): void {
    this.destinations.push(this.newSequence(request))
    if (idle) this.destinations.retry()
  }

  activate(request: number): void {
    this.activated.push(this.destinations.activate(request))
    this.published.publish()
    this.destinations.retry()
  }

  cancelReservation(request: number): void {
    this.destinations.cancel(request)
    this.destinations.retry()
  }

  releaseSource(request: number): void {
    const sequence = this.held.get(request)
    if (sequence === undefined) return
    this.held.delete(request)
    this.cache.finish(sequence)
    this.capacityGeneration++
    this.published.publish()
    this.destinations.retry()
  }

  dropUnfinished(): void {
    forgetUnfinished(this, this.passInFlight)
  }

  rejectStuck(): boolean {
    const sequence = this.waiting.popFront() ?? this.destinations.dropHead() ?? popRunning(this)
    if (sequence === undefined) return false
    this.refuse(sequence)
    this.capacityGeneration++
    this.signals.push(SIGNAL_REJECTED, sequence.request)
    return true
  }
}
