import { type Objective, type OptimizerOptions, type Parameter, SpicaError } from '@spica/schema'
import type { SearchSpace } from '../space/search-space.js'
import type { TrialLedger } from './trial-ledger.js'

/** Plain JSON of an optimiser's whole state. */
export interface OptimizerSnapshot {
  readonly format: 'spica-optimizer'
  readonly version: 1
  readonly algorithm: string
  readonly seed: number
  readonly parameters: readonly Parameter[]
  readonly objectives: readonly Objective[]
  /** In the order of their ids. `outcome` is null while pending, `infeasible`, or one value per objective. */
  readonly trials: readonly {
    readonly parameters: Readonly<Record<string, number | string>>
    readonly outcome: null | 'infeasible' | readonly number[]
  }[]
  /** What the algorithm keeps between asks. */
  readonly state: unknown
}

function refuse(message: string): never {
  throw new SpicaError('input', 'bad-snapshot', `cannot restore the optimiser: ${message}`)
}

export function takeSnapshot(
  algorithm: string,
  options: OptimizerOptions,
  ledger: TrialLedger,
  state: unknown,
): OptimizerSnapshot {
  const trials = ledger.trials.map(({ parameters, status, metrics }) => {
    const outcome = status === 'pending' ? null : status === 'infeasible' ? ('infeasible' as const) : [...metrics!]
    return { parameters: { ...parameters }, outcome }
  })
  const { seed, parameters, objectives } = options
  const snapshot: OptimizerSnapshot = {
    format: 'spica-optimizer',
    version: 1,
    algorithm,
    seed,
    parameters,
    objectives,
    trials,
    state,
  }
  return JSON.parse(JSON.stringify(snapshot)) as OptimizerSnapshot
}

/** JSON with sorted keys, so that key order does not matter when two values are compared. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  )
}

/** Fills an empty ledger from `options.snapshot`; returns the algorithm's own state, undefined without a snapshot. */
export function restoreSnapshot(
  algorithm: string,
  options: OptimizerOptions,
  space: SearchSpace,
  ledger: TrialLedger,
): unknown {
  if (options.snapshot === undefined) return undefined
  const given = options.snapshot as Partial<OptimizerSnapshot> | null
  if (typeof given !== 'object' || given === null || given.format !== 'spica-optimizer') {
    refuse('the snapshot is not one of an optimiser')
  }
  if (given.version !== 1) refuse(`snapshot version ${String(given.version)} is not known`)
  if (given.algorithm !== algorithm) refuse(`it was taken from ${String(given.algorithm)}, not ${algorithm}`)
  for (const field of ['seed', 'parameters', 'objectives'] as const) {
    if (canonical(given[field]) !== canonical(options[field])) refuse(`${field} differ from those of the snapshot`)
  }
  if (!Array.isArray(given.trials)) refuse('trials are missing')
  for (const [id, trial] of given.trials.entries()) {
    const parameters: unknown = trial?.parameters
    if (typeof parameters !== 'object' || parameters === null) refuse(`trial ${id} has no parameters`)
    const values = parameters as Record<string, number | string>
    if (!space.contains(values, options.parameters)) refuse(`trial ${id} lies outside the search space`)
    ledger.add({ ...values })
    const outcome: unknown = trial.outcome
    if (outcome === null) continue
    if (outcome === 'infeasible') {
      ledger.tell([{ id, status: 'infeasible', reason: '' }])
      continue
    }
    if (!Array.isArray(outcome) || outcome.length !== options.objectives.length) refuse(`trial ${id} has a bad outcome`)
    const metrics = Object.fromEntries(options.objectives.map((o, m) => [o.name, outcome[m] as number]))
    ledger.tell([{ id, status: 'complete', metrics }])
  }
  return given.state ?? null
}
