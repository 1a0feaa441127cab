import { solveAbsolute } from './absolute-solve.js'
import { solveBordered } from './bordered-solve.js'
import type { TrendDesign } from './trend-design.js'
import { TrendPosterior } from './trend-posterior.js'

const MAX_ITERATIONS = 2000
/** Stops when the log density moves by no more than this. */
const TOLERANCE = 1e-8
const SMALLEST_STEP = 1e-50

/**
 * Mode of the trend model by damped Newton steps: the step is halved until the density does not fall, and a fit ends where
 * the next step gains nothing. Started at the line through the first and last point with σ = 1.
 * @param y n targets scaled to |y| ≤ 1
 * @returns coefficients of the design's columns
 */
export function fitTrend(design: TrendDesign, y: Float64Array): Float64Array {
  const posterior = new TrendPosterior(design, y)
  const size = posterior.size
  let params = new Float64Array(size)
  params[0] = y[design.n - 1] - y[0]
  params[1] = y[0]
  let trial = new Float64Array(size)
  let density = posterior.logDensity(params)
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const { gradient, curvature } = posterior.derivatives(params)
    const direction = solveBordered(curvature, gradient, size) ?? solveAbsolute(curvature, gradient, size)
    const before = density
    const along = posterior.alongLine(params, direction)
    for (let step = 1; step >= SMALLEST_STEP; step *= 0.5) {
      const value = along(step, trial)
      if (value >= before) {
        ;[params, trial] = [trial, params]
        density = value
        break
      }
    }
    if (Math.abs(density - before) <= TOLERANCE) break
  }
  return params.subarray(0, design.columns)
}
