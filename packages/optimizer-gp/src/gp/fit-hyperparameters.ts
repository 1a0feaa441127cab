import { minimizeLbfgs } from './lbfgs.js'
import { type HyperPrior, MapObjective } from './map-objective.js'
import type { Hyperparameters, KernelLayout } from './matern.js'

/** Prior centres and spreads, in natural logarithms, for points in [0, 1] and standardised values. */
export interface PriorSettings {
  readonly lengthMean: number
  readonly lengthSd: number
  readonly categoryMean: number
  readonly categorySd: number
  readonly signalMean: number
  readonly signalSd: number
  readonly noiseMean: number
  readonly noiseSd: number
  /** Of the logit of the wide term's share. */
  readonly wideMean: number
  readonly wideSd: number
}

export function buildPrior(layout: KernelLayout, settings: PriorSettings): HyperPrior {
  const { numeric, categorical } = layout
  const fill = (length: number, category: number, ...rest: number[]): Float64Array =>
    Float64Array.from([...numeric.map(() => length), ...categorical.map(() => category), ...rest])
  const { signalMean, signalSd, noiseMean, noiseSd, wideMean, wideSd } = settings
  return {
    mean: fill(settings.lengthMean, settings.categoryMean, signalMean, noiseMean, wideMean),
    sd: fill(settings.lengthSd, settings.categorySd, signalSd, noiseSd, wideSd),
  }
}

/** Bounds of the logarithms: wide enough never to bind on sensible data, tight enough to keep K invertible. */
function bounds(layout: KernelLayout): { lower: Float64Array; upper: Float64Array } {
  const scales = layout.numeric.length + layout.categorical.length
  const fill = (scale: number, ...rest: number[]): Float64Array =>
    Float64Array.from([...Array.from({ length: scales }, () => scale), ...rest])
  return { lower: fill(-4, -4, -16, -4), upper: fill(4, 4, 0.5, 4) }
}

export interface FitRequest {
  readonly points: readonly Float64Array[]
  readonly values: Float64Array
  readonly layout: KernelLayout
  readonly prior: HyperPrior
  /** Starting points; each is improved and the best kept. */
  readonly starts: readonly Hyperparameters[]
  readonly maxEvaluations: number
}

export interface HyperFit {
  readonly theta: Hyperparameters
  /** Log marginal likelihood at `theta`, without constants. */
  readonly evidence: number
}

/** Maximum a-posteriori hyper-parameters. */
export function fitHyperparameters(request: FitRequest): HyperFit {
  const objective = new MapObjective(request.points, request.values, request.layout, request.prior)
  const { lower, upper } = bounds(request.layout)
  const evaluate = (x: Float64Array, gradient: Float64Array): number => objective.evaluate(x, gradient)
  let best: { theta: Hyperparameters; value: number } | undefined
  for (const start of request.starts) {
    const { x, value } = minimizeLbfgs(evaluate, start, lower, upper, request.maxEvaluations)
    if (best === undefined || value < best.value) best = { theta: x, value }
  }
  if (best === undefined || !Number.isFinite(best.value)) {
    return { theta: Float64Array.from(request.prior.mean), evidence: Number.NEGATIVE_INFINITY }
  }
  return { theta: best.theta, evidence: objective.penalty(best.theta) - best.value }
}
