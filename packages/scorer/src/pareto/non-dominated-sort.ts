import { compareDescending, dimensionsOf, dominates, lexicographicOrder, type PointList } from './dominance.js'

/**
 * Rank of every point: 0 on the Pareto front, 1 on the front of the rest, and so on. Equal vectors share a rank.
 *
 * Efficient non-dominated sort with binary search (Zhang, Tian, Cheng, Jin 2015). In decreasing lexicographic order a
 * point can only be dominated by earlier ones, and if no member of a front dominates it, no member of a later front
 * does. O(n log n) for two objectives, O(m n²) at worst beyond.
 */
export function nonDominatedSort(points: PointList): number[] {
  const m = dimensionsOf(points)
  const ranks = new Array<number>(points.length).fill(0)
  const order = lexicographicOrder(points, m)
  const fronts: number[][] = []
  for (let k = 0; k < order.length; k++) {
    const index = order[k]
    if (k > 0 && compareDescending(points[order[k - 1]], points[index], m) === 0) {
      ranks[index] = ranks[order[k - 1]]
      continue
    }
    let low = 0
    let high = fronts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (frontDominates(points, fronts[middle], index, m)) low = middle + 1
      else high = middle
    }
    if (low === fronts.length) fronts.push([])
    fronts[low].push(index)
    ranks[index] = low
  }
  return ranks
}

function frontDominates(points: PointList, front: readonly number[], index: number, m: number): boolean {
  // With two objectives the latest member has the largest second coordinate of its front.
  const stop = m <= 2 ? front.length - 1 : 0
  for (let k = front.length - 1; k >= stop; k--) if (dominates(points[front[k]], points[index])) return true
  return false
}
