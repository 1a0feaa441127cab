import type { CutAxis } from '../acquisition/expected-overlap.js'
import { fitHyperparameters, type HyperFit } from '../gp/fit-hyperparameters.js'
import type { HyperPrior } from '../gp/map-objective.js'
import type { Hyperparameters, KernelLayout } from '../gp/matern.js'
import { fitOutputWarp, type OutputWarp } from '../gp/output-warp.js'
import type { Point } from '../space/search-space.js'

/** Values of one objective, larger is better, with their warp to the model's units. */
export interface ObjectiveData {
  readonly values: Float64Array
  readonly warp: OutputWarp
  readonly warped: Float64Array
}

export function prepareObjective(values: Float64Array, pull: number): ObjectiveData {
  const warp = fitOutputWarp(values, pull)
  return { values, warp, warped: values.map((v) => warp.forward(v)) }
}

/** Cuts an objective's axis at the front's values, with slopes in units of the objective's own spread. */
export function cutAxis(reference: number, values: readonly number[], warp: OutputWarp): CutAxis {
  const edges = Float64Array.from(new Set([reference, ...values])).sort()
  const raw = edges.map((e) => warp.inverse(e))
  const top = edges.length - 1
  const slopes = edges.map((e, i) => {
    const step = i < top ? edges[i + 1]! - e : 0.25
    const rise = (i < top ? raw[i + 1]! : warp.inverse(e + step)) - raw[i]!
    return Math.max(rise / step, 1e-300)
  })
  let unit = 0
  for (const s of slopes) unit = Math.max(unit, s)
  return { edges, slopes: slopes.map((s) => Math.max(s / unit, 1e-12)) }
}

/** Picks at most `most` indices: the better half by `merit`, the rest spread over the space by farthest-point picks. */
export function chooseFitSubset(points: readonly Point[], merit: ArrayLike<number>, most: number): number[] {
  const n = points.length
  if (n <= most) return Array.from({ length: n }, (_, i) => i)
  const byMerit = Array.from({ length: n }, (_, i) => i).sort((a, b) => merit[b]! - merit[a]! || a - b)
  const chosen = byMerit.slice(0, most >> 1)
  const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  const taken = new Uint8Array(n)
  const note = (index: number): void => {
    taken[index] = 1
    for (let i = 0; i < n; i++) {
      let d2 = 0
      for (let d = 0; d < points[i]!.length; d++) d2 += Math.min(1, (points[i]![d]! - points[index]![d]!) ** 2)
      if (d2 < distance[i]!) distance[i] = d2
    }
  }
  chosen.forEach(note)
  while (chosen.length < most) {
    let best = -1
    for (let i = 0; i < n; i++) if (!taken[i] && (best < 0 || distance[i]! > distance[best]!)) best = i
    chosen.push(best)
    note(best)
  }
  return chosen.sort((a, b) => a - b)
}

export interface ModelFit {
  readonly points: readonly Point[]
  readonly values: Float64Array
  readonly layout: KernelLayout
  readonly prior: HyperPrior
  readonly warm: Hyperparameters | undefined
  readonly maxPoints: number
  readonly maxEvaluations: number
}

/** MAP hyper-parameters from the warm start, and from the prior's centre as well when `fresh`. */
export function fitModel(fit: ModelFit, fresh: boolean): HyperFit {
  const subset = chooseFitSubset(fit.points, fit.values, fit.maxPoints)
  const center = Float64Array.from(fit.prior.mean)
  const starts = fit.warm === undefined ? [center] : fresh ? [fit.warm, center] : [fit.warm]
  return fitHyperparameters({
    points: subset.map((i) => fit.points[i]!),
    values: Float64Array.from(subset, (i) => fit.values[i]!),
    layout: fit.layout,
    prior: fit.prior,
    starts,
    maxEvaluations: fit.maxEvaluations,
  })
}
