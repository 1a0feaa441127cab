import { type Optimizer, type OptimizerOptions, type Outcome, SpicaError, type Suggestion } from '@spica/schema'
import { Rng } from '../random/rng.js'
import { type Point, SearchSpace } from '../space/search-space.js'
import { validateOptions } from '../space/validate-options.js'
import { restoreSnapshot, takeSnapshot } from './snapshot.js'
import { TrialLedger } from './trial-ledger.js'

/** What an algorithm may look at when it proposes. */
export interface StudyView {
  readonly options: OptimizerOptions
  readonly space: SearchSpace
  readonly ledger: TrialLedger
}

/** The part of an optimiser that differs: where to look next. */
export interface Proposer {
  /** Up to `count` unused points; called with `count` ≥ 1. Each is passed to `accept`, which makes it pending. */
  propose(count: number, study: StudyView, accept: (point: Point) => void): void
  /** JSON kept in snapshots. */
  state(): unknown
}

/**
 * Builds the ask/tell contract around an algorithm: checks, ids, duplicates, exhaustion and snapshots.
 * `createProposer` gets the algorithm's saved state, undefined for a new study.
 */
export function createAskTellOptimizer(
  algorithm: string,
  options: OptimizerOptions,
  createProposer: (study: StudyView, state: unknown) => Proposer,
): Optimizer {
  validateOptions(options)
  const space = new SearchSpace(options.parameters)
  const ledger = new TrialLedger(space, options.objectives)
  const state = restoreSnapshot(algorithm, options, space, ledger)
  const study: StudyView = { options, space, ledger }
  const proposer = createProposer(study, state)
  return {
    ask(count: number): Suggestion[] {
      if (!Number.isSafeInteger(count) || count < 0) {
        throw new SpicaError('input', 'bad-count', `ask takes a whole number from 0, got ${String(count)}`)
      }
      const first = ledger.trials.length
      const wanted = Math.min(count, ledger.remaining)
      const accept = (point: Point): void => {
        if (!ledger.has(point) && ledger.trials.length < first + wanted) ledger.add(space.decode(point))
      }
      if (wanted > 0 && first === 0) ledger.add(space.startParameters())
      const missing = (): number => first + wanted - ledger.trials.length
      if (missing() > 0) proposer.propose(missing(), study, accept)
      for (let salt = 0; missing() > 0; salt++) {
        const point = unusedPoint(study, new Rng(options.seed, first, 77, salt))
        if (point === undefined) break
        accept(point)
      }
      return ledger.trials.slice(first).map(({ id, parameters }) => ({ id, parameters: { ...parameters } }))
    },
    tell(outcomes: readonly Outcome[]): void {
      ledger.tell(outcomes)
    },
    snapshot(): unknown {
      return takeSnapshot(algorithm, options, ledger, proposer.state())
    },
  }
}

/**
 * A random unused point. In a finite space the search ends after at most as many steps as points were used. With a
 * free float it gives up (undefined) after many repeats: a range of a few neighbouring doubles is finite after all.
 */
export function unusedPoint(study: StudyView, rng: Rng): Point | undefined {
  const { space, ledger } = study
  const finite = Number.isFinite(space.cardinality)
  for (let attempt = 0; attempt < (finite ? 32 : 4096); attempt++) {
    const point = space.random(rng)
    if (!ledger.has(point)) return point
  }
  if (!finite || ledger.exhausted) return undefined
  let index = rng.below(space.cardinality)
  for (;;) {
    const point = space.nth(index)
    if (!ledger.has(point)) return point
    index = index + 1 >= space.cardinality ? 0 : index + 1
  }
}
