import type { PassSample } from './sample-store.js'
import { weightedLeastSquares } from './weighted-least-squares.js'

/** A pass-time surface in ms over one or two token counts. */
export type PassSurface = (features: readonly number[]) => number

/** No pass is quicker than this, ms. */
const FLOOR_MS = 1e-6

/**
 * Least squares with a free intercept and slopes that are not negative: every subset of the features is tried with the
 * others at zero, and the best feasible one by squared error wins. null when no slope comes out positive.
 */
export function fitPlane(samples: readonly PassSample[]): PassSurface | null {
  const dimensions = samples[0]?.features.length ?? 0
  const y = samples.map((sample) => sample.ms)
  const weights = samples.map(() => 1)
  let best: { intercept: number; slopes: number[]; error: number } | null = null
  for (let subset = 0; subset < 1 << dimensions; subset++) {
    const axes = Array.from({ length: dimensions }, (_, axis) => axis).filter((axis) => (subset & (1 << axis)) !== 0)
    const columns = axes.map((axis) => samples.map((sample) => sample.features[axis]))
    const [intercept, ...active] = weightedLeastSquares(columns, y, weights)
    if (active.some((slope) => slope < 0)) continue
    const slopes = new Array<number>(dimensions).fill(0)
    axes.forEach((axis, i) => {
      slopes[axis] = active[i]
    })
    const error = samples.reduce(
      (sum, sample) => sum + (evaluate(intercept, slopes, sample.features) - sample.ms) ** 2,
      0,
    )
    if (best === null || error < best.error) best = { intercept, slopes, error }
  }
  if (best === null || !best.slopes.some((slope) => slope > 0)) return null
  const { intercept, slopes } = best
  return (features) => Math.max(FLOOR_MS, evaluate(intercept, slopes, features))
}

function evaluate(intercept: number, slopes: readonly number[], features: readonly number[]): number {
  return slopes.reduce((sum, slope, axis) => sum + slope * features[axis], intercept)
}
