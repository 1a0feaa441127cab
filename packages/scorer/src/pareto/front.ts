import { compareDescending, dimensionsOf, dominates, lexicographicOrder, type PointList } from './dominance.js'
import { Staircase } from './staircase.js'

/** One distinct vector of a front. */
export interface FrontMember {
  /** Lowest index that has this vector. */
  readonly index: number
  /** The other indices with the same vector, ascending. */
  readonly alternatives: readonly number[]
}

/**
 * Indices of the non-dominated points, ascending; equal vectors are represented by their lowest index.
 * Costs O(n log n) for one or two objectives, O(n log n) comparisons for three, O(n·front) from four on.
 */
export function paretoFront(points: PointList): number[] {
  return paretoFrontWithAlternatives(points).map((member) => member.index)
}

/** As {@link paretoFront}, with the indices that share each vector. */
export function paretoFrontWithAlternatives(points: PointList): FrontMember[] {
  const m = dimensionsOf(points)
  const order = lexicographicOrder(points, m)
  const members: { index: number; alternatives: number[] }[] = []
  const isDominated = dominanceFilter(points, m)
  for (let k = 0; k < order.length; ) {
    const index = order[k]
    const alternatives: number[] = []
    for (k++; k < order.length && compareDescending(points[index], points[order[k]], m) === 0; k++) {
      alternatives.push(order[k])
    }
    if (!isDominated(index)) members.push({ index, alternatives })
  }
  return members.sort((a, b) => a.index - b.index)
}

/**
 * A stateful filter to be called on distinct vectors in decreasing lexicographic order: a dominating vector always
 * comes earlier, so a vector that no kept one dominates stays on the front for good.
 */
function dominanceFilter(points: PointList, m: number): (index: number) => boolean {
  if (m === 1) {
    let seen = false
    return () => seen || !(seen = true)
  }
  if (m === 2) {
    let bestSecond = Number.NEGATIVE_INFINITY
    let seen = false
    return (index) => {
      const second = points[index][1]
      if (seen && second <= bestSecond) return true
      seen = true
      bestSecond = second
      return false
    }
  }
  if (m === 3) {
    const stairs = new Staircase()
    return (index) => !stairs.add(points[index][1], points[index][2])
  }
  const kept: number[] = []
  return (index) => {
    const point = points[index]
    for (const other of kept) if (dominates(points[other], point)) return true
    kept.push(index)
    return false
  }
}
