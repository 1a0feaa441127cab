import { type Objective, type Outcome, SpicaError } from '@spica/schema'
import type { Point, SearchSpace } from '../space/search-space.js'

/** What is known of one suggestion. */
export interface Trial {
  readonly id: number
  readonly parameters: Readonly<Record<string, number | string>>
  readonly point: Point
  status: 'pending' | 'complete' | 'infeasible'
  /** One value per objective in the user's units, once complete. */
  metrics: readonly number[] | undefined
}

function fail(code: string, message: string, hint?: string): never {
  throw new SpicaError('input', code, message, hint === undefined ? {} : { hint })
}

/**
 * All suggestions in the order of their ids (from 0), their outcomes, and the points already used. Outcomes are kept
 * by id, so the order in which they are told has no effect.
 */
export class TrialLedger {
  readonly trials: Trial[] = []
  private readonly keys = new Set<string>()
  private readonly space: SearchSpace
  private readonly objectives: readonly Objective[]

  constructor(space: SearchSpace, objectives: readonly Objective[]) {
    this.space = space
    this.objectives = objectives
  }

  /** True when the point was suggested before. */
  has(point: Point): boolean {
    return this.keys.has(this.space.key(point))
  }

  /** True when no unused point is left. */
  get exhausted(): boolean {
    return this.keys.size >= this.space.cardinality
  }

  /** Number of unused points; `Infinity` in a space with a free float. */
  get remaining(): number {
    return this.space.cardinality - this.keys.size
  }

  add(parameters: Readonly<Record<string, number | string>>): Trial {
    const point = this.space.encode(parameters)
    const trial: Trial = { id: this.trials.length, parameters, point, status: 'pending', metrics: undefined }
    this.keys.add(this.space.keyOf(parameters))
    this.trials.push(trial)
    return trial
  }

  /** Records outcomes; checks all of them first, so that a bad one changes nothing. */
  tell(outcomes: readonly Outcome[]): void {
    if (!Array.isArray(outcomes)) fail('bad-outcome', 'tell takes an array of outcomes')
    const accepted = new Map<number, { status: 'complete' | 'infeasible'; metrics: number[] | undefined }>()
    for (const outcome of outcomes) {
      const { id, status, metrics } = this.check(outcome)
      const earlier = accepted.get(id) ?? this.trials[id]!
      if (earlier.status === 'pending') accepted.set(id, { status, metrics })
      else if (earlier.status !== status || metrics?.some((value, m) => value !== earlier.metrics![m])) {
        fail('conflicting-outcome', `suggestion ${id} was already told with another outcome`, 'Tell a suggestion once.')
      }
    }
    for (const [id, outcome] of accepted) Object.assign(this.trials[id]!, outcome)
  }

  private check(outcome: Outcome): { id: number; status: 'complete' | 'infeasible'; metrics: number[] | undefined } {
    if (typeof outcome !== 'object' || outcome === null) fail('bad-outcome', 'an outcome must be an object')
    const { id, status } = outcome
    if (!Number.isInteger(id) || this.trials[id] === undefined) {
      fail('unknown-suggestion', `outcome for suggestion ${String(id)}, which was never asked`)
    }
    if (status === 'infeasible') return { id, status, metrics: undefined }
    if (status !== 'complete') {
      fail('bad-outcome', `suggestion ${id}: status must be complete or infeasible, got ${String(status)}`)
    }
    const metrics = this.objectives.map(({ name }) => {
      const value: unknown = outcome.metrics?.[name]
      if (value === undefined) fail('missing-metric', `suggestion ${id}: no value for objective ${name}`)
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        const hint = 'Tell an evaluation without a usable value as infeasible.'
        fail(
          'non-finite-metric',
          `suggestion ${id}: objective ${name} must be a finite number, got ${String(value)}`,
          hint,
        )
      }
      return value + 0
    })
    return { id, status, metrics }
  }
}
