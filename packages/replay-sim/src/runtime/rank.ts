import type { Engine, LowerOverlap } from '../engine/engine.js'
import type { Worker } from './worker.js'

/** One rank of one worker: what routers send to. */
export class Rank {
  readonly worker: Worker
  readonly rank: number
  readonly engine: Engine

  constructor(worker: Worker, rank: number, engine: Engine) {
    this.worker = worker
    this.rank = rank
    this.engine = engine
  }

  get workerId(): number {
    return this.worker.id
  }

  overlapBlocks(request: number): number {
    return this.engine.overlapBlocks(request)
  }

  lowerOverlap(request: number, onDevice: number): LowerOverlap | null {
    return this.engine.lowerOverlap?.(request, onDevice) ?? null
  }
}
