import { GaussianProcess } from '../gp/gaussian-process.js'
import type { Hyperparameters, KernelLayout } from '../gp/matern.js'
import type { Posterior } from '../gp/posterior.js'
import { ScreenedProcess } from '../gp/screened-process.js'
import type { Point } from '../space/search-space.js'
import type { Trial } from '../trials/trial-ledger.js'
import type { HyperMemory } from './hyper-memory.js'
import { chooseFitSubset, type ObjectiveData } from './objective-model.js'

/** Feasibility labels: 1 or −1 less their mean, which is drawn towards 0 as by four undecided ones. */
export function feasibilityLabels(told: readonly Trial[]): { labels: Float64Array; mean: number } {
  let sum = 0
  for (const t of told) sum += t.status === 'complete' ? 1 : -1
  const mean = sum / (told.length + 4)
  return { labels: Float64Array.from(told, (t) => (t.status === 'complete' ? 1 : -1) - mean), mean }
}

/** One modelled quantity: the full process, and what many candidates are screened with. */
export class Model {
  readonly full: GaussianProcess
  readonly screen: Posterior
  private readonly small: GaussianProcess | undefined

  constructor(
    points: readonly Point[],
    values: Float64Array,
    layout: KernelLayout,
    theta: Hyperparameters,
    spare: number,
    screenPoints: number,
  ) {
    this.full = new GaussianProcess(points, values, layout, theta, spare)
    if (points.length <= 1.25 * screenPoints) {
      this.screen = this.full
      return
    }
    const subset = chooseFitSubset(points, values, screenPoints)
    const some = subset.map((i) => points[i]!)
    this.small = new GaussianProcess(
      some,
      subset.map((i) => values[i]!),
      layout,
      theta,
      spare,
    )
    this.screen = new ScreenedProcess(this.full, this.small)
  }

  append(point: Point, value: number): void {
    this.full.append(point, value)
    this.small?.append(point, value)
  }
}

/** The models of one ask: a committee per objective and the feasibility, with believers for what is pending. */
export class Surrogates {
  /** By committee member, then by objective; no members before the first complete outcome. */
  readonly members: readonly (readonly Model[])[]
  readonly feasibility: Model | undefined
  readonly labelMean: number
  /** Complete points, then the believed ones in their order. */
  readonly known: Point[]

  constructor(
    told: readonly Trial[],
    data: readonly ObjectiveData[],
    labels: { labels: Float64Array; mean: number },
    layout: KernelLayout,
    memory: HyperMemory,
    spare: number,
    screenPoints: number,
  ) {
    const points = told.filter((t) => t.status === 'complete').map((t) => t.point)
    this.known = [...points]
    this.labelMean = labels.mean
    this.members = memory.objectives.map((member) =>
      member.map((theta, m) => new Model(points, data[m]!.warped, layout, theta, spare, screenPoints)),
    )
    if (memory.feasibility !== undefined) {
      const all = told.map((t) => t.point)
      this.feasibility = new Model(all, labels.labels, layout, memory.feasibility, spare, screenPoints)
    }
  }

  /**
   * Conditions on a point whose outcome is not known yet: objectives on their posterior mean (kriging believer), the
   * feasibility on its mean, or on a failure where that is the likelier outcome, so that gambles do not cluster.
   */
  believe(point: Point): void {
    this.known.push(point)
    const mean = new Float64Array(1)
    for (const member of this.members) {
      for (const model of member) {
        model.full.predict([point], mean)
        model.append(point, mean[0]!)
      }
    }
    if (this.feasibility !== undefined) {
      this.feasibility.full.predict([point], mean)
      const label = mean[0]! + this.labelMean
      this.feasibility.append(point, (label < 0 ? Math.min(label, -1) : label) - this.labelMean)
    }
  }
}
