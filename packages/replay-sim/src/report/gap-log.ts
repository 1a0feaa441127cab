import { sortGaps } from './sorted-gaps.js'

/** Pairs from which on equal gaps are merged, when nobody remembers their places. */
const MERGED_FROM = 1 << 20

/**
 * Pooled gaps between consecutive tokens as (gap, weight) pairs in the order they were seen; equal gaps may repeat. Only gaps of
 * requests that finish may remain in it: a negative weight takes gaps back. Consumers must sort by gap and merge equal gaps before summing, so that the sums do
 * not depend on how an engine batches its records.
 */
export class GapLog {
  count = 0
  gapMs: Float64Array = new Float64Array(1024)
  weight: Float64Array = new Float64Array(1024)
  /** Places of pairs are of no interest to anyone, so that a long log may sort and merge what it has. */
  isUnordered = false

  /** Adds `weight` gaps of `gapMs` and returns the pair's index (good until the next call when `isUnordered`). */
  add(gapMs: number, weight: number): number {
    if (this.count === this.gapMs.length) this.makeRoom()
    const index = this.count
    this.gapMs[index] = gapMs
    this.weight[index] = weight
    this.count = index + 1
    return index
  }

  private makeRoom(): void {
    if (this.isUnordered && this.count >= MERGED_FROM) this.merge()
    if (this.count <= this.gapMs.length / 2) return
    const gaps = new Float64Array(this.gapMs.length * 2)
    gaps.set(this.gapMs)
    this.gapMs = gaps
    const weights = new Float64Array(this.weight.length * 2)
    weights.set(this.weight)
    this.weight = weights
  }

  private merge(): void {
    const { count, gapMs, weight } = sortGaps(this)
    this.gapMs.set(gapMs.subarray(0, count))
    this.weight.set(weight.subarray(0, count))
    this.count = count
  }
}
