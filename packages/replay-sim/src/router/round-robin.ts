import type { Router, Send } from './router.js'

interface RankedTarget {
  readonly workerId: number
}

/**
 * Turns over the routable workers by one counter, and over the ranks of each worker by that worker's own counter. The counters
 * survive changes of the worker set.
 */
export class RoundRobinRouter<Target extends RankedTarget> implements Router<Target> {
  /** Requests that arrived while there was no target. */
  private held: number[] = []
  private workers: Target[][] = []
  private readonly rankCounters = new Map<number, number>()
  private counter = 0
  private readonly send: Send<Target>

  constructor(send: Send<Target>) {
    this.send = send
  }

  get queuedCount(): number {
    return this.held.length
  }

  setTargets(targets: readonly Target[]): void {
    const byWorker = new Map<number, Target[]>()
    for (const target of targets) {
      const ranks = byWorker.get(target.workerId)
      if (ranks === undefined) byWorker.set(target.workerId, [target])
      else ranks.push(target)
    }
    this.workers = [...byWorker.values()]
  }

  arrive(request: number, nowMs: number): void {
    if (this.workers.length === 0) {
      this.held.push(request)
      return
    }
    const index = this.counter % this.workers.length
    const ranks = this.workers[index]!
    this.counter = index + 1
    let rank = 0
    if (ranks.length > 1) {
      const worker = ranks[0]!.workerId
      rank = this.rankCounters.get(worker) ?? 0
      this.rankCounters.set(worker, (rank + 1) % ranks.length)
    }
    this.send(request, ranks[rank]!, 0, nowMs)
  }

  firstToken(): void {}

  ended(): void {}

  drain(nowMs: number): void {
    if (this.workers.length === 0 || this.held.length === 0) return
    const { held } = this
    this.held = []
    for (const request of held) this.arrive(request, nowMs)
  }
}
