import { dimensionsOf, type Point, type PointList } from './dominance.js'
import { paretoFront } from './front.js'

/**
 * Exact volume dominated by `points` and bounded below by `reference`, all objectives maximised, in the product of the
 * objectives' units. Points that do not exceed the reference in every objective add nothing; no points give 0.
 *
 * O(n log n) for two objectives; for three a sweep with a staircase, O(n²) at worst; from four on the exclusive-volume
 * recursion of While, Bradstreet, Barone 2012 (WFG), exponential in `m` at worst.
 * Throws a `RangeError` for `NaN`, for `+Infinity`, and for a reference that is not finite or has another length.
 */
export function hypervolume(points: PointList, reference: Point): number {
  const gains = gainsAbove(points, reference)
  return volumeAboveOrigin(gains, reference.length)
}

/** Rows `point − reference` of the points that exceed the reference everywhere. */
export function gainsAbove(points: PointList, reference: Point): number[][] {
  const m = dimensionsOf(points)
  for (let j = 0; j < reference.length; j++) {
    if (!Number.isFinite(reference[j])) throw new RangeError(`objective ${j} of the reference point is not finite`)
  }
  if (points.length > 0 && m !== reference.length) {
    throw new RangeError(`the reference point has ${reference.length} objectives, the points have ${m}`)
  }
  const gains: number[][] = []
  for (let i = 0; i < points.length; i++) {
    const point = points[i]
    const gain = new Array<number>(m)
    let inside = true
    for (let j = 0; j < m; j++) {
      if (point[j] === Number.POSITIVE_INFINITY) throw new RangeError(`objective ${j} of point ${i} is infinite`)
      gain[j] = point[j] - reference[j]
      if (!(gain[j] > 0)) inside = false
    }
    if (inside) gains.push(gain)
  }
  return gains
}

/** Volume of the union of the boxes [0, gain], all gains positive. */
export function volumeAboveOrigin(gains: readonly (readonly number[])[], m: number): number {
  if (gains.length === 0) return 0
  if (m === 1) return gains.reduce((best, gain) => Math.max(best, gain[0]), 0)
  if (m === 2) return area(gains)
  if (m === 3) return volume(gains)
  return recursiveVolume(gains, m)
}

function area(gains: readonly (readonly number[])[]): number {
  const sorted = [...gains].sort((a, b) => b[0] - a[0] || b[1] - a[1])
  let total = 0
  let covered = 0
  for (const [x, y] of sorted) {
    if (y <= covered) continue
    total += x * (y - covered)
    covered = y
  }
  return total
}

/** Slabs of decreasing third coordinate, each the area of the staircase of all points above it. */
function volume(gains: readonly (readonly number[])[]): number {
  const sorted = [...gains].sort((a, b) => b[2] - a[2] || b[0] - a[0] || b[1] - a[1])
  const xs: number[] = []
  const ys: number[] = []
  let footprint = 0
  let total = 0
  for (let k = 0; k < sorted.length; k++) {
    footprint += insertIntoStaircase(xs, ys, sorted[k][0], sorted[k][1])
    const next = k + 1 < sorted.length ? sorted[k + 1][2] : 0
    total += footprint * (sorted[k][2] - next)
  }
  return total
}

/** Adds (x, y) to a staircase (x ascending, y descending) and returns the area gained. */
function insertIntoStaircase(xs: number[], ys: number[], x: number, y: number): number {
  let at = 0
  let high = xs.length
  while (at < high) {
    const middle = (at + high) >>> 1
    if (xs[middle] < x) at = middle + 1
    else high = middle
  }
  const heightRight = at < xs.length ? ys[at] : 0
  if (heightRight >= y) return 0
  // Walk left over covered steps, adding the area between the new height and each old one.
  let gained = 0
  let right = x
  let height = heightRight
  let from = at
  while (from > 0 && ys[from - 1] <= y) {
    gained += (right - xs[from - 1]) * (y - height)
    right = xs[from - 1]
    height = ys[from - 1]
    from--
  }
  const left = from > 0 ? xs[from - 1] : 0
  gained += (right - left) * (y - height)
  const end = at < xs.length && xs[at] === x ? at + 1 : at
  xs.splice(from, end - from, x)
  ys.splice(from, end - from, y)
  return gained
}

/** Sum over the points, worst last objective first, of the volume that no later point covers. */
function recursiveVolume(gains: readonly (readonly number[])[], m: number): number {
  const front = paretoFront(gains)
    .map((index) => gains[index])
    .sort((a, b) => a[m - 1] - b[m - 1])
  let total = 0
  for (let k = 0; k < front.length; k++) {
    const point = front[k]
    // Every later point reaches at least as far in the last objective, so the overlap is a prism of height point[m-1].
    const overlaps = front.slice(k + 1).map((other) => point.slice(0, m - 1).map((gain, j) => Math.min(gain, other[j])))
    const base = point.slice(0, m - 1).reduce((product, gain) => product * gain, 1)
    total += point[m - 1] * (base - volumeAboveOrigin(overlaps, m - 1))
  }
  return total
}
