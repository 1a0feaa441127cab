import type { Acquisition } from '../acquisition/acquisition.js'
import { minimizeLbfgs } from '../gp/lbfgs.js'
import type { KernelLayout } from '../gp/matern.js'
import type { Rng } from '../random/rng.js'
import type { Point, SearchSpace } from '../space/search-space.js'
import { flips, isSmooth, mutate } from './moves.js'
import type { TrustRegion } from './trust-region.js'

/** How much work one maximisation does. */
export interface SearchEffort {
  readonly globalPoints: number
  readonly mutations: number
  readonly starts: number
  readonly rounds: number
  readonly polishEvaluations: number
}

export interface SearchRequest {
  readonly acquisition: Acquisition
  /** Scores the ends of the local searches once more, where `acquisition` is only a screen. */
  readonly exact: Acquisition | undefined
  readonly space: SearchSpace
  readonly layout: KernelLayout
  /** Good known points, the best first. */
  readonly anchors: readonly Point[]
  /** Next space-filling point. */
  readonly nextGlobal: () => Point
  readonly isUsed: (point: Point) => boolean
  /** Points outside are not searched, unless nothing is inside. */
  readonly isAdmissible: (point: Point) => boolean
  readonly trust: TrustRegion
  readonly rng: Rng
  readonly effort: SearchEffort
}

interface Scored {
  readonly point: Point
  readonly value: number
}

/**
 * Best unused legal point that a search of fixed effort finds: space-filling points and mutations of the anchors are
 * scored in blocks; from the best few, single flips of categories and ordinals alternate with projected quasi-Newton
 * ascent over the smooth coordinates. Points are snapped before they are scored.
 */
export function maximizeAcquisition(request: SearchRequest): Point | undefined {
  const { acquisition, anchors, rng, space, effort, isUsed, isAdmissible } = request
  const pool: Point[] = []
  for (let i = 0; i < effort.globalPoints; i++) pool.push(request.nextGlobal())
  for (let i = 0; i < effort.mutations && anchors.length > 0; i++) {
    const anchor = anchors[Math.min(rng.below(anchors.length), rng.below(anchors.length))]!
    pool.push(mutate(space, anchor, 0.25 * 2 ** -rng.below(6), rng.uniform() < 0.5 ? 0.2 : 0.6, rng))
  }
  for (const point of pool) request.trust.pull(point, space)
  const values = acquisition.evaluate(pool)
  const order = Array.from(values.keys())
    .filter((i) => !Number.isNaN(values[i]!))
    .sort((a, b) => values[b]! - values[a]! || a - b)
  let best: Scored | undefined
  let started = 0
  const startPoints: Point[] = []
  for (const i of order) {
    if (started >= effort.starts) break
    const point = pool[i]!
    if (!isAdmissible(point)) continue
    if (startPoints.some((other) => near(other, point))) continue
    startPoints.push(point)
    started++
    let end = climb(request, { point, value: values[i]! })
    if (request.exact !== undefined) end = { point: end.point, value: request.exact.evaluate([end.point])[0]! }
    if (!isUsed(end.point) && (best === undefined || end.value > best.value)) best = end
  }
  if (best !== undefined) return best.point
  const fallback = order.find((i) => !isUsed(pool[i]!))
  return fallback === undefined ? undefined : pool[fallback]
}

function near(a: Point, b: Point): boolean {
  for (let d = 0; d < a.length; d++) if (Math.abs(a[d]! - b[d]!) > 0.05) return false
  return true
}

function climb(request: SearchRequest, start: Scored): Scored {
  const { acquisition, space, effort, isUsed, isAdmissible } = request
  let current = start
  for (let round = 0; round < effort.rounds; round++) {
    const before = current.value
    current = polish(request, current)
    const neighbours = flips(space, current.point).filter((p) => isAdmissible(p) && !isUsed(p))
    if (neighbours.length > 0) {
      const values = acquisition.evaluate(neighbours)
      let best = 0
      for (let i = 1; i < neighbours.length; i++) if (values[i]! > values[best]!) best = i
      if (values[best]! > current.value || isUsed(current.point)) {
        current = { point: neighbours[best]!, value: values[best]! }
      }
    }
    if (!(current.value > before + 1e-4)) break
  }
  return current
}

/** Ascent over the smooth coordinates inside [0, 1]. */
function polish(request: SearchRequest, start: Scored): Scored {
  const { acquisition, space, layout, effort } = request
  const { numeric } = layout
  const smooth = numeric.flatMap((d, i) => (isSmooth(space.axes[d]!) ? [i] : []))
  if (smooth.length === 0 || effort.polishEvaluations < 2) return start
  const point = Float64Array.from(start.point)
  const full = new Float64Array(numeric.length)
  const evaluate = (x: Float64Array, gradient: Float64Array): number => {
    smooth.forEach((i, s) => {
      point[numeric[i]!] = x[s]!
    })
    const value = acquisition.evaluateGradient(point, full)
    smooth.forEach((i, s) => {
      gradient[s] = -full[i]!
    })
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : -value
  }
  const from = Float64Array.from(smooth, (i) => start.point[numeric[i]!]!)
  const ranges = smooth.map((i) => request.trust.range(start.point, numeric[i]!))
  const lower = Float64Array.from(ranges, ([low]) => low)
  const upper = Float64Array.from(ranges, ([, high]) => high)
  const { x, value } = minimizeLbfgs(evaluate, from, lower, upper, effort.polishEvaluations, 1e-2, 0.1)
  if (!(-value > start.value)) return start
  const end = Float64Array.from(start.point)
  smooth.forEach((i, s) => {
    end[numeric[i]!] = x[s]!
  })
  space.snap(end)
  if (smooth.every((i) => !Number.isFinite(space.axes[numeric[i]!]!.levels))) return { point: end, value: -value }
  const snapped = acquisition.evaluate([end])[0]!
  return snapped > start.value ? { point: end, value: snapped } : start
}
