import { StdRng } from '../../random/std-rng.js'
import type { Engine, EngineContext } from '../engine.js'
import { passDurationMs } from '../pass-duration.js'
import { SIGNAL_COMPLETED, SIGNAL_FIRST_TOKEN, SIGNAL_REJECTED, SIGNAL_SOURCE_HELD } from '../signal-list.js'
import { decodeStep } from './decode-step.js'
import { sortByPrefixMatch } from './lpm-order.js'
import { canEverRun, choosePrefills, EMPTY_BATCH, type PrefillHost } from './prefill-batch.js'
import { recordSglangPass } from './record-sglang-pass.js'
import { knownTokens, newSequence, remainingTokens, type Sequence } from './sequence.js'
import { SglangBase } from './sglang-base.js'
import { type DestinationHost, SglangDestinations } from './sglang-destinations.js'

interface Outcome {
  readonly sequence: Sequence
  readonly emits: boolean
  readonly ends: boolean
}

/** The SGLang scheduler, one pass and one token at a time: the reference the coalescing engine is compared with. */
export class SglangEngine extends SglangBase implements Engine, PrefillHost, DestinationHost {
  readonly waiting: Sequence[] = []
  running: Sequence[] = []
  /** Most tokens one sequence may emit in one pass. */
  readonly longestBurst: number
  private readonly destinations: SglangDestinations<Sequence>
  private readonly activated: Sequence[] = []
  private readonly held: Map<number, Sequence> = new Map()
  private readonly rng: StdRng | null
  private outcomes: Outcome[] = []

  constructor(context: EngineContext) {
    super(context)
    const { settings } = context
    this.destinations = new SglangDestinations<Sequence>(this)
    const bursts = settings.mtpTokens > 0 && settings.role !== 'prefill'
    this.longestBurst = bursts ? settings.mtpTokens + 1 : 1
    this.rng = bursts ? new StdRng(settings.mtpSeed + context.rankIndex) : null
  }

  get waitingCount(): number {
    return this.waiting.length + this.activated.length
  }

  get runningCount(): number {
    return this.running.length
  }

  get reservationIsDue(): boolean {
    return true
  }

  hasWork(): boolean {
    return this.waiting.length > 0 || this.running.length > 0 || this.activated.length > 0
  }

  enqueue(request: number): void {
    this.waiting.push(this.newSequence(request))
  }

  newSequence(request: number): Sequence {
    return newSequence(request, this.promptTokens(request), this.outputLimit(request), this.tree.root)
  }

  startPass(nowMs: number): number {
    const { settings, perf, quirks, observer } = this.context
    this.progressed = false
    while (this.running.length < this.limits.maxSequences && this.activated.length > 0) {
      const sequence = this.activated.shift()!
      this.running.push(sequence)
      observer.admitted(sequence.request, nowMs, 0)
      this.progressed = true
    }
    const gated = this.activated.length > 0 || !this.destinations.isEmpty
    if (settings.sglang.policy === 'lpm') sortByPrefixMatch(this.waiting, this.tree, this.content)
    const batch = gated ? EMPTY_BATCH : choosePrefills(this, observer, nowMs)
    const count = batch.chosen.length
    let startMs = nowMs
    if (count > 0) {
      this.progressed = true
      if (settings.role !== 'decode' || !quirks.freeRecompute) {
        const model = perf.prefillMs(count, Math.floor(batch.islSum / count), Math.floor(batch.prefixSum / count))
        startMs += passDurationMs(model, settings.prefillSpeedup)
      }
      for (const sequence of batch.chosen) {
        if (sequence.materialized === knownTokens(sequence)) this.running.push(sequence)
        else {
          this.cache.enter(sequence, sequence.materialized)
          this.waiting.unshift(sequence)
        }
      }
    }
    if (this.context.wantsMetrics) recordSglangPass(this, batch)
    const endMs = this.running.length === 0 ? startMs : decodeStep(this, startMs, this.progressed)
    this.ratio = Math.max(this.limits.leastRatio, this.ratio - this.limits.ratioStep)
    return endMs
  }

  /** Whether pages are held by others than running and waiting sequences, so that some will come free by themselves. */
  get hasOutsideHolders(): boolean {
    return this.held.size > 0 || this.activated.length > 0 || this.destinations.granted > 0
  }

  reservedTokens(): number {
    let tokens = 0
    for (const sequence of this.running) tokens += Math.min(remainingTokens(sequence), this.limits.clipTokens)
    return tokens
  }

  servableHead(): Sequence | undefined {
    for (;;) {
      const sequence = this.waiting[0]
      if (sequence === undefined || canEverRun(sequence, this.limits)) return sequence
      this.waiting.shift()
      this.cache.retract(sequence)
      this.rejected.push(sequence.request)
    }
  }

  takeHead(): void {
    this.waiting.shift()
  }

  /** Tokens of one sequence in the pass in flight. */
  drawBurst(sequence: Sequence): number {
    let tokens = 1
    if (this.rng !== null) {
      for (const rate of this.context.settings.mtpAcceptRates) {
        if (!this.rng.bernoulli(rate)) break
        tokens++
      }
    }
    return Math.min(tokens, remainingTokens(sequence))
  }

  outcome(sequence: Sequence, emits: boolean, ends: boolean): void {
    this.outcomes.push({ sequence, emits, ends })
  }

  /** Frees a finished sequence, or holds its KV for the decode side. */
  complete(sequence: Sequence): void {
    if (this.context.settings.role === 'prefill') this.held.set(sequence.request, sequence)
    else {
      this.cache.finish(sequence)
      this.capacityGeneration++
    }
  }

  finishPass(endMs: number): boolean {
    const { outcomes, signals, rejected } = this
    const progressed = this.progressed || outcomes.length > 0 || rejected.length > 0
    const isPrefill = this.context.settings.role === 'prefill'
    this.outcomes = []
    for (const { sequence, emits, ends } of outcomes) {
      const isFirst = emits && this.stamp(sequence, endMs)
      if (ends) {
        for (const gap of sequence.gapsMs) this.context.tokens?.gaps.add(gap, 1)
        signals.push(isPrefill ? SIGNAL_SOURCE_HELD : SIGNAL_COMPLETED, sequence.request)
      } else if (isFirst) signals.push(SIGNAL_FIRST_TOKEN, sequence.request)
    }
    for (const request of rejected) signals.push(SIGNAL_REJECTED, request)
    this.publishPass(progressed)
    rejected.length = 0
    this.published.publish()
    this.destinations.retry()
    return progressed
  }

  /** Notes a token at `endMs`; true when it is the request's first. */
  private stamp(sequence: Sequence, endMs: number): boolean {
    const log = this.context.tokens
    const isFirst = Number.isNaN(sequence.lastTokenMs)
    if (log !== null) {
      const { request } = sequence
      const produced = log.producedTokens[request]! + 1
      log.producedTokens[request] = produced
      if (isFirst) log.firstTokenMs[request] = endMs
      else sequence.gapsMs.push(endMs - sequence.lastTokenMs)
      if (produced === 2) log.secondTokenMs[request] = endMs
      log.lastTokenMs[request] = endMs
    }
    sequence.lastTokenMs = endMs
    return isFirst
  }

  planQuiet(): number {
    return 0
  }

  commitQuiet(): void {}

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

  dropUnfinished(): void {}

  rejectStuck(): boolean {
    const sequence = this.waiting.shift() ?? this.destinations.dropHead() ?? this.running.pop()
    if (sequence === undefined) return false
    this.cache.retract(sequence)
    this.capacityGeneration++
    this.signals.push(SIGNAL_REJECTED, sequence.request)
    return true
  }
}
