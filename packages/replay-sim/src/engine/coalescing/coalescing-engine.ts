import type { Engine, EngineContext, PassMetrics } from '../engine.js'
import { passDurationMs } from '../pass-duration.js'
import { emptyMetrics } from '../pass-metrics.js'
import {
  SIGNAL_COMPLETED,
  SIGNAL_FIRST_TOKEN,
  SIGNAL_REJECTED,
  SIGNAL_SOURCE_HELD,
  SignalList,
} from '../signal-list.js'
import { sortByOrder } from './admission-order.js'
import { DestinationReservations } from './destination-reservations.js'
import { EngineState } from './engine-state.js'
import { stampLoneToken } from './lone-token.js'
import { commitQuietPasses, planQuietPasses, recordDecoding } from './quiet-passes.js'
import type { SequenceTable } from './sequence-table.js'
import { stepAdmission } from './step-admission.js'
import { stepRunning } from './step-running.js'

export interface CoalescingOptions {
  readonly table: SequenceTable
  /** Largest output limit of the workload on this pool, tokens. */
  readonly longestOutput: number
  /** Some request may stay unfinished after it had tokens. */
  readonly tracksUnfinished: boolean
  /** A router reads `overlapBlocks`, so evictions of shared blocks must happen in time. */
  readonly overlapIsWatched: boolean
}

/**
 * The vLLM and TRT-LLM schedulers at the cost of what changes: a pass in which every member only grows by a token is a
 * handful of counter updates, and runs of such passes are planned and performed together.
 */
export class CoalescingEngine implements Engine {
  readonly signals: SignalList = new SignalList()
  readonly metrics: PassMetrics
  decodeForwards = 0
  decodeTokens = 0
  private readonly context: EngineContext
  private readonly state: EngineState
  private readonly destinations: DestinationReservations
  private readonly overlapIsWatched: boolean
  private readonly isPrefill: boolean
  /** Laggards that emit in the pass in flight, running order. */
  private emitters: number[] = []
  /** Requests that wanted no token and ended in the pass in flight. */
  private silent: number[] = []
  private readonly ending: number[] = []
  private progressed = false

  constructor(context: EngineContext, options: CoalescingOptions) {
    this.context = context
    this.state = new EngineState(context, options.table, options.longestOutput, options.tracksUnfinished)
    this.metrics = this.state.recorder?.metrics ?? emptyMetrics()
    this.destinations = new DestinationReservations(this.state, this.signals)
    this.overlapIsWatched = options.overlapIsWatched
    this.isPrefill = context.settings.role === 'prefill'
  }

  get waitingCount(): number {
    return this.state.waiting.count
  }

  get runningCount(): number {
    return this.state.runningCount
  }

  get activeBlocks(): number {
    return this.state.kv.active
  }

  get reservationIsDue(): boolean {
    return this.destinations.isDue
  }

  hasWork(): boolean {
    return this.state.runningCount > 0 || this.state.waiting.count > 0
  }

  enqueue(request: number): void {
    const { waiting } = this.state
    if (waiting.count === 0 || !this.destinations.isEmpty) this.state.waitingIsStuck = false
    waiting.push(request)
    this.state.recorder?.waitingChanged(this.state, request, 1)
  }

  startPass(nowMs: number): number {
    const { state, context } = this
    const { settings, perf } = context
    state.budget = settings.maxBatchedTokens
    state.prefillCount = 0
    state.islSum = 0
    state.prefixSum = 0
    state.grantCount = 0
    state.hasPreempted = false
    stepRunning(state)
    const admitted = state.waiting.count > 0 && stepAdmission(state, this.destinations, nowMs)
    this.progressed = admitted || state.grantCount > 0 || state.decoding.size > 0 || state.rejected.length > 0
    let startMs = nowMs
    if (state.prefillCount > 0) {
      const n = state.prefillCount
      const model = perf.prefillMs(n, Math.floor(state.islSum / n), Math.floor(state.prefixSum / n))
      startMs += passDurationMs(model, settings.prefillSpeedup)
    }
    const lagging = state.laggards.length > 0 ? this.sortLaggards() : 0
    state.recorder?.passScheduled(state, this.emitters)
    const ready = state.decoding.size + this.emitters.length
    if (ready === 0 || this.isPrefill) return startMs
    const { decoding } = state
    const tokens = decoding.size * decoding.pass + decoding.leadSum + lagging
    const model = perf.decodeMs(
      ready,
      state.kv.active * state.blockSize,
      Math.floor(tokens / ready),
      settings.blocks * state.blockSize,
    )
    return startMs + passDurationMs(model, settings.decodeSpeedup)
  }

  /** Finds the laggards that emit, ends those that want no token; returns the emitters' known tokens. */
  private sortLaggards(): number {
    const { state } = this
    const { table, laggards } = state
    let tokens = 0
    let kept = 0
    for (let k = 0; k < laggards.length; k++) {
      const request = laggards[k]!
      const known = state.promptOf(request) + table.produced[request]!
      if (table.computed[request]! < known) laggards[kept++] = request
      else if (state.emissionsOf(request) - table.produced[request]! > 0) {
        this.emitters.push(request)
        tokens += known
      } else {
        this.silent.push(request)
        this.leave(request, table.computed[request]!)
      }
    }
    laggards.length = kept
    return tokens
  }

  /** A request has all its tokens: its blocks are given back, or held for the decode worker to fetch. */
  private leave(request: number, computed: number): void {
    const { state } = this
    state.unlinkRunning(request)
    state.unpromise(request, computed)
    state.capacityGeneration++
    state.waitingIsStuck = false
    if (this.isPrefill) state.table.computed[request] = computed
    else state.releaseBlocks(request, computed, false)
  }

  finishPass(endMs: number): boolean {
    const { state, signals } = this
    if (this.progressed) state.recorder?.passFinished()
    for (const request of this.silent) this.signalEnd(request)
    this.silent.length = 0
    if (state.decoding.size > 0 || this.emitters.length > 0) this.emit(endMs)
    for (const request of state.rejected) {
      state.unfinished?.drop(request)
      signals.push(SIGNAL_REJECTED, request)
    }
    state.rejected.length = 0
    this.destinations.retry()
    return this.progressed
  }

  private signalEnd(request: number): void {
    this.state.unfinished?.finished(request)
    this.signals.push(this.isPrefill ? SIGNAL_SOURCE_HELD : SIGNAL_COMPLETED, request)
  }

  private emit(endMs: number): void {
    const { state, ending, emitters } = this
    const { decoding, table } = state
    const members = decoding.size
    if (members > 0) recordDecoding(state, endMs - state.lastEndMs, endMs)
    const count = decoding.endingIn(decoding.pass) < 0 ? 0 : decoding.takeEnding(ending)
    if (count > 1) sortByOrder(ending, count, table.order)
    decoding.pass++
    state.lastEndMs = endMs
    this.decodeForwards += members + emitters.length
    this.decodeTokens += members + emitters.length
    let next = 0
    for (let k = 0; k < emitters.length; k++) {
      const request = emitters[k]!
      while (next < count && table.order[ending[next]!]! < table.order[request]!)
        this.endDecoding(ending[next++]!, endMs)
      this.emitAlone(request, endMs)
    }
    while (next < count) this.endDecoding(ending[next++]!, endMs)
    emitters.length = 0
  }

  private endDecoding(request: number, endMs: number): void {
    const { state } = this
    const log = this.context.tokens
    const emissions = state.emissionsOf(request)
    if (log !== null) {
      log.lastTokenMs[request] = endMs
      log.producedTokens[request] = emissions
    }
    this.leave(request, state.promptOf(request) + emissions - 1)
    this.signalEnd(request)
  }

  private emitAlone(request: number, endMs: number): void {
    const { state } = this
    const { table } = state
    const produced = table.produced[request]! + 1
    table.produced[request] = produced
    stampLoneToken(state, request, produced, endMs)
    const remaining = state.emissionsOf(request) - produced
    const known = state.promptOf(request) + produced
    if (remaining === 0) {
      this.leave(request, known - 1)
      this.signalEnd(request)
      return
    }
    state.decoding.join(request, known, remaining)
    state.unfinished?.join(request)
    if (produced > 1) return
    this.signals.push(SIGNAL_FIRST_TOKEN, request)
    state.awaitSecond.push(request)
  }

  planQuiet(durationsMs: Float64Array, limit: number, spanMs: number): number {
    if (this.isPrefill || this.destinations.isDue) return 0
    this.state.recorder?.quietPlanned()
    return planQuietPasses(this.state, this.overlapIsWatched, durationsMs, limit, spanMs)
  }

  commitQuiet(count: number, boundariesMs: Float64Array, offset: number): void {
    const members = this.state.decoding.size
    commitQuietPasses(this.state, count, boundariesMs, offset)
    this.decodeForwards += members * count
    this.decodeTokens += members * count
  }

  settleIdle(): void {
    this.destinations.retry()
  }

  overlapBlocks(request: number): number {
    const { kv } = this.state
    const { sharedBlocks, offsets, ids, blockSize } = this.context.blocks
    const end = Math.min(sharedBlocks[request]!, Math.floor(this.state.promptOf(request) / blockSize))
    const from = offsets[request]!
    let overlap = 0
    while (overlap < end && kv.copyOf(ids[from + overlap]!) !== 0) overlap++
    return overlap
  }

  reserve(request: number, idle: boolean): void {
    this.destinations.push(request)
    this.state.waitingIsStuck = false
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
    const { state } = this
    state.releaseBlocks(request, state.table.computed[request]!, false)
    state.table.computed[request] = 0
    state.capacityGeneration++
    state.waitingIsStuck = false
    this.destinations.retry()
  }

  dropUnfinished(): void {
    this.state.unfinished?.dropAll()
  }

  rejectStuck(): boolean {
    const { state } = this
    let request = -1
    if (state.waiting.count > 0) {
      request = state.waiting.at(0)
      state.recorder?.waitingChanged(state, request, -1)
      state.waiting.removeAt(0)
      state.waitingIsStuck = false
    } else request = this.destinations.dropHead()
    if (request < 0) return false
    state.unfinished?.drop(request)
    this.signals.push(SIGNAL_REJECTED, request)
    return true
  }
}
