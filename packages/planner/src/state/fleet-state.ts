import type { ForwardPassMetrics, PlannerSnapshot } from '@spica/schema/core'

export type PoolName = 'prefill' | 'decode'

/** Worker counts of one pool as a snapshot gives them. */
export interface PoolCounts {
  readonly ready: number
  readonly nonDraining: number
  readonly activeIds: readonly number[]
}

export function poolCounts(snapshot: PlannerSnapshot, pool: PoolName): PoolCounts {
  return pool === 'prefill'
    ? {
        ready: snapshot.active_prefill_count,
        nonDraining: snapshot.non_draining_prefill_count,
        activeIds: snapshot.active_prefill_ids,
      }
    : {
        ready: snapshot.active_decode_count,
        nonDraining: snapshot.non_draining_decode_count,
        activeIds: snapshot.active_decode_ids,
      }
}

/**
 * What the planner remembers of one pool between ticks: the newest metrics of each (worker, rank) that is still active, and the
 * worker count it last asked for until the fleet reaches it.
 */
export class PoolState {
  private outstandingTarget: number | null = null
  private readonly lastSeen = new Map<string, ForwardPassMetrics>()
  private counts: PoolCounts = { ready: 0, nonDraining: 0, activeIds: [] }

  observe(counts: PoolCounts, metrics: readonly ForwardPassMetrics[]): void {
    this.counts = counts
    for (const item of metrics) this.lastSeen.set(`${item.worker_id}:${item.dp_rank}`, item)
    const active = new Set(counts.activeIds)
    for (const [key, item] of this.lastSeen) if (!active.has(item.worker_id)) this.lastSeen.delete(key)
  }

  get nonDraining(): number {
    return this.counts.nonDraining
  }

  get ready(): number {
    return this.counts.ready
  }

  /** Newest metrics per active (worker, rank), by worker then rank. */
  metrics(): readonly ForwardPassMetrics[] {
    return [...this.lastSeen.values()].sort((a, b) => a.worker_id - b.worker_id || a.dp_rank - b.dp_rank)
  }

  /** True while the fleet has not reached what was asked for, or a worker is still starting. */
  scalingInProgress(): boolean {
    const expected = this.outstandingTarget ?? this.counts.nonDraining
    return (
      (this.outstandingTarget !== null && this.outstandingTarget !== this.counts.nonDraining) ||
      expected !== this.counts.ready
    )
  }

  /** Called after the tick's decision: a target the fleet has reached is done, a new one that changes the count is remembered. */
  settle(target: number | null): void {
    if (this.outstandingTarget === this.counts.nonDraining) this.outstandingTarget = null
    if (target !== null && target !== this.counts.nonDraining) this.outstandingTarget = target
  }

  /** Every active worker has metrics for the same number of ranks. */
  metricsCoverFleet(): boolean {
    const ranksByWorker = new Map<number, number>()
    for (const item of this.lastSeen.values()) {
      ranksByWorker.set(item.worker_id, (ranksByWorker.get(item.worker_id) ?? 0) + 1)
    }
    return ranksByWorker.size === this.counts.ready && new Set(ranksByWorker.values()).size <= 1
  }
}
