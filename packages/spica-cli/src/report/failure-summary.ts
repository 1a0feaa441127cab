/** Outcomes of one mode and backend. */
export interface OutcomeRow {
  readonly mode: string
  readonly backend: string
  /** Trials by status; repeats are left out. */
  readonly counts: Readonly<Record<string, number>>
  readonly total: number
}

/** One cause of failure. */
export interface FailureCause {
  readonly status: string
  readonly code: string
  /** Message of the first trial it happened to. */
  readonly message: string
  readonly count: number
  /** Where it happened most: mode, backend and shape with counts, most frequent first. */
  readonly places: readonly { readonly place: string; readonly count: number }[]
  readonly firstTrial: number
}

export interface FailureSummary {
  readonly outcomes: readonly OutcomeRow[]
  readonly causes: readonly FailureCause[]
}

export interface OutcomeInput {
  readonly id: number
  readonly status: string
  readonly mode: string
  readonly backend: string
  readonly layout: string
  readonly reason: { readonly code: string; readonly message: string } | null
}

/** Places listed for a cause. */
const PLACES = 3

/** Where trials failed and why. Messages that differ only in their numbers are one cause. */
export function summariseFailures(trials: readonly OutcomeInput[]): FailureSummary {
  const outcomes = new Map<string, { mode: string; backend: string; counts: Record<string, number>; total: number }>()
  const causes = new Map<string, { first: OutcomeInput; count: number; places: Map<string, number> }>()
  for (const trial of trials) {
    if (trial.status === 'cache-hit') continue
    const place = `${trial.mode}\n${trial.backend}`
    const row = outcomes.get(place) ?? { mode: trial.mode, backend: trial.backend, counts: {}, total: 0 }
    row.counts[trial.status] = (row.counts[trial.status] ?? 0) + 1
    row.total++
    outcomes.set(place, row)
    if (trial.reason === null || trial.status === 'feasible') continue
    const key = `${trial.status}\n${trial.reason.code}\n${trial.reason.message.replace(/\d[\d.,]*/g, '#')}`
    const cause = causes.get(key) ?? { first: trial, count: 0, places: new Map<string, number>() }
    cause.count++
    const where = `${trial.mode}, ${trial.backend}, ${trial.layout}`
    cause.places.set(where, (cause.places.get(where) ?? 0) + 1)
    causes.set(key, cause)
  }
  return {
    outcomes: [...outcomes.values()].sort((a, b) => b.total - a.total || (a.backend < b.backend ? -1 : 1)),
    causes: [...causes.values()]
      .map(({ first, count, places }) => ({
        status: first.status,
        code: first.reason?.code ?? 'unknown',
        message: first.reason?.message ?? '',
        count,
        places: [...places]
          .map(([place, own]) => ({ place, count: own }))
          .sort((a, b) => b.count - a.count || (a.place < b.place ? -1 : 1))
          .slice(0, PLACES),
        firstTrial: first.id,
      }))
      .sort((a, b) => b.count - a.count || a.firstTrial - b.firstTrial),
  }
}
