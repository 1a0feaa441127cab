import { SpicaError } from '@spica/schema'
import { type Recorder, STATUS_COMPLETED, STATUS_IN_FLIGHT, STATUS_REJECTED } from '../report/recorder.js'
import type { Arrivals } from './arrivals.js'
import { roundNumber } from './clock-rounds.js'
import type { Flow } from './flow.js'
import type { PlannerHook } from './planner-hook.js'
import type { Pool } from './pool.js'
import type { Timeline } from './timeline.js'
import type { Worker } from './worker.js'
import { WorkerHeap } from './worker-heap.js'

/** Planner ticks in a row with requests waiting for a worker and nothing else to happen. */
const IDLE_TICKS_LIMIT = 1000

/** Passes in a row without time or effect after which a worker waits for something to reach it. */
const FRUITLESS_LIMIT = 1024

export interface SimulationOptions {
  readonly recorder: Recorder
  readonly arrivals: Arrivals
  /** In scan order: the prefill pool, if any, first. */
  readonly pools: readonly Pool[]
  readonly planner: PlannerHook | null
  readonly timeline: Timeline
  readonly maxSimTimeMs: number
  /** One worker of one rank without a planner: the cap is checked before passes, not before events. */
  readonly isSingle: boolean
  /** Stamp arrivals in a closed loop when the worker is next idle instead of when they are ready. */
  readonly stampsAtPassEnd: boolean
}

/** The clock: settles everything due at one timestamp, then jumps to the next. */
export class Simulation {
  nowMs = 0
  flow!: Flow
  inFlight = 0
  private readonly options: SimulationOptions
  private readonly busy = new WorkerHeap()
  private readonly awake: Worker[] = []
  private iteration = 0
  private scanOrder = -1
  private stopped = false
  private passes = 0
  private eventsAtTick = 0
  private idleTicks = 0

  constructor(options: SimulationOptions) {
    this.options = options
  }

  run(): void {
    const { recorder, planner, timeline, maxSimTimeMs, isSingle } = this.options
    for (;;) {
      this.settle()
      if (this.stopped) break
      if (planner !== null && planner.nextTickMs <= this.nowMs && this.hasWorkLeft()) {
        planner.tick(this, this.nowMs)
        this.countIdleTick()
        continue
      }
      timeline.sample(this.nowMs)
      if (!this.hasWorkLeft()) break
      let next = this.nextEventMs()
      const canTick = planner !== null && planner.nextTickMs < Number.POSITIVE_INFINITY
      if (next === Number.POSITIVE_INFINITY && !(canTick && this.flow.queuedRequests() > 0)) {
        this.breakDeadEnd()
        continue
      }
      if (planner !== null && planner.nextTickMs < next) next = planner.nextTickMs
      if (!isSingle && next > maxSimTimeMs) {
        this.coastTo(maxSimTimeMs)
        break
      }
      this.nowMs = next
    }
    for (const pool of this.options.pools) {
      pool.countTime(this.nowMs)
      for (const worker of pool.workers) {
        worker.catchUp(this.nowMs)
        for (const engine of worker.engines) engine.dropUnfinished()
      }
    }
    timeline.finish(this.nowMs)
    recorder.endMs = this.nowMs
  }

  /** Moves the clock to the end of the last pass that ends by the cap, be it in the midst of a plan. */
  private coastTo(capMs: number): void {
    for (const pool of this.options.pools) {
      for (const worker of pool.workers) this.nowMs = Math.max(this.nowMs, worker.plannedEndBy(capMs))
    }
  }

  /** Stops a run whose planner never leaves a worker for the requests that wait. */
  private countIdleTick(): void {
    const isIdle = this.busy.top === undefined && this.flow.nextDeliveryMs() === Number.POSITIVE_INFINITY
    const events = this.passes + this.options.recorder.arrivedCount
    this.idleTicks = isIdle && events === this.eventsAtTick && this.flow.queuedRequests() > 0 ? this.idleTicks + 1 : 0
    this.eventsAtTick = events
    if (this.idleTicks > IDLE_TICKS_LIMIT) this.failForWorkers()
  }

  private failForWorkers(): never {
    throw new SpicaError(
      'input',
      'no-workers-left',
      'requests wait, and the planner has left no worker to serve them',
      {
        hint: 'keep at least one worker per pool, e.g. with min_endpoint',
        details: { nowMs: this.nowMs, queued: this.flow.queuedRequests() },
      },
    )
  }

  hasWorkLeft(): boolean {
    return this.inFlight > 0 || this.options.arrivals.nextMs() < Number.POSITIVE_INFINITY
  }

  private nextEventMs(): number {
    const { arrivals, planner, stampsAtPassEnd } = this.options
    const passEnd = this.busy.top?.endMs ?? Number.POSITIVE_INFINITY
    let next = Math.min(passEnd, this.flow.nextDeliveryMs())
    if (planner !== null) next = Math.min(next, planner.nextReadyMs())
    if (!(stampsAtPassEnd && this.busy.top !== undefined)) next = Math.min(next, arrivals.nextMs())
    return next
  }

  private settle(): void {
    const { planner, isSingle, maxSimTimeMs, arrivals } = this.options
    this.iteration = 0
    for (let changed = true; changed; this.iteration++) {
      changed = false
      for (let top = this.busy.top; top !== undefined && top.endMs <= this.nowMs; top = this.busy.top) {
        this.busy.pop()
        this.endPass(top)
        changed = true
      }
      if (planner?.readyWorkers(this, this.nowMs)) changed = true
      if (this.flow.deliver(this.nowMs)) changed = true
      const capped = isSingle && this.nowMs > maxSimTimeMs
      if ((!capped || !arrivals.isClosed) && this.admitArrivals()) changed = true
      if (capped) {
        this.stopped = true
        return
      }
      if (this.flow.act(this.nowMs)) changed = true
      if (this.startPasses()) changed = true
      planner?.removeDrained(this.nowMs)
    }
  }

  private admitArrivals(): boolean {
    const { arrivals, recorder, stampsAtPassEnd } = this.options
    let any = false
    for (let request = arrivals.take(this.nowMs); request >= 0; request = arrivals.take(this.nowMs)) {
      recorder.arrivalMs[request] = stampsAtPassEnd ? this.nowMs : arrivals.takenMs
      recorder.status[request] = STATUS_IN_FLIGHT
      recorder.arrivedCount++
      this.inFlight++
      this.flow.arrive(request, this.nowMs)
      any = true
    }
    return any
  }

  /** Starts passes on idle workers, ascending; true when a pass that took no time changed something. */
  private startPasses(): boolean {
    const { pools } = this.options
    const repeats = pools.length > 1
    let changed = false
    for (let pool = 0; pool < pools.length; pool++) {
      const limit = pool === 0 && repeats ? pools[1]!.firstOrder : Number.POSITIVE_INFINITY
      for (let scan = 0, again = true; again; scan++) {
        again = this.scan(roundNumber(this.iteration, pool, scan), limit, repeats)
        if (again) changed = true
        if (!repeats) break
      }
    }
    return changed
  }

  /** `restarts`: after a pass that took no time the scan begins again, so such passes of one worker run on end. */
  private scan(round: number, orderLimit: number, restarts: boolean): boolean {
    let changed = false
    this.scanOrder = -1
    for (let worker = this.nextAwake(orderLimit); worker !== undefined; worker = this.nextAwake(orderLimit)) {
      if (worker.busy || worker.stalled || !worker.hasWork()) continue
      this.beginPass(worker, round)
      if (worker.endMs > this.nowMs) this.busy.push(worker)
      else {
        if (!this.endPass(worker)) continue
        changed = true
        if (restarts) this.scanOrder = -1
      }
    }
    this.scanOrder = -1
    return changed
  }

  private beginPass(worker: Worker, round: number): void {
    const { isSingle, arrivals, maxSimTimeMs, stampsAtPassEnd } = this.options
    const next = arrivals.nextMs()
    worker.begin(this.nowMs, round, isSingle ? next - this.nowMs : Number.POSITIVE_INFINITY)
    if (!isSingle || !worker.isCoasting) return
    if (worker.endMs > maxSimTimeMs) worker.cut(maxSimTimeMs, true)
    if (stampsAtPassEnd && worker.endMs > next) worker.cut(next, false)
  }

  private nextAwake(orderLimit: number): Worker | undefined {
    const { awake } = this
    let best = -1
    for (let k = 0; k < awake.length; k++) {
      const { order } = awake[k]!
      if (order <= this.scanOrder || order >= orderLimit) continue
      if (best < 0 || order < awake[best]!.order) best = k
    }
    if (best < 0) return undefined
    const worker = awake[best]!
    const last = awake.pop()!
    if (last !== worker) awake[best] = last
    worker.isAwake = false
    this.scanOrder = worker.order
    return worker
  }

  private endPass(worker: Worker): boolean {
    const timeless = worker.endMs <= worker.startMs
    const progressed = worker.end()
    this.passes++
    this.flow.workerIdle(worker)
    if (timeless && !progressed) worker.stalled = true
    worker.fruitless = timeless ? worker.fruitless + 1 : 0
    let signalled = false
    for (const engine of worker.engines) if (engine.signals.count > 0) signalled = true
    if (signalled) {
      worker.fruitless = 0
      this.flow.drainSignals(worker, this.nowMs)
    }
    if (worker.fruitless > FRUITLESS_LIMIT) worker.stalled = true
    this.wake(worker)
    return progressed
  }

  /** Puts a worker on the list of those that may start a pass. */
  wake(worker: Worker): void {
    if (worker.isAwake) return
    worker.isAwake = true
    this.awake.push(worker)
  }

  /** Call before anything reaches a worker: whatever it planned ahead is cut to the pass in flight. */
  reach(worker: Worker): void {
    worker.stalled = false
    worker.fruitless = 0
    if (worker.isCoasting) {
      const started = this.iteration > 0 || worker.order <= this.scanOrder
      if (worker.interrupt(this.nowMs, started)) {
        this.busy.remove(worker)
        this.flow.workerIdle(worker)
        this.flow.drainSignals(worker, this.nowMs)
      } else this.busy.advance(worker)
    }
    if (!worker.busy) this.wake(worker)
  }

  /** A request reached its end. */
  terminal(request: number, rejected: boolean, nowMs: number): void {
    const { recorder, arrivals, planner } = this.options
    recorder.status[request] = rejected ? STATUS_REJECTED : STATUS_COMPLETED
    recorder.terminalMs[request] = nowMs
    recorder.terminalOrder[recorder.terminalCount++] = request
    this.inFlight--
    planner?.terminal(request)
    arrivals.ended(request, nowMs)
  }

  /** Nothing can move and requests are in flight: rejects one that can never be served. */
  private breakDeadEnd(): void {
    for (const pool of this.options.pools) {
      for (const worker of pool.workers) {
        for (const engine of worker.engines) {
          if (!engine.rejectStuck()) continue
          this.reach(worker)
          this.flow.drainSignals(worker, this.nowMs)
          return
        }
      }
    }
    if (this.flow.queuedRequests() > 0 && this.options.planner !== null) this.failForWorkers()
    throw new SpicaError('internal', 'replay-dead-end', `replay can not go on at ${this.nowMs} ms`, {
      hint: 'report this deployment and workload',
      details: { nowMs: this.nowMs, inFlight: this.inFlight, queued: this.flow.queuedRequests() },
    })
  }
}
