import type { EngineObserver } from '../engine/engine.js'
import {
  SIGNAL_COMPLETED,
  SIGNAL_FIRST_TOKEN,
  SIGNAL_REJECTED,
  SIGNAL_RESERVED,
  SIGNAL_SOURCE_HELD,
} from '../engine/signal-list.js'
import type { HandoffLog, Recorder } from '../report/recorder.js'
import type { Flow } from './flow.js'
import type { Pool } from './pool.js'
import type { Rank } from './rank.js'
import { RequestHeap } from './request-heap.js'
import type { Simulation } from './simulation.js'
import type { Worker } from './worker.js'

const HELD = 1
const RESERVED = 2
const ASKED_OTHER_SIDE = 4
const SENDING = 8
const SENT = 16
const ACTIVATING = 32
const ACTIVATED = 64
const RELEASING = 128

type CommandKind = 'submit' | 'reserve' | 'transfer' | 'activate' | 'release' | 'cancel'

interface Command {
  readonly kind: CommandKind
  readonly request: number
}

export interface TransferLink {
  readonly kvBytesPerToken: number
  /** GB/s */
  readonly bandwidth: number
}

export interface HandoffOptions {
  readonly prefill: Pool
  readonly decode: Pool
  /** SGLang reserves the destination before it computes the prompt. */
  readonly destinationFirst: boolean
  /** Null = transfers take no time. */
  readonly link: TransferLink | null
  readonly onlyMissing: boolean
  readonly recorder: Recorder
}

/** Disaggregated serving: prompt on a prefill worker, KV sent over, tokens from a decode worker. */
export class HandoffFlow implements Flow {
  /** Observers of the two pools' admissions. */
  readonly observers: { readonly prefill: EngineObserver; readonly decode: EngineObserver }
  private readonly simulation: Simulation
  private readonly options: HandoffOptions
  private readonly log: HandoffLog
  private readonly flags: Uint8Array
  private readonly missingTokens: Int32Array
  private commands: Command[] = []
  private readonly deferred = new Map<Worker, Command[]>()
  private readonly transfers: RequestHeap
  private readonly transferOrder: Int32Array
  private transferCount = 0

  constructor(simulation: Simulation, options: HandoffOptions) {
    const { count } = options.recorder.workload
    this.simulation = simulation
    this.options = options
    this.log = options.recorder.handoff!
    this.flags = new Uint8Array(count)
    this.missingTokens = new Int32Array(count)
    this.transferOrder = new Int32Array(count)
    this.transfers = new RequestHeap(this.transferOrder, new Int32Array(count))
    this.observers = this.newObservers()
  }

  private newObservers(): { readonly prefill: EngineObserver; readonly decode: EngineObserver } {
    const { recorder } = this.options
    const { log } = this
    return {
      prefill: {
        admitted: (request, nowMs, reused) => {
          if (Number.isNaN(recorder.firstAdmitMs[request]!)) {
            recorder.firstAdmitMs[request] = nowMs
            log.prefillAdmitMs[request] = nowMs
            recorder.firstReusedTokens[request] = reused
          }
          if (reused > recorder.reusedTokens[request]!) recorder.reusedTokens[request] = reused
          if (reused > recorder.prefillReusedTokens[request]!) recorder.prefillReusedTokens[request] = reused
        },
      },
      decode: {
        admitted: (request, nowMs, reused) => {
          if (Number.isNaN(log.decodeAdmitMs[request]!)) log.decodeAdmitMs[request] = nowMs
          if (reused > recorder.reusedTokens[request]!) recorder.reusedTokens[request] = reused
          if (reused > log.decodeReusedTokens[request]!) log.decodeReusedTokens[request] = reused
        },
      },
    }
  }

  arrive(request: number): void {
    this.commands.push({ kind: this.options.destinationFirst ? 'reserve' : 'submit', request })
  }

  /** The prefill router's `send`. */
  sendPrefill(request: number, rank: Rank, overlapTokens: number): void {
    this.options.prefill.rankOf[request] = rank
    this.log.prefillWorker[request] = rank.workerId
    this.log.prefillRouteOverlapTokens[request] = overlapTokens
    this.simulation.reach(rank.worker)
    rank.worker.assigned++
    rank.engine.enqueue(request)
  }

  /** The decode router's `send`. */
  sendDecode(request: number, rank: Rank, nowMs: number): void {
    this.options.decode.rankOf[request] = rank
    this.log.decodeWorker[request] = rank.workerId
    this.simulation.reach(rank.worker)
    rank.worker.catchUp(nowMs)
    rank.worker.assigned++
    rank.engine.reserve(request, !rank.worker.busy)
    this.drainSignals(rank.worker, nowMs)
  }

  act(nowMs: number): boolean {
    let any = false
    while (this.commands.length > 0) {
      const batch = this.commands
      this.commands = []
      for (let k = 0; k < batch.length; k++) {
        if (this.execute(batch[k]!, nowMs)) any = true
      }
    }
    return any
  }

  private execute(command: Command, nowMs: number): boolean {
    const { prefill, decode } = this.options
    const { kind, request } = command
    if (kind === 'submit') prefill.router.arrive(request, nowMs)
    else if (kind === 'reserve') decode.router.arrive(request, nowMs)
    else if (kind === 'transfer') this.transfer(request, nowMs)
    else {
      const rank = (kind === 'release' ? prefill : decode).rankOf[request]!
      this.simulation.reach(rank.worker)
      if (rank.worker.busy) {
        const list = this.deferred.get(rank.worker)
        if (list === undefined) this.deferred.set(rank.worker, [command])
        else list.push(command)
        return false
      }
      if (kind === 'activate') this.activate(request, rank, nowMs)
      else if (kind === 'cancel') this.cancel(request, rank, nowMs)
      else this.release(request, rank, nowMs)
    }
    return true
  }

  private transfer(request: number, nowMs: number): void {
    const { link, onlyMissing, recorder } = this.options
    const tokens = onlyMissing ? this.missingTokens[request]! : recorder.workload.inputTokens[request]!
    const delayMs = link === null ? 0 : ((tokens * link.kvBytesPerToken) / (link.bandwidth * 1e9)) * 1000
    if (delayMs > 0) {
      this.transferOrder[request] = this.transferCount++
      this.transfers.push(request, nowMs + delayMs)
    } else this.mark(request, SENT)
  }

  private activate(request: number, rank: Rank, nowMs: number): void {
    this.log.destinationActivatedMs[request] = nowMs
    rank.engine.activate(request)
    this.simulation.wake(rank.worker)
    this.mark(request, ACTIVATED)
    this.drainSignals(rank.worker, nowMs)
  }

  /** The source failed: its reservation goes. */
  private cancel(request: number, rank: Rank, nowMs: number): void {
    rank.worker.assigned--
    rank.engine.cancelReservation(request)
    this.simulation.wake(rank.worker)
    this.drainSignals(rank.worker, nowMs)
  }

  private release(request: number, rank: Rank, nowMs: number): void {
    this.log.sourceReleasedMs[request] = nowMs
    rank.engine.releaseSource(request)
    rank.worker.assigned--
    this.simulation.wake(rank.worker)
    this.drainSignals(rank.worker, nowMs)
  }

  /** Notes a step of the hand-off and asks for the next. */
  private mark(request: number, flag: number): void {
    const flags = this.flags[request]! | flag
    const next = (kind: CommandKind, asked: number): void => {
      this.flags[request] = flags | asked
      this.commands.push({ kind, request })
    }
    this.flags[request] = flags
    const first = this.options.destinationFirst ? RESERVED : HELD
    if ((flags & (first | ASKED_OTHER_SIDE)) === first) {
      next(this.options.destinationFirst ? 'submit' : 'reserve', ASKED_OTHER_SIDE)
    } else if ((flags & (HELD | RESERVED | SENDING)) === (HELD | RESERVED)) next('transfer', SENDING)
    else if ((flags & (SENT | ACTIVATING)) === SENT) next('activate', ACTIVATING)
    else if ((flags & (ACTIVATED | RELEASING)) === ACTIVATED) next('release', RELEASING)
  }

  workerIdle(worker: Worker): void {
    const list = this.deferred.get(worker)
    if (list === undefined) return
    this.deferred.delete(worker)
    this.commands.push(...list)
  }

  drainSignals(worker: Worker, nowMs: number): void {
    const isDecode = worker.order >= this.options.decode.firstOrder
    for (const engine of worker.engines) {
      const { signals } = engine
      for (let k = 0; k < signals.count; k++) {
        const request = signals.requests[k]!
        if (isDecode) this.decodeSignal(worker, signals.kinds[k]!, request, signals.values[k]!, nowMs)
        else this.prefillSignal(worker, signals.kinds[k]!, request, nowMs)
      }
      signals.clear()
    }
  }

  private decodeSignal(worker: Worker, kind: number, request: number, value: number, nowMs: number): void {
    const { router } = this.options.decode
    if (kind === SIGNAL_FIRST_TOKEN) router.firstToken(request, nowMs)
    else if (kind === SIGNAL_RESERVED) {
      this.log.destinationReservedMs[request] = nowMs
      this.missingTokens[request] = value
      this.mark(request, RESERVED)
    } else if (kind === SIGNAL_COMPLETED || kind === SIGNAL_REJECTED) {
      worker.assigned--
      router.ended(request, nowMs)
      if (kind === SIGNAL_REJECTED && (this.flags[request]! & (HELD | RELEASING)) === HELD) {
        this.flags[request] = this.flags[request]! | RELEASING
        this.commands.push({ kind: 'release', request })
      }
      this.simulation.terminal(request, kind === SIGNAL_REJECTED, nowMs)
    }
  }

  private prefillSignal(worker: Worker, kind: number, request: number, nowMs: number): void {
    const { prefill, decode } = this.options
    if (kind === SIGNAL_SOURCE_HELD) {
      this.log.sourceHeldMs[request] = nowMs
      prefill.router.ended(request, nowMs)
      this.mark(request, HELD)
    } else if (kind === SIGNAL_REJECTED) {
      worker.assigned--
      prefill.router.ended(request, nowMs)
      if (decode.rankOf[request] !== undefined) {
        decode.router.ended(request, nowMs)
        this.commands.push({ kind: 'cancel', request })
      }
      this.simulation.terminal(request, true, nowMs)
    }
  }

  deliver(nowMs: number): boolean {
    let any = false
    while (this.transfers.topMs <= nowMs) {
      this.mark(this.transfers.pop(), SENT)
      any = true
    }
    return any
  }

  nextDeliveryMs(): number {
    return this.transfers.topMs
  }

  queuedRequests(): number {
    return this.options.prefill.router.queuedCount + this.options.decode.router.queuedCount
  }
}
