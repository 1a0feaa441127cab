import { SIGNAL_COMPLETED, SIGNAL_FIRST_TOKEN, SIGNAL_REJECTED } from '../engine/signal-list.js'
import type { Flow } from './flow.js'
import type { Pool } from './pool.js'
import type { Rank } from './rank.js'
import type { Simulation } from './simulation.js'
import type { Worker } from './worker.js'

/** Every worker does prefill and decode. */
export class AggregatedFlow implements Flow {
  private readonly simulation: Simulation
  private readonly pool: Pool

  private readonly targets: Int32Array | null

  constructor(simulation: Simulation, pool: Pool, targets: Int32Array | null) {
    this.simulation = simulation
    this.pool = pool
    this.targets = targets
  }

  arrive(request: number, nowMs: number): void {
    this.pool.router.arrive(request, nowMs)
  }

  /** The router's `send`. */
  send(request: number, rank: Rank): void {
    this.simulation.reach(rank.worker)
    rank.worker.assigned++
    if (this.targets !== null) this.targets[request] = rank.workerId * this.pool.settings.ranks + rank.rank
    rank.engine.enqueue(request)
  }

  drainSignals(worker: Worker, nowMs: number): void {
    const { router } = this.pool
    for (const engine of worker.engines) {
      const { signals } = engine
      for (let k = 0; k < signals.count; k++) {
        const request = signals.requests[k]!
        const kind = signals.kinds[k]!
        if (kind === SIGNAL_FIRST_TOKEN) router.firstToken(request, nowMs)
        else if (kind === SIGNAL_COMPLETED || kind === SIGNAL_REJECTED) {
          worker.assigned--
          router.ended(request, nowMs)
          this.simulation.terminal(request, kind === SIGNAL_REJECTED, nowMs)
        }
      }
      signals.clear()
    }
  }

  workerIdle(): void {}

  deliver(): boolean {
    return false
  }

  nextDeliveryMs(): number {
    return Number.POSITIVE_INFINITY
  }

  act(): boolean {
    return false
  }

  queuedRequests(): number {
    return this.pool.router.queuedCount
  }
}
