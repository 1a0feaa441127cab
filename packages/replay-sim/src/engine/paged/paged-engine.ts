import { StdRng } from '../../random/std-rng.js'
import type { Engine, EngineContext, LowerOverlap, PassMetrics } from '../engine.js'
import { passDurationMs } from '../pass-duration.js'
import { emptyMetrics } from '../pass-metrics.js'
import {
  SIGNAL_COMPLETED,
  SIGNAL_FIRST_TOKEN,
  SIGNAL_REJECTED,
  SIGNAL_SOURCE_HELD,
  SignalList,
} from '../signal-list.js'
import { BlockIdentity } from './block-identity.js'
import { BlockPool } from './block-pool.js'
import { emitBursts } from './burst.js'
import { DestinationQueue } from './destination-queue.js'
import { Parking } from './parking.js'
import { PassBudget } from './pass-budget.js'
import { admitWaiting, scheduleRunning } from './pass-schedule.js'
import { recordPass } from './record-pass.js'
import { knownTokens, newSequence, type Sequence } from './sequence.js'

/** A token or an end decided by the pass in flight. */
export interface PassOutcome {
  readonly sequence: Sequence
  readonly emits: boolean
  readonly ends: boolean
}

/**
 * The vLLM and TRT-LLM schedulers, one pass at a time over objects: the reference the coalescing engine is compared with,
 * and the one used for multi-token prediction, fifo preemption and the other rare settings.
 */
export class PagedEngine implements Engine {
  readonly context: EngineContext
  readonly isTrtllm: boolean
  readonly blockSize: number
  readonly pool: BlockPool
  readonly identity: BlockIdentity
  readonly signals: SignalList = new SignalList()
  readonly metrics: PassMetrics = emptyMetrics()
  /** Metrics and emissions of the pass in flight. */
  readonly passMetrics: PassMetrics = emptyMetrics()
  passForwards = 0
  readonly waiting: Sequence[] = []
  readonly running: Sequence[] = []
  readonly rejected: Sequence[] = []
  readonly destinations: DestinationQueue
  /** Grows whenever capacity may have been freed. */
  capacityGeneration = 0
  decodeForwards = 0
  decodeTokens = 0
  readonly mtpRng: StdRng | null
  /** Host-memory tier; null when off. */
  readonly offload: Parking | null
  private outcomes: PassOutcome[] = []
  private readonly held = new Map<number, Sequence>()
  private progressed = false

  constructor(context: EngineContext) {
    const { settings, workload } = context
    this.context = context
    this.isTrtllm = settings.type === 'trtllm'
    this.blockSize = settings.blockSize
    this.pool = new BlockPool(settings.blocks)
    this.identity = new BlockIdentity(context.blocks, workload.inputTokens, workload.outputTokens)
    this.destinations = new DestinationQueue(this)
    const offloads = settings.offload.hostBlocks > 0 && !context.quirks.offloadIgnored
    this.offload = offloads ? new Parking(this) : null
    this.mtpRng = settings.mtpTokens > 0 ? new StdRng(settings.mtpSeed + context.rankIndex) : null
  }

  get waitingCount(): number {
    return this.waiting.length + (this.offload?.parked.size ?? 0)
  }

  get runningCount(): number {
    return this.running.length
  }

  get activeBlocks(): number {
    return this.pool.activeBlocks
  }

  get reservationIsDue(): boolean {
    return true
  }

  hasWork(): boolean {
    return this.waiting.length > 0 || this.running.length > 0 || (this.offload?.parked.size ?? 0) > 0
  }

  enqueue(request: number): void {
    this.waiting.push(this.sequenceOf(request))
  }

  sequenceOf(request: number): Sequence {
    const prompt = this.context.workload.inputTokens[request]!
    let limit = this.context.outputTokens[request]!
    const capacity = this.context.settings.blocks * this.blockSize
    if (this.isTrtllm && prompt < capacity) limit = Math.min(limit, capacity - prompt)
    return newSequence(request, prompt, limit)
  }

  startPass(nowMs: number): number {
    const { settings, perf, quirks } = this.context
    const budget = new PassBudget(settings.maxBatchedTokens)
    this.progressed = false
    this.offload?.advance(nowMs)
    scheduleRunning(this, budget)
    if (!budget.preempted) this.progressed = admitWaiting(this, budget, nowMs)
    if (budget.grants.size > 0 || this.rejected.length > 0) this.progressed = true
    let startMs = nowMs
    const chargesPrefill = settings.role !== 'decode' || !quirks.freeRecompute
    if (budget.prefillCount > 0 && chargesPrefill) {
      const n = budget.prefillCount
      const model = perf.prefillMs(n, Math.floor(budget.islSum / n), Math.floor(budget.prefixSum / n))
      startMs += passDurationMs(model, settings.prefillSpeedup)
    }
    const ready: Sequence[] = []
    for (const sequence of [...this.running]) {
      if (sequence.computed < knownTokens(sequence)) continue
      if (this.remainingOutput(sequence) > 0) ready.push(sequence)
      else this.finish(sequence, false)
    }
    if (this.context.wantsMetrics) recordPass(this, budget, ready)
    const endMs = ready.length === 0 ? startMs : this.decode(ready, startMs)
    return this.offload === null ? endMs : this.awaitCopies(this.offload, nowMs, endMs)
  }

  /** Starts the copies the pass caused. A pass that could do nothing but wait for copies lasts until the first one ends. */
  private awaitCopies(offload: Parking, nowMs: number, endMs: number): number {
    offload.flush(nowMs)
    const { deadlineMs } = offload
    if (endMs > nowMs || this.progressed || this.outcomes.length > 0 || deadlineMs === Number.POSITIVE_INFINITY)
      return endMs
    this.progressed = true
    return Math.max(nowMs, deadlineMs)
  }

  private decode(ready: Sequence[], startMs: number): number {
    if (this.mtpRng !== null && this.context.settings.role !== 'prefill') {
      return emitBursts(this, this.mtpRng, ready, startMs)
    }
    const endMs = startMs + this.decodeDurationMs(ready, this.pool.activeBlocks)
    for (const sequence of ready) this.emit(sequence)
    this.passForwards = ready.length
    return endMs
  }

  /** Decode time of one step of `ready` with `activeBlocks` in use; 0 on prefill workers. */
  decodeDurationMs(ready: readonly Sequence[], activeBlocks: number): number {
    const { settings, perf } = this.context
    if (settings.role === 'prefill') return 0
    let tokens = 0
    for (const sequence of ready) tokens += knownTokens(sequence)
    const n = ready.length
    const total = settings.blocks * this.blockSize
    const model = perf.decodeMs(n, activeBlocks * this.blockSize, Math.floor(tokens / n), total)
    return passDurationMs(model, settings.decodeSpeedup)
  }

  /** One token for `sequence` in the pass in flight. */
  emit(sequence: Sequence): void {
    sequence.produced++
    if (this.remainingOutput(sequence) > 0) this.outcomes.push({ sequence, emits: true, ends: false })
    else this.finish(sequence, true)
  }

  private finish(sequence: Sequence, emits: boolean): void {
    this.running.splice(this.running.indexOf(sequence), 1)
    this.capacityGeneration++
    if (this.context.settings.role === 'prefill') this.held.set(sequence.request, sequence)
    else this.releaseBlocks(sequence)
    this.outcomes.push({ sequence, emits, ends: true })
  }

  remainingOutput(sequence: Sequence): number {
    const left = sequence.limit - sequence.produced
    const cap = this.context.settings.maxModelTokens
    if (this.isTrtllm || cap === Number.POSITIVE_INFINITY) return left
    return Math.min(left, Math.max(0, cap - knownTokens(sequence)))
  }

  releaseBlocks(sequence: Sequence): void {
    for (let k = sequence.blocks.length - 1; k >= 0; k--) this.pool.release(sequence.blocks[k]!)
    sequence.blocks = []
    sequence.allocated = 0
  }

  finishPass(endMs: number): boolean {
    const outcomes = this.outcomes
    const progressed = this.progressed || outcomes.length > 0
    this.outcomes = []
    if (this.context.wantsMetrics && progressed) Object.assign(this.metrics, this.passMetrics)
    this.decodeForwards += this.passForwards
    this.passForwards = 0
    for (const { sequence, emits, ends } of outcomes) {
      const isFirst = emits && this.stamp(sequence, endMs)
      if (emits) this.decodeTokens++
      if (ends) this.end(sequence)
      else if (isFirst) this.signals.push(SIGNAL_FIRST_TOKEN, sequence.request)
    }
    for (const sequence of this.rejected) this.signals.push(SIGNAL_REJECTED, sequence.request)
    this.rejected.length = 0
    this.offload?.advance(endMs)
    this.destinations.retry()
    return progressed
  }

  private end(sequence: Sequence): void {
    if (this.context.settings.role === 'prefill') {
      this.signals.push(SIGNAL_SOURCE_HELD, sequence.request)
      return
    }
    const gaps = this.context.tokens?.gaps
    if (gaps !== undefined) for (const gap of sequence.gapsMs) gaps.add(gap, 1)
    this.signals.push(SIGNAL_COMPLETED, sequence.request)
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

  overlapBlocks(request: number): number {
    if (!this.context.settings.prefixCaching) return 0
    const full = Math.floor(this.context.workload.inputTokens[request]! / this.blockSize)
    let overlap = 0
    while (overlap < full && this.pool.has(this.identity.idOf(request, overlap))) overlap++
    return overlap
  }

  lowerOverlap(request: number, onDevice: number): LowerOverlap | null {
    if (this.offload === null) return null
    const full = Math.floor(this.context.workload.inputTokens[request]! / this.blockSize)
    const { all, onDisk } = this.offload.lowerBlocks(this, request, onDevice, full)
    return { host: all - onDisk, disk: onDisk }
  }

  reserve(request: number, idle: boolean): void {
    this.destinations.push(this.sequenceOf(request))
    if (idle) this.destinations.retry()
  }

  activate(request: number): void {
    this.destinations.activate(request)
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
    this.releaseBlocks(sequence)
    this.capacityGeneration++
    this.destinations.retry()
  }

  dropUnfinished(): void {}

  rejectStuck(): boolean {
    const sequence = this.waiting.shift() ?? this.destinations.dropHead()
    if (sequence === undefined) return false
    this.signals.push(SIGNAL_REJECTED, sequence.request)
    return true
  }
}
