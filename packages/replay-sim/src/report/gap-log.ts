/**
 * Pooled gaps between consecutive tokens as (gap, weight) pairs in the order they were seen; equal gaps may repeat. Only gaps of
 * requests that finish may remain in it. Consumers must sort by gap and merge equal gaps before summing, so that the sums do
 * not depend on how an engine batches its records.
 */
export class GapLog {
  count = 0
  gapMs: Float64Array = new Float64Array(1024)
  weight: Float64Array = new Float64Array(1024)

  /** Adds `weight` gaps of `gapMs` and returns the pair's index. */
  add(gapMs: number, weight: number): number {
    const index = this.count
    if (index === this.gapMs.length) this.grow()
    this.gapMs[index] = gapMs
    this.weight[index] = weight
    this.count = index + 1
    return index
  }

  private grow(): void {
    const gaps = new Float64Array(this.gapMs.length * 2)
    gaps.set(this.gapMs)
    this.gapMs = gaps
    const weights = new Float64Array(this.weight.length * 2)
    weights.set(this.weight)
    this.weight = weights
  }
}
