/** The embedded study, decoded: one object per trial. */

/** What a trial's status is called on the page. */
export const STATUS_NAMES = {
  feasible: 'feasible',
  infeasible: 'infeasible',
  failed: 'failed',
  unsupported: 'unsupported',
  'timed-out': 'timed out',
  'cache-hit': 'repeat',
}

function column(packed, index) {
  if ('all' in packed) return packed.all
  return packed.of === undefined ? packed.plain[index] : packed.of[packed.at[index]]
}

function record(columns, index) {
  const values = {}
  for (const [name, packed] of Object.entries(columns)) {
    const value = column(packed, index)
    if (value !== null) values[name] = value
  }
  return values
}

/** Rows by trial, axes that can be shown, and the order of candidates. */
export function decode(payload) {
  const { trials, feasible } = payload
  const ranks = new Map(payload.candidates.map((entry, index) => [entry.trial, index + 1]))
  const row = new Map()
  const rows =
    trials.count === 0
      ? []
      : Array.from({ length: trials.count }, (_, index) => {
          const head = record(trials.columns, index)
          const entry = {
            id: head.id,
            status: head.status,
            mode: head.mode ?? '–',
            backend: head.backend ?? '–',
            shape: head.shape ?? '–',
            layout: head.layout ?? '–',
            gpus: head.gpus ?? null,
            round: head.round,
            reason: head.reason ?? null,
            rank: ranks.get(head.id) ?? null,
            values: null,
            config: null,
          }
          row.set(head.id, entry)
          return entry
        })
  feasible.trial.forEach((id, index) => {
    const entry = row.get(id)
    entry.values = { ...record(feasible.values, index), used_gpus: entry.gpus, trial: id }
    entry.config = () => record(feasible.config, index)
    entry.metrics = () => record(feasible.metrics, index)
  })
  return { payload, rows, byTrial: row, candidates: payload.candidates.map((entry) => row.get(entry.trial)) }
}

/** Name of a row for people. */
export function rowName(row) {
  return row.rank === null ? `Trial ${row.id}` : `Candidate ${row.rank}`
}
