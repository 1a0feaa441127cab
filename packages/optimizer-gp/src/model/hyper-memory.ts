import type { HyperPrior } from '../gp/map-objective.js'
import type { Hyperparameters, KernelLayout } from '../gp/matern.js'
import type { Point } from '../space/search-space.js'
import type { Trial } from '../trials/trial-ledger.js'
import { fitModel, type ObjectiveData } from './objective-model.js'

/** JSON form of {@link HyperMemory}. */
export interface HyperState {
  readonly objectives: readonly (readonly (readonly number[])[])[]
  readonly feasibility: readonly number[] | null
  readonly weights: readonly number[]
  /** Priors, by position, of the members that go on. */
  readonly active: readonly number[]
  /** Number of outcomes at the last fit. */
  readonly fittedTo: number
}

export interface FitLimits {
  readonly maxFitPoints: number
  readonly fitEvaluations: readonly [number, number]
  readonly fewPoints: number
}

/** Shares in proportion to the likelihoods, none below a tenth of an even share. */
export function committeeWeights(evidences: readonly number[]): number[] {
  const best = Math.max(...evidences)
  const raw = evidences.map((e) => (e === best ? 1 : Math.exp(e - best)))
  const total = raw.reduce((a, b) => a + b, 0)
  const floor = 0.1 / evidences.length
  return raw.map((w) => floor + (1 - 0.1) * (w / total))
}

/**
 * Hyper-parameters kept from one ask to the next, as warm starts and so that nothing is fitted twice to the same
 * outcomes. Several priors make a committee: each member has its own hyper-parameters for every objective.
 */
export class HyperMemory {
  /** By committee member, then by objective; empty before the first complete outcome. */
  objectives: Hyperparameters[][] = []
  feasibility: Hyperparameters | undefined
  /** Share of the picks that each member gets; sums to 1. */
  weights: number[] = []
  private active: number[] | undefined
  private fittedTo = 0

  constructor(saved: HyperState | null | undefined) {
    if (!saved) return
    this.objectives = saved.objectives.map((member) => member.map((theta) => Float64Array.from(theta)))
    this.feasibility = saved.feasibility === null ? undefined : Float64Array.from(saved.feasibility)
    this.weights = [...saved.weights]
    this.active = saved.objectives.length === 0 ? undefined : [...saved.active]
    this.fittedTo = saved.fittedTo
  }

  state(): HyperState {
    return {
      objectives: this.objectives.map((member) => member.map((theta) => Array.from(theta))),
      feasibility: this.feasibility === undefined ? null : Array.from(this.feasibility),
      weights: [...this.weights],
      active: [...(this.active ?? [])],
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
    const few = told.length <= limits.fewPoints
    const fresh = told.length <= limits.fewPoints / 2
    const shared = { layout, maxPoints: limits.maxFitPoints, maxEvaluations: limits.fitEvaluations[few ? 0 : 1] }
    if (points.length > 0) {
      const heaviest = this.weights.indexOf(Math.max(...this.weights))
      if (!few && this.active !== undefined && this.active.length > 1) {
        this.objectives = [this.objectives[heaviest]!]
        this.active = [this.active[heaviest]!]
      }
      this.active ??= priors.map((_, c) => c)
      const fits = this.active.map((p, c) =>
        data.map((d, m) =>
          fitModel({ ...shared, points, values: d.warped, prior: priors[p]!, warm: this.objectives[c]?.[m] }, fresh),
        ),
      )
      this.objectives = fits.map((member) => member.map(({ theta }) => theta))
      this.weights = committeeWeights(fits.map((member) => member.reduce((sum, fit) => sum + fit.evidence, 0)))
    }
    if (points.length < told.length) {
      const all = told.map((t) => t.point)
      const warm = this.feasibility
      this.feasibility = fitModel(
        { ...shared, points: all, values: labels, prior: feasibilityPrior, warm },
        fresh,
      ).theta
    }
  }
}
