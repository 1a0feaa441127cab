import type { Worker } from './worker.js'

/** What happens to requests between arrival and end; one implementation per deployment mode. */
export interface Flow {
  /** A request arrived. */
  arrive(request: number, nowMs: number): void
  /** A worker's engines raised signals (pass end, activation, reservation): reads and clears them. */
  drainSignals(worker: Worker, nowMs: number): void
  /** A worker became idle: deferred commands may run now. */
  workerIdle(worker: Worker): void
  /** Transfers that end by `nowMs`. True when there was one. */
  deliver(nowMs: number): boolean
  /** End of the next transfer, Infinity when none is under way. */
  nextDeliveryMs(): number
  /** Runs queued hand-off commands. True when there was one. */
  act(nowMs: number): boolean
  /** Requests held in router queues. */
  queuedRequests(): number
}
