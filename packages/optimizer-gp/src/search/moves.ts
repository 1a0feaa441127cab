import type { Rng } from '../random/rng.js'
import type { Axis } from '../space/axis.js'
import type { Point, SearchSpace } from '../space/search-space.js'

/** Finite axes with more levels than this are treated as continuous by moves and polishing, then snapped. */
const FEW_LEVELS = 24

/** True for axes that gradients can move. */
export function isSmooth(axis: Axis): boolean {
  return !axis.categorical && axis.levels > FEW_LEVELS
}

/** A legal point near `point`: some coordinates moved by about `sigma` of their range, at least one. */
export function mutate(space: SearchSpace, point: Point, sigma: number, share: number, rng: Rng): Point {
  const next = Float64Array.from(point)
  const { axes } = space
  const sure = rng.below(axes.length)
  for (let d = 0; d < axes.length; d++) {
    const axis = axes[d]!
    if (axis.levels === 1 || (d !== sure && rng.uniform() >= share)) continue
    if (isSmooth(axis)) next[d] = reflect(point[d]! + sigma * rng.normal())
    else if (axis.categorical) next[d] = axis.level(rng.below(axis.levels))
    else {
      const step = Math.max(1, Math.round(Math.abs(rng.normal()) * sigma * axis.levels))
      const index = axis.indexOf(point[d]!) + (rng.uniform() < 0.5 ? -step : step)
      next[d] = axis.level(Math.min(axis.levels - 1, Math.max(0, index)))
    }
  }
  return space.snap(next)
}

function reflect(u: number): number {
  const v = u < 0 ? -u : u > 1 ? 2 - u : u
  return Math.min(1, Math.max(0, v))
}

/** All points that differ in one few-level axis: every category, and ordinals by all or, when many, near levels. */
export function flips(space: SearchSpace, point: Point): Point[] {
  const result: Point[] = []
  for (let d = 0; d < space.axes.length; d++) {
    const axis = space.axes[d]!
    if (isSmooth(axis) || axis.levels === 1) continue
    const here = axis.indexOf(point[d]!)
    for (let i = 0; i < axis.levels; i++) {
      if (i === here || (!axis.categorical && axis.levels > 8 && Math.abs(i - here) > 3)) continue
      const next = Float64Array.from(point)
      next[d] = axis.level(i)
      result.push(next)
    }
  }
  return result
}
