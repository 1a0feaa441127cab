/** One objective vector of length `m`, every objective maximised. */
export type Point = ArrayLike<number>

/** `n` vectors of one common length `m`. Rows may be plain arrays or views into a flat `Float64Array`. */
export type PointList = readonly Point[]

/** True when `a` is at least as large as `b` in every objective and larger in one. Equal vectors do not dominate. */
export function dominates(a: Point, b: Point): boolean {
  let larger = false
  for (let j = 0; j < a.length; j++) {
    // The negated form makes any comparison with NaN fail.
    if (!(a[j] >= b[j])) return false
    if (a[j] > b[j]) larger = true
  }
  return larger
}

/** True when both vectors have the same coordinates (`0` and `-0` are the same). */
export function equalPoints(a: Point, b: Point): boolean {
  if (a.length !== b.length) return false
  for (let j = 0; j < a.length; j++) if (a[j] !== b[j]) return false
  return true
}

/** The common length `m`, 0 for no points. Throws a `RangeError` on ragged rows, empty rows or `NaN`. */
export function dimensionsOf(points: PointList): number {
  if (points.length === 0) return 0
  const m = points[0].length
  if (m === 0) throw new RangeError('point 0 has no objectives')
  for (let i = 0; i < points.length; i++) {
    const point = points[i]
    if (point.length !== m) throw new RangeError(`point ${i} has ${point.length} objectives, point 0 has ${m}`)
    for (let j = 0; j < m; j++) {
      if (Number.isNaN(point[j])) throw new RangeError(`objective ${j} of point ${i} is not a number`)
    }
  }
  return m
}

/** Indices sorted by decreasing coordinates, first objective first; equal vectors by index. */
export function lexicographicOrder(points: PointList, m: number): number[] {
  return Array.from(points, (_, i) => i).sort((p, q) => compareDescending(points[p], points[q], m) || p - q)
}

/** Negative when `a` comes first in decreasing lexicographic order. */
export function compareDescending(a: Point, b: Point, m: number): number {
  for (let j = 0; j < m; j++) {
    if (a[j] > b[j]) return -1
    if (a[j] < b[j]) return 1
  }
  return 0
}
