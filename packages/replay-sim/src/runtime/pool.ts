import type { Engine } from '../engine/engine.js'
import type { ResolvedEngine } from '../engine/engine-settings.js'
import type { PoolUsage } from '../report/recorder.js'
import type { Router } from '../router/router.js'
import { Rank } from './rank.js'
import { Worker } from './worker.js'

export interface PoolOptions {
  readonly settings: ResolvedEngine
  /** Place among the pools: the prefill pool of a disaggregated deployment is 0, its decode pool 1. */
  readonly index: number
  readonly usage: PoolUsage
  newEngine(rankIndex: number): Engine
}

/** More workers than any pool ever creates; keeps scan orders of two pools apart. */
const ORDERS_PER_POOL = 1e9

/** The workers of one role, their router, and the integral of their number over time. */
export class Pool {
  readonly settings: ResolvedEngine
  /** Scan order of its worker 0. */
  readonly firstOrder: number
  /** Not yet gone, ascending id. */
  workers: Worker[] = []
  router!: Router<Rank>
  /** Rank of each routed request; indexed by request. */
  readonly rankOf: (Rank | undefined)[] = []
  private readonly ranks = new Map<Worker, Rank[]>()
  private readonly options: PoolOptions
  private readonly goneEmissions = { forwards: 0, tokens: 0 }
  private nextId = 0
  private countedMs = 0

  constructor(options: PoolOptions) {
    this.options = options
    this.firstOrder = options.index * ORDERS_PER_POOL
    this.settings = options.settings
    options.usage.gpusPerWorker = options.settings.gpusPerWorker
  }

  /** Adds a worker that is routable at `readyMs`. */
  add(nowMs: number, readyMs: number): Worker {
    const id = this.nextId++
    const engines = Array.from({ length: this.settings.ranks }, (_, rank) =>
      this.options.newEngine(id * this.settings.ranks + rank),
    )
    const state = readyMs > nowMs ? 'starting' : 'active'
    const worker = new Worker(id, this.firstOrder + id, engines, state, this.options.index)
    worker.readyMs = readyMs
    this.workers.push(worker)
    this.ranks.set(
      worker,
      engines.map((engine, rank) => new Rank(worker, rank, engine)),
    )
    return worker
  }

  /** Tells the router which ranks are routable. */
  refreshTargets(): void {
    const targets: Rank[] = []
    for (const worker of this.workers) if (worker.state === 'active') targets.push(...this.ranks.get(worker)!)
    this.router.setTargets(targets)
  }

  /** Passes × requests that emitted, and tokens emitted, by all workers so far, gone ones included. */
  emissions(): { forwards: number; tokens: number } {
    let { forwards, tokens } = this.goneEmissions
    for (const worker of this.workers) {
      for (const engine of worker.engines) {
        forwards += engine.decodeForwards
        tokens += engine.decodeTokens
      }
    }
    return { forwards, tokens }
  }

  remove(worker: Worker): void {
    for (const engine of worker.engines) {
      this.goneEmissions.forwards += engine.decodeForwards
      this.goneEmissions.tokens += engine.decodeTokens
    }
    worker.state = 'gone'
    this.workers = this.workers.filter((other) => other !== worker)
    this.ranks.delete(worker)
  }

  count(state: Worker['state']): number {
    let count = 0
    for (const worker of this.workers) if (worker.state === state) count++
    return count
  }

  /** Accounts for the time since the last call; call before the number of workers changes. */
  countTime(nowMs: number): void {
    this.options.usage.workerSeconds += ((nowMs - this.countedMs) / 1000) * this.workers.length
    this.countedMs = nowMs
  }
}
