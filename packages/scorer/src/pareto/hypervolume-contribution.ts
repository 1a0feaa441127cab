import type { Point, PointList } from './dominance.js'
import { gainsAbove, hypervolume, volumeAboveOrigin } from './hypervolume.js'

/** Volume that `point` adds to the volume dominated by `front`; 0 when the front covers it. Same rules as `hypervolume`. */
export function hypervolumeImprovement(point: Point, front: PointList, reference: Point): number {
  const [gain] = gainsAbove([point], reference)
  if (gain === undefined) return 0
  const others = gainsAbove(front, reference)
  const own = gain.reduce((product, side) => product * side, 1)
  const overlaps = others.map((other) => gain.map((side, j) => Math.min(side, other[j])))
  return Math.max(0, own - volumeAboveOrigin(overlaps, gain.length))
}

/** Volume lost when each point is removed alone; 0 for dominated and repeated points. */
export function hypervolumeContributions(points: PointList, reference: Point): number[] {
  if (points.length === 1) return [hypervolume(points, reference)]
  return points.map((point, i) =>
    hypervolumeImprovement(
      point,
      points.filter((_, other) => other !== i),
      reference,
    ),
  )
}
