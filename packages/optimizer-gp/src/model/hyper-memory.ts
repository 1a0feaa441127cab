import type { HyperPrior } from '../gp/map-objective.js'
import type { Hyperparameters, KernelLayout } from '../gp/matern.js'
import type { Point } from '../space/search-space.js'
import type { Trial } from '../trials/trial-ledger.js'
import { fitModel, type ObjectiveData } from './objective-model.js'

/** JSON form of {@link HyperMemory}. */
export interface HyperState {
  readonly objectives: readonly (readonly (readonly number[])[])[]
  readonly feasibility: readonly number[] | null
  /** Number of outcomes at the last fit. */
  readonly fittedTo: number
}

export interface FitLimits {
  readonly maxFitPoints: number
  readonly fitEvaluations: number
}

/**
 * Hyper-parameters kept from one ask to the next, as warm starts and so that nothing is fitted twice to the same
 * outcomes. Several priors make a committee: each member has its own hyper-parameters for every objective.
 */
export class HyperMemory {
  /** By committee member, then by objective; empty before the first complete outcome. */
  objectives: Hyperparameters[][] = []
  feasibility: Hyperparameters | undefined
  private fittedTo = 0

  constructor(saved: HyperState | null | undefined) {
    if (!saved) return
    this.objectives = saved.objectives.map((member) => member.map((theta) => Float64Array.from(theta)))
    this.feasibility = saved.feasibility === null ? undefined : Float64Array.from(saved.feasibility)
    this.fittedTo = saved.fittedTo
  }

  state(): HyperState {
    return {
      objectives: this.objectives.map((member) => member.map((theta) => Array.from(theta))),
      feasibility: this.feasibility === undefined ? null : Array.from(this.feasibility),
      fittedTo: this.fittedTo,
    }
  }

  refit(
    told: readonly Trial[],
    data: readonly ObjectiveData[],
    labels: Float64Array,
    layout: KernelLayout,
    priors: readonly HyperPrior[],
    feasibilityPrior: HyperPrior,
    limits: FitLimits,
  ): void {
    if (told.length === this.fittedTo) return
    this.fittedTo = told.length
    const points: Point[] = told.filter((t) => t.status === 'complete').map((t) => t.point)
    const shared = { layout, maxPoints: limits.maxFitPoints, maxEvaluations: limits.fitEvaluations }
    if (points.length > 0) {
      this.objectives = priors.map((prior, c) =>
        data.map((d, m) =>
          fitModel({ ...shared, points, values: d.warped, prior, warm: this.objectives[c]?.[m] }, true),
        ),
      )
    }
    if (points.length < told.length) {
      const all = told.map((t) => t.point)
      const warm = this.feasibility
      this.feasibility = fitModel({ ...shared, points: all, values: labels, prior: feasibilityPrior, warm }, true)
    }
  }
}
