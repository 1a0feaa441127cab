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
}

export function buildPrior(layout: KernelLayout, settings: PriorSettings): HyperPrior {
  const { numeric, categorical } = layout
  const fill = (length: number, category: number, signal: number, noise: number): Float64Array =>
    Float64Array.from([...numeric.map(() => length), ...categorical.map(() => category), signal, noise])
  return {
    mean: fill(settings.lengthMean, settings.categoryMean, settings.signalMean, settings.noiseMean),
    sd: fill(settings.lengthSd, settings.categorySd, settings.signalSd, settings.noiseSd),
  }
}

/** Bounds of the logarithms: wide enough never to bind on sensible data, tight enough to keep K invertible. */
function bounds(layout: KernelLayout): { lower: Float64Array; upper: Float64Array } {
  const scales = layout.numeric.length + layout.categorical.length
  const fill = (scale: number, signal: number, noise: number): Float64Array =>
    Float64Array.from({ length: scales + 2 }, (_, i) => (i < scales ? scale : i === scales ? signal : noise))
  return { lower: fill(-4, -4, -16), upper: fill(4, 4, 0.5) }
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

/** Maximum a-posteriori hyper-parameters. */
export function fitHyperparameters(request: FitRequest): { theta: Hyperparameters; value: number } {
  const objective = new MapObjective(request.points, request.values, request.layout, request.prior)
  const { lower, upper } = bounds(request.layout)
  const evaluate = (x: Float64Array, gradient: Float64Array): number => objective.evaluate(x, gradient)
  let best: { theta: Hyperparameters; value: number } | undefined
  for (const start of request.starts) {
    const { x, value } = minimizeLbfgs(evaluate, start, lower, upper, request.maxEvaluations)
    if (best === undefined || value < best.value) best = { theta: x, value }
  }
  return best ?? { theta: Float64Array.from(request.prior.mean), value: Number.POSITIVE_INFINITY }
}
