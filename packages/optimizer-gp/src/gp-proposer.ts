import { paretoFront } from '@spica/scorer/pareto'
import { Acquisition } from './acquisition/acquisition.js'
import type { Criterion } from './acquisition/criterion.js'
import { ExpectedHypervolume } from './acquisition/expected-hypervolume.js'
import { LogExpectedImprovement } from './acquisition/expected-improvement.js'
import { ScalarisedHypervolume } from './acquisition/scalarised-hypervolume.js'
import { buildPrior } from './gp/fit-hyperparameters.js'
import { GaussianProcess } from './gp/gaussian-process.js'
import type { HyperPrior } from './gp/map-objective.js'
import type { Hyperparameters, KernelLayout } from './gp/matern.js'
import type { GpSettings } from './gp-settings.js'
import { cutAxis, fitModel, type ObjectiveData, prepareObjective } from './model/objective-model.js'
import { hashLabels, Rng } from './random/rng.js'
import { SobolSequence } from './random/sobol.js'
import { maximizeAcquisition } from './search/maximize-acquisition.js'
import type { Point } from './space/search-space.js'
import type { Proposer, StudyView } from './trials/ask-tell-optimizer.js'
import type { Trial } from './trials/trial-ledger.js'

interface GpState {
  readonly objectives: (number[] | null)[]
  readonly feasibility: number[] | null
  readonly fittedTo: number
}

/** Where the Gaussian-process optimiser looks next. */
export class GpProposer implements Proposer {
  private readonly settings: GpSettings
  private readonly layout: KernelLayout
  private readonly prior: HyperPrior
  private readonly feasibilityPrior: HyperPrior
  private readonly start: SobolSequence
  private objectiveThetas: (Hyperparameters | undefined)[]
  private feasibilityTheta: Hyperparameters | undefined
  private fittedTo = 0

  constructor({ space, options }: StudyView, saved: unknown, settings: GpSettings) {
    this.settings = settings
    const active = space.axes.flatMap((axis, d) => (axis.levels > 1 ? [d] : []))
    this.layout = {
      numeric: active.filter((d) => !space.axes[d]!.categorical),
      categorical: active.filter((d) => space.axes[d]!.categorical),
    }
    this.prior = buildPrior(this.layout, settings.prior)
    this.feasibilityPrior = buildPrior(this.layout, settings.feasibilityPrior)
    this.start = new SobolSequence(space.dimensions, hashLabels(options.seed, 3))
    this.objectiveThetas = options.objectives.map(() => undefined)
    const state = saved as GpState | undefined | null
    if (state) {
      this.objectiveThetas = state.objectives.map((t) => (t === null ? undefined : Float64Array.from(t)))
      this.feasibilityTheta = state.feasibility === null ? undefined : Float64Array.from(state.feasibility)
      this.fittedTo = state.fittedTo
    }
  }

  state(): GpState {
    return {
      objectives: this.objectiveThetas.map((t) => (t === undefined ? null : Array.from(t))),
      feasibility: this.feasibilityTheta === undefined ? null : Array.from(this.feasibilityTheta),
      fittedTo: this.fittedTo,
    }
  }

  propose(count: number, study: StudyView, accept: (point: Point) => void): void {
    const { ledger, space } = study
    let left = count
    while (left > 0 && ledger.trials.length < this.settings.initialPoints) {
      const before = ledger.trials.length
      for (let k = 0; k < 64 && ledger.trials.length === before; k++) {
        accept(space.fromUnit(this.start.point(before + 1000 * k)))
      }
      if (ledger.trials.length === before) return
      left--
    }
    const told = ledger.trials.filter((t) => t.status !== 'pending')
    if (left === 0 || told.length === 0) {
      for (; left > 0; left--) accept(space.fromUnit(this.start.point(ledger.trials.length)))
      return
    }
    this.proposeByModel(left, study, told, accept)
  }

  private proposeByModel(
    count: number,
    study: StudyView,
    told: readonly Trial[],
    accept: (point: Point) => void,
  ): void {
    const { ledger, space, options } = study
    const { settings, layout } = this
    const complete = told.filter((t) => t.status === 'complete')
    const pending = ledger.trials.filter((t) => t.status === 'pending')
    const points = complete.map((t) => t.point)
    const signs = options.objectives.map((o) => (o.direction === 'maximize' ? 1 : -1))
    const data = signs.map((sign, m) =>
      prepareObjective(
        Float64Array.from(complete, (t) => sign * t.metrics![m]!),
        settings.warpPull,
      ),
    )
    this.refit(told, points, data)
    const spare = pending.length + count
    const objectives =
      complete.length === 0
        ? []
        : data.map((d, m) => new GaussianProcess(points, d.warped, layout, this.objectiveThetas[m]!, spare))
    const feasibility =
      this.feasibilityTheta === undefined
        ? undefined
        : new GaussianProcess(
            told.map((t) => t.point),
            told.map((t) => (t.status === 'complete' ? 1 : -1)),
            layout,
            this.feasibilityTheta,
            spare,
          )
    const known = [...points]
    const believe = (point: Point): void => {
      known.push(point)
      const mean = new Float64Array(1)
      for (const gp of objectives) {
        gp.predict([point], mean)
        gp.append(point, mean[0]!)
      }
      if (feasibility !== undefined) {
        feasibility.predict([point], mean)
        feasibility.append(point, mean[0]!)
      }
    }
    for (const trial of pending) believe(trial.point)
    const seed = hashLabels(options.seed, 5, ledger.trials.length)
    const globals = new SobolSequence(space.dimensions, seed)
    let globalIndex = 0
    for (let pick = 0; pick < count; pick++) {
      const rng = new Rng(seed, pick)
      const { criterion, anchors } = this.criterion(study, objectives, data, known, signs, rng)
      const acquisition = new Acquisition(objectives, criterion, feasibility, 0)
      const point = maximizeAcquisition({
        acquisition,
        space,
        layout,
        anchors,
        nextGlobal: () => space.fromUnit(globals.point(globalIndex++)),
        isUsed: (p) => ledger.has(p),
        rng,
        effort: settings.effort,
      })
      if (point === undefined) return
      const before = ledger.trials.length
      accept(point)
      if (ledger.trials.length === before) return
      believe(ledger.trials[before]!.point)
    }
  }

  private refit(told: readonly Trial[], points: readonly Point[], data: readonly ObjectiveData[]): void {
    const { settings, layout } = this
    if (told.length === this.fittedTo) return
    const fresh = true
    this.fittedTo = told.length
    if (points.length > 0) {
      this.objectiveThetas = data.map((d, m) =>
        fitModel(
          {
            points,
            values: d.warped,
            layout,
            prior: this.prior,
            warm: this.objectiveThetas[m],
            maxPoints: settings.maxFitPoints,
            maxEvaluations: settings.fitEvaluations,
          },
          fresh,
        ),
      )
    }
    if (points.length < told.length) {
      this.feasibilityTheta = fitModel(
        {
          points: told.map((t) => t.point),
          values: Float64Array.from(told, (t) => (t.status === 'complete' ? 1 : -1)),
          layout,
          prior: this.feasibilityPrior,
          warm: this.feasibilityTheta,
          maxPoints: settings.maxFitPoints,
          maxEvaluations: settings.fitEvaluations,
        },
        fresh,
      )
    }
  }

  private criterion(
    study: StudyView,
    objectives: readonly GaussianProcess[],
    data: readonly ObjectiveData[],
    known: readonly Point[],
    signs: readonly number[],
    rng: Rng,
  ): { criterion: Criterion | undefined; anchors: Point[] } {
    if (objectives.length === 0) return { criterion: undefined, anchors: [] }
    const means = objectives.map((gp) => {
      const out = new Float64Array(known.length)
      gp.predict(known, out)
      return out
    })
    if (objectives.length === 1) {
      const order = Array.from(known.keys()).sort((a, b) => means[0]![b]! - means[0]![a]! || a - b)
      const anchors = order.slice(0, 8).map((i) => known[i]!)
      return { criterion: new LogExpectedImprovement(means[0]![order[0]!]!), anchors }
    }
    const reference = study.options.objectives.map((o, m) => {
      const { values, warp } = data[m]!
      if (o.referencePoint !== undefined) return warp.forward(signs[m]! * o.referencePoint)
      const worst = values.reduce((a, b) => Math.min(a, b))
      const best = values.reduce((a, b) => Math.max(a, b))
      return warp.forward(worst - 0.01 * (best - worst))
    })
    const rows = known.map((_, i) => means.map((column) => column[i]!))
    const frontIndices = paretoFront(rows)
    const inside = frontIndices.filter((i) => rows[i]!.every((v, m) => v > reference[m]!))
    const front = inside.map((i) => rows[i]!)
    const anchors = (inside.length > 0 ? inside : frontIndices).map((i) => known[i]!)
    if (objectives.length > 3) return { criterion: new ScalarisedHypervolume(front, reference, rng), anchors }
    const axes = reference.map((r, m) =>
      cutAxis(
        r,
        front.map((row) => row[m]!),
        data[m]!.warp,
      ),
    )
    return { criterion: new ExpectedHypervolume(front, axes), anchors }
  }
}
