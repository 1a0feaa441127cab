import type { Objective } from '@spica/schema'
import { paretoFront } from '@spica/scorer/pareto'
import type { GaussianProcess } from '../gp/gaussian-process.js'
import { cutAxis, type ObjectiveData } from '../model/objective-model.js'
import type { Rng } from '../random/rng.js'
import type { Point } from '../space/search-space.js'
import type { Criterion } from './criterion.js'
import { ExpectedHypervolume } from './expected-hypervolume.js'
import { LogExpectedImprovement } from './expected-improvement.js'
import { ScalarisedHypervolume } from './scalarised-hypervolume.js'

/** What to maximise, and the points from which a local search may start, the best first. */
export interface ChosenCriterion {
  readonly criterion: Criterion
  readonly anchors: readonly Point[]
}

const ANCHORS = 8

/**
 * Log EI for one objective, log EHVI for two and three, scalarised hypervolume beyond. What is reached so far is the
 * posterior mean at the known points, which smooths noise and includes believers.
 */
export function chooseCriterion(
  objectives: readonly Objective[],
  models: readonly GaussianProcess[],
  data: readonly ObjectiveData[],
  known: readonly Point[],
  rng: Rng,
): ChosenCriterion {
  const means = models.map((gp) => {
    const out = new Float64Array(known.length)
    gp.predict(known, out)
    return out
  })
  if (models.length === 1) {
    const order = Array.from(known.keys()).sort((a, b) => means[0]![b]! - means[0]![a]! || a - b)
    const anchors = order.slice(0, ANCHORS).map((i) => known[i]!)
    return { criterion: new LogExpectedImprovement(means[0]![order[0]!]!), anchors }
  }
  const reference = objectives.map((o, m) => data[m]!.warp.forward(rawReference(o, data[m]!.values)))
  const rows = known.map((_, i) => means.map((column) => column[i]!))
  const frontIndices = paretoFront(rows)
  const inside = frontIndices.filter((i) => rows[i]!.every((v, m) => v > reference[m]!))
  const front = inside.map((i) => rows[i]!)
  const anchors = (inside.length > 0 ? inside : frontIndices).map((i) => known[i]!)
  if (models.length > 3) return { criterion: new ScalarisedHypervolume(front, reference, rng), anchors }
  const axes = reference.map((r, m) =>
    cutAxis(
      r,
      front.map((row) => row[m]!),
      data[m]!.warp,
    ),
  )
  return { criterion: new ExpectedHypervolume(front, axes), anchors }
}

/** The user's reference point, larger being better, or the worst value less 1 % of the range. */
function rawReference(objective: Objective, values: Float64Array): number {
  if (objective.referencePoint !== undefined) {
    return objective.direction === 'maximize' ? objective.referencePoint : -objective.referencePoint
  }
  let worst = Number.POSITIVE_INFINITY
  let best = Number.NEGATIVE_INFINITY
  for (const v of values) {
    worst = Math.min(worst, v)
    best = Math.max(best, v)
  }
  return worst - 0.01 * (best - worst)
}
