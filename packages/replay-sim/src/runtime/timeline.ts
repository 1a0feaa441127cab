import type { TimelinePoint } from '../replay-options.js'
import type { Pool } from './pool.js'

/** Samples kept per pool before every second one is dropped. */
const MOST_SAMPLES = 400

/** Load of the pools over time, at a spacing that doubles as the run grows. */
export class Timeline {
  points: TimelinePoint[] = []
  private readonly pools: readonly { readonly name: 'prefill' | 'decode'; readonly pool: Pool }[]
  private spacingMs = 1000
  private nextMs = 0

  constructor(pools: readonly { readonly name: 'prefill' | 'decode'; readonly pool: Pool }[]) {
    this.pools = pools
  }

  sample(nowMs: number): void {
    if (nowMs < this.nextMs) return
    this.take(nowMs)
    if (this.points.length > MOST_SAMPLES * this.pools.length) this.thin()
    this.nextMs = (Math.floor(nowMs / this.spacingMs) + 1) * this.spacingMs
  }

  finish(nowMs: number): void {
    if (this.points.length === 0 || this.points[this.points.length - 1]!.timeMs < nowMs) this.take(nowMs)
  }

  private thin(): void {
    const { length } = this.pools
    this.points = this.points.filter((_, k) => Math.floor(k / length) % 2 === 0)
    this.spacingMs *= 2
  }

  private take(nowMs: number): void {
    for (const { name, pool } of this.pools) {
      let running = 0
      let waiting = 0
      let activeBlocks = 0
      let busy = 0
      for (const worker of pool.workers) {
        worker.catchUp(nowMs)
        if (worker.busy) busy++
        for (const engine of worker.engines) {
          running += engine.runningCount
          waiting += engine.waitingCount
          activeBlocks += engine.activeBlocks
        }
      }
      const live = pool.workers.length
      const blocks = live * pool.settings.ranks * pool.settings.blocks
      this.points.push({
        timeMs: nowMs,
        pool: name,
        activeWorkers: pool.count('active'),
        startingWorkers: pool.count('starting'),
        drainingWorkers: pool.count('draining'),
        runningRequests: running,
        waitingRequests: waiting + pool.router.queuedCount,
        kvUtilisation: blocks === 0 ? 0 : activeBlocks / blocks,
        busyWorkers: live === 0 ? 0 : busy / live,
      })
    }
  }
}
