/** What is filtered, selected, highlighted; parts of the page subscribe to it. */

/** Filters hold the values that are switched off; `selection` is a set of trial ids or null for all. */
export function createViewState() {
  const listeners = []
  const state = {
    hidden: { backend: new Set(), mode: new Set() },
    layout: '',
    scope: 'candidates',
    selection: null,
    highlighted: null,
    passes(row) {
      return (
        !state.hidden.backend.has(row.backend) &&
        !state.hidden.mode.has(row.mode) &&
        (state.layout === '' || state.layout === row.layout)
      )
    },
    change(what, patch) {
      Object.assign(state, patch)
      for (const listener of listeners) listener(what)
    },
    subscribe(listener) {
      listeners.push(listener)
    },
  }
  return state
}

/** Distinct values of a field over rows with how often each occurs, most frequent first. */
export function valueCounts(rows, field) {
  const counts = new Map()
  for (const row of rows) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
