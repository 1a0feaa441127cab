import { fitPlane, type PassSurface } from './plane-fit.js'
import type { PassSample } from './sample-store.js'
import { weightedLeastSquares } from './weighted-least-squares.js'

/** Fewest samples of a hinge; below it a line. */
export const HINGE_MIN_SAMPLES = 6
const QUANTILE_KNOTS = 4
const LOG_KNOTS = 8
/** Passes shorter than this all weigh the same, ms. */
const WEIGHT_FLOOR_MS = 25
/** Slopes and intercept may be this far below zero. */
const NEGATIVE_SLACK = 1e-6
const FLOOR_MS = 1e-6

/**
 * Prefill time over its tokens: a + b·x + c·max(0, x − k) by least squares weighted with 1/max(ms, 25), for the knot k of a short
 * list that fits best; falls back to a line when there are too few distinct sizes or no knot gives a rising curve.
 */
export function fitHinge(samples: readonly PassSample[]): PassSurface | null {
  const xs = samples.map((sample) => sample.features[0])
  const y = samples.map((sample) => sample.ms)
  const weights = y.map((ms) => 1 / Math.max(ms, WEIGHT_FLOOR_MS))
  let best: { a: number; b: number; c: number; knot: number; error: number } | null = null
  for (const knot of knotCandidates(xs)) {
    const [a, b, c] = weightedLeastSquares([xs, xs.map((x) => Math.max(0, x - knot))], y, weights)
    if (a < -NEGATIVE_SLACK || b < -NEGATIVE_SLACK || b + c < -NEGATIVE_SLACK) continue
    const error = xs.reduce((sum, x, i) => sum + weights[i] * (a + b * x + c * Math.max(0, x - knot) - y[i]) ** 2, 0)
    if (best === null || error < best.error) best = { a, b, c, knot, error }
  }
  if (best === null) return fitPlane(samples)
  const { a, b, c, knot } = best
  return ([x]) => Math.max(FLOOR_MS, a + b * x + c * Math.max(0, x - knot))
}

/** Four sample quantiles and eight log-spaced points, all strictly between the smallest and largest size. */
function knotCandidates(xs: readonly number[]): number[] {
  const distinct = [...new Set(xs)].sort((p, q) => p - q)
  const m = distinct.length
  if (m < 3) return []
  const low = distinct[0]
  const high = distinct[m - 1]
  const knots: number[] = []
  for (let j = 1; j <= QUANTILE_KNOTS; j++) knots.push(distinct[Math.floor((j * (m - 1)) / (QUANTILE_KNOTS + 1))])
  if (low > 0) {
    for (let i = 1; i <= LOG_KNOTS; i++) knots.push(low * (high / low) ** (i / (LOG_KNOTS + 1)))
  }
  return [...new Set(knots)].filter((knot) => knot > low && knot < high)
}
