import { Acquisition } from './acquisition/acquisition.js'
import { chooseCriterion } from './acquisition/choose-criterion.js'
import { buildPrior } from './gp/fit-hyperparameters.js'
import type { HyperPrior } from './gp/map-objective.js'
import type { KernelLayout } from './gp/matern.js'
import type { Posterior } from './gp/posterior.js'
import type { GpSettings } from './gp-settings.js'
import { HyperMemory, type HyperState } from './model/hyper-memory.js'
import { prepareObjective } from './model/objective-model.js'
import { feasibilityLabels, type Model, Surrogates } from './model/surrogates.js'
import { hashLabels, Rng } from './random/rng.js'
import { SobolSequence } from './random/sobol.js'
import { maximizeAcquisition } from './search/maximize-acquisition.js'
import { TrustRegion } from './search/trust-region.js'
import type { Point, SearchSpace } from './space/search-space.js'
import type { Proposer, StudyView } from './trials/ask-tell-optimizer.js'

function kernelLayout(space: SearchSpace): KernelLayout {
  const active = space.axes.flatMap((axis, d) => (axis.levels > 1 ? [d] : []))
  return {
    numeric: active.filter((d) => !space.axes[d]!.categorical),
    categorical: active.filter((d) => space.axes[d]!.categorical),
  }
}

/** Where the Gaussian-process optimiser looks next. */
export class GpProposer implements Proposer {
  private readonly settings: GpSettings
  private readonly objectiveCount: number
  private readonly layout: KernelLayout
  private readonly priors: readonly HyperPrior[]
  private readonly feasibilityPrior: HyperPrior
  private readonly start: SobolSequence
  private readonly memory: HyperMemory

  constructor({ space, options }: StudyView, saved: unknown, settings: GpSettings) {
    this.settings = settings
    this.objectiveCount = options.objectives.length
    this.layout = kernelLayout(space)
    const long = { ...settings.prior, lengthMean: settings.longLengthMean }
    this.priors = (options.objectives.length > 1 ? [settings.prior, long] : [settings.prior]).map((prior) =>
      buildPrior(this.layout, prior),
    )
    this.feasibilityPrior = buildPrior(this.layout, settings.feasibilityPrior)
    this.start = new SobolSequence(space.dimensions, hashLabels(options.seed, 3))
    this.memory = new HyperMemory(saved as HyperState | null | undefined)
  }

  state(): HyperState {
    return this.memory.state()
  }

  propose(count: number, study: StudyView, accept: (point: Point) => void): void {
    const { ledger } = study
    const known = ledger.trials.some((t) => t.status !== 'pending')
    const first = ledger.trials.length
    const [fewest, most] = this.settings.initialPoints
    const free = this.layout.numeric.length + this.layout.categorical.length
    const start = Math.min(most, Math.max(fewest, free))
    const initial = known ? Math.max(0, Math.min(count, start - first)) : count
    this.proposeInitial(initial, study, accept)
    if (ledger.trials.length === first + initial && initial < count) this.proposeByModel(count - initial, study, accept)
  }

  /** The low-discrepancy start; also what is asked before any outcome is told. */
  private proposeInitial(count: number, { ledger, space }: StudyView, accept: (point: Point) => void): void {
    for (let i = 0; i < count; i++) {
      const before = ledger.trials.length
      for (let k = 0; k < 64 && ledger.trials.length === before; k++) {
        accept(space.fromUnit(this.start.point(before + 65536 * k)))
      }
      if (ledger.trials.length === before) return
    }
  }

  /**
   * Anything, or, every so often and with one objective, what has not the categories of the best point. A front of
   * several objectives is varied by itself.
   */
  private admissible(id: number, anchors: readonly Point[]): (point: Point) => boolean {
    const { noveltyEvery } = this.settings
    const { categorical } = this.layout
    if (
      noveltyEvery === 0 ||
      this.objectiveCount > 1 ||
      categorical.length === 0 ||
      id % noveltyEvery !== noveltyEvery - 1
    )
      return () => true
    const key = (p: Point): string => categorical.map((d) => p[d]).join()
    const taken = new Set(anchors.slice(0, 1).map(key))
    return (point) => !taken.has(key(point))
  }

  private proposeByModel(count: number, study: StudyView, accept: (point: Point) => void): void {
    const { ledger, space, options } = study
    const { settings, layout, memory } = this
    const told = ledger.trials.filter((t) => t.status !== 'pending')
    const complete = told.filter((t) => t.status === 'complete')
    const pending = ledger.trials.filter((t) => t.status === 'pending')
    const data = options.objectives.map((o, m) => {
      const sign = o.direction === 'maximize' ? 1 : -1
      return prepareObjective(
        Float64Array.from(complete, (t) => sign * t.metrics![m]!),
        settings.warpPull,
      )
    })
    const labels = feasibilityLabels(told)
    memory.refit(told, data, labels.labels, layout, this.priors, this.feasibilityPrior, settings)
    const surrogates = new Surrogates(told, data, labels, layout, memory, pending.length + count, settings.screenPoints)
    for (const trial of pending) surrogates.believe(trial.point)
    const seed = hashLabels(options.seed, 5, ledger.trials.length)
    const globals = new SobolSequence(space.dimensions, seed)
    let globalIndex = 0
    const seen = ledger.trials.map((t) => t.point)
    for (let pick = 0; pick < count; pick++) {
      const rng = new Rng(seed, pick)
      const { members, feasibility, labelMean, known } = surrogates
      const models = members.length === 0 ? [] : members[memberOfPick(memory.weights, pick, count)]!
      const chosen =
        models.length === 0
          ? undefined
          : chooseCriterion(
              options.objectives,
              models.map((m) => m.full),
              data,
              known,
              rng,
            )
      const acquisition = (side: (model: Model) => Posterior): Acquisition =>
        new Acquisition(models.map(side), chosen?.criterion, feasibility && side(feasibility), labelMean)
      const point = maximizeAcquisition({
        acquisition: acquisition((m) => m.screen),
        exact: models.some((m) => m.screen !== m.full) ? acquisition((m) => m.full) : undefined,
        space,
        layout,
        anchors: chosen?.anchors ?? [],
        nextGlobal: () => space.fromUnit(globals.point(globalIndex++)),
        isUsed: (p) => ledger.has(p),
        isAdmissible: this.admissible(ledger.trials.length, chosen?.anchors ?? []),
        trust: new TrustRegion(space, settings.trust ? seen : [], told.length),
        rng,
        effort: told.length > settings.manyPoints ? settings.largeEffort : settings.effort,
      })
      if (point === undefined) return
      const before = ledger.trials.length
      accept(point)
      if (ledger.trials.length === before) return
      surrogates.believe(ledger.trials[before]!.point)
    }
  }
}

/** Committee member of pick number `pick` of `count`: each gets a run of picks in proportion to its weight. */
function memberOfPick(weights: readonly number[], pick: number, count: number): number {
  const position = (pick + 0.5) / count
  let reached = 0
  for (let c = 0; c < weights.length; c++) {
    reached += weights[c]!
    if (position < reached) return c
  }
  return weights.length - 1
}
