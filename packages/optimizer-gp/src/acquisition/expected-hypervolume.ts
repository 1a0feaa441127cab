import { type CutAxis, ExpectedOverlap } from './expected-overlap.js'
import { logExpectedPositiveSlope } from './normal.js'

const TINY = 1e-280

/**
 * Exact expected hypervolume improvement for two or three independent normal objectives, all maximised (Yang, Emmerich
 * et al. 2019; Daulton et al. 2020), from a grid over the front's coordinates: the non-dominated region is a union of
 * cells whose mean volume is a product of one-dimensional {@link ExpectedOverlap}s. Volumes are in the users' units
 * when the axes carry slopes of the inverse output warp.
 */
export class ExpectedHypervolume {
  private readonly overlaps: ExpectedOverlap[]
  private readonly axes: readonly CutAxis[]
  /**
   * `heights[k * columns + i]`: index of the edge on axis 1 above which cell column i of axis 0 is free in slab k of
   * axis 2. With two objectives there is one slab.
   */
  private readonly heights: Int32Array
  private readonly columns: number
  private readonly slabs: number
  private readonly tails: Float64Array[]
  private readonly logs: Float64Array[]

  /** @param front points of the front in model units, each better than the reference in every objective */
  constructor(front: readonly (readonly number[])[], axes: readonly CutAxis[]) {
    this.axes = axes
    this.overlaps = axes.map((axis) => new ExpectedOverlap(axis))
    this.columns = axes[0]!.edges.length
    this.slabs = axes.length === 3 ? axes[2]!.edges.length : 1
    this.heights = new Int32Array(this.columns * this.slabs)
    this.tails = Array.from({ length: 3 }, () => new Float64Array(axes[1]!.edges.length + 1))
    this.logs = axes.map((axis) => new Float64Array(axis.edges.length))
    const indexOf = (axis: CutAxis, value: number): number => axis.edges.indexOf(value)
    for (const point of front) {
      const right = indexOf(axes[0]!, point[0]!)
      const height = indexOf(axes[1]!, point[1]!)
      const top = axes.length === 3 ? indexOf(axes[2]!, point[2]!) : 1
      for (let k = 0; k < top; k++) {
        for (let i = 0, at = k * this.columns; i < right; i++, at++) {
          if (this.heights[at]! < height) this.heights[at] = height
        }
      }
    }
  }

  /** log of the expected improvement for posterior means and standard deviations, one per objective. */
  logValue(means: Float64Array, sds: Float64Array): number {
    for (let m = 0; m < this.overlaps.length; m++) this.overlaps[m]!.update(means[m]!, sds[m]!)
    const value = this.combine(this.overlaps[0]!.length, this.tail(0), this.overlaps[2]?.length)
    return value > TINY ? Math.log(value) : this.logValueByLogs(means, sds)
  }

  /** As {@link logValue}, with the derivatives by means and standard deviations. */
  logValueGradient(means: Float64Array, sds: Float64Array, byMean: Float64Array, bySd: Float64Array): number {
    const { overlaps } = this
    for (let m = 0; m < overlaps.length; m++) {
      overlaps[m]!.update(means[m]!, sds[m]!)
      overlaps[m]!.updateDerivatives(means[m]!, sds[m]!)
    }
    const [first, , third] = overlaps as [ExpectedOverlap, ExpectedOverlap, ExpectedOverlap?]
    const tail = this.tail(0)
    const value = this.combine(first.length, tail, third?.length)
    if (!(value > TINY)) {
      for (let m = 0; m < overlaps.length; m++) {
        const u = (means[m]! - this.axes[m]!.edges[0]!) / sds[m]!
        const slope = logExpectedPositiveSlope(u)
        byMean[m] = slope / sds[m]!
        bySd[m] = (1 - u * slope) / sds[m]!
      }
      return this.logValueByLogs(means, sds)
    }
    byMean[0] = this.combine(first.byMean, tail, third?.length) / value
    bySd[0] = this.combine(first.bySd, tail, third?.length) / value
    byMean[1] = this.combine(first.length, this.tail(1), third?.length) / value
    bySd[1] = this.combine(first.length, this.tail(2), third?.length) / value
    if (third !== undefined) {
      byMean[2] = this.combine(first.length, tail, third.byMean) / value
      bySd[2] = this.combine(first.length, tail, third.bySd) / value
    }
    return Math.log(value)
  }

  /** Sums over axis 1 of everything from an edge upwards; 0: lengths, 1 and 2: derivatives by mean and deviation. */
  private tail(which: 0 | 1 | 2): Float64Array {
    const second = this.overlaps[1]!
    const source = which === 0 ? second.length : which === 1 ? second.byMean : second.bySd
    const sums = this.tails[which]!
    for (let i = source.length - 1; i >= 0; i--) sums[i] = sums[i + 1]! + source[i]!
    return sums
  }

  private combine(widths: Float64Array, tail: Float64Array, depths: Float64Array | undefined): number {
    const { columns, slabs, heights } = this
    let total = 0
    for (let k = 0, at = 0; k < slabs; k++) {
      let area = 0
      for (let i = 0; i < columns; i++) area += widths[i]! * tail[heights[at++]!]!
      total += depths === undefined ? area : area * depths[k]!
    }
    return total
  }

  private logValueByLogs(means: Float64Array, sds: Float64Array): number {
    for (let m = 0; m < this.overlaps.length; m++) this.overlaps[m]!.logLengths(means[m]!, sds[m]!, this.logs[m]!)
    const [widths, second, depths] = this.logs as [Float64Array, Float64Array, Float64Array?]
    const tail = Float64Array.from(second)
    for (let i = tail.length - 2; i >= 0; i--) tail[i] = logSum(tail[i]!, tail[i + 1]!)
    let total = Number.NEGATIVE_INFINITY
    for (let k = 0, at = 0; k < this.slabs; k++) {
      const depth = depths === undefined ? 0 : depths[k]!
      for (let i = 0; i < this.columns; i++) total = logSum(total, widths[i]! + tail[this.heights[at++]!]! + depth)
    }
    return total
  }
}

function logSum(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY) return b
  if (b === Number.NEGATIVE_INFINITY) return a
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b))
}
