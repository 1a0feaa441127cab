import type { PriorSettings } from './gp/fit-hyperparameters.js'
import type { SearchEffort } from './search/maximize-acquisition.js'

/** Everything that may be tuned. */
export interface GpSettings {
  /** Fewest and most suggestions before the model is used, the defaults included; between them, one per free parameter. */
  readonly initialPoints: readonly [number, number]
  /** Standard deviation of the pull of the output warp's λ towards 1. */
  readonly warpPull: number
  /** Prior of the objectives' hyper-parameters. */
  readonly prior: PriorSettings
  /** Centre of the length scales of a second model, which shares the picks while trials are few; several objectives only. */
  readonly longLengthMean: number
  readonly feasibilityPrior: PriorSettings
  /** Every so many suggestions one must leave the categories of the best points; 0 for never. */
  readonly noveltyEvery: number
  /** Whether a young study stays near what it has seen. */
  readonly trust: boolean
  /** Likelihood evaluations of a fit: to few points, then to many. */
  readonly fitEvaluations: readonly [number, number]
  /** Fits to more points than this have fewer evaluations, and only the likelier model goes on. */
  readonly fewPoints: number
  readonly effort: SearchEffort
  /** Effort beyond `manyPoints` trials. */
  readonly largeEffort: SearchEffort
  readonly manyPoints: number
  readonly maxFitPoints: number
  /** Points behind the variances that screen candidates. */
  readonly screenPoints: number
}

const BASE: PriorSettings = {
  lengthMean: -0.6,
  lengthSd: 1,
  categoryMean: 0.5,
  categorySd: 1,
  signalMean: 0,
  signalSd: 0.7,
  noiseMean: -7,
  noiseSd: 1.5,
  wideMean: 0.4,
  wideSd: 1,
}

export const DEFAULT_SETTINGS: GpSettings = {
  initialPoints: [8, 12],
  warpPull: 0.5,
  prior: BASE,
  longLengthMean: 0.3,
  feasibilityPrior: {
    lengthMean: 0,
    lengthSd: 0.7,
    categoryMean: 0.5,
    categorySd: 0.7,
    signalMean: 1.5,
    signalSd: 0.5,
    noiseMean: -3,
    noiseSd: 1,
    wideMean: 0.4,
    wideSd: 1.5,
  },
  noveltyEvery: 4,
  trust: true,
  fitEvaluations: [24, 10],
  fewPoints: 72,
  effort: { globalPoints: 256, mutations: 256, starts: 4, rounds: 3, polishEvaluations: 14 },
  largeEffort: { globalPoints: 160, mutations: 160, starts: 3, rounds: 3, polishEvaluations: 12 },
  manyPoints: 256,
  maxFitPoints: 192,
  screenPoints: 128,
}
