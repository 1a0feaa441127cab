import type { Point, SearchSpace } from '../space/search-space.js'
import { isSmooth } from './moves.js'

/**
 * Keeps a young study near what it has seen: no smooth coordinate may be farther than a radius from some known point
 * (the same one for all coordinates). Without it the corners of the box, where a model is least certain, draw the
 * first suggestions in more than a few dimensions. The radius grows with the number n of outcomes as
 * 0.2 + 0.3 n / (5 (d + 1)) (Song et al. 2024); from 0.5 on there is no limit.
 */
export class TrustRegion {
  private readonly centres: readonly Point[]
  private readonly axes: readonly number[]
  private readonly radius: number

  constructor(space: SearchSpace, centres: readonly Point[], outcomes: number) {
    this.axes = space.axes.flatMap((axis, d) => (isSmooth(axis) ? [d] : []))
    this.centres = centres
    const radius = 0.2 + (0.3 * outcomes) / (5 * (this.axes.length + 1))
    this.radius = radius >= 0.5 || centres.length === 0 ? Number.POSITIVE_INFINITY : radius
  }

  /** The known point whose largest difference in a smooth coordinate is smallest. */
  private nearest(point: Point): Point {
    let best = this.centres[0]!
    let bestDistance = Number.POSITIVE_INFINITY
    for (const centre of this.centres) {
      let distance = 0
      for (const d of this.axes) distance = Math.max(distance, Math.abs(point[d]! - centre[d]!))
      if (distance < bestDistance) {
        bestDistance = distance
        best = centre
      }
    }
    return best
  }

  /** Moves a point to the border of the region where it is outside, in place. */
  pull(point: Point, space: SearchSpace): Point {
    if (this.radius === Number.POSITIVE_INFINITY) return point
    const centre = this.nearest(point)
    for (const d of this.axes) {
      point[d] = Math.min(centre[d]! + this.radius, Math.max(centre[d]! - this.radius, point[d]!))
    }
    return space.snap(point)
  }

  /** Range of coordinate d around the known point nearest to `point`. */
  range(point: Point, d: number): [number, number] {
    if (this.radius === Number.POSITIVE_INFINITY) return [0, 1]
    const centre = this.nearest(point)
    return [Math.max(0, centre[d]! - this.radius), Math.min(1, centre[d]! + this.radius)]
  }
}
