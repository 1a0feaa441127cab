// Pass-level error of a coefficient table against reference rows.
import { createRooflineModel } from '../dist/index.js'
import { quantile } from './fit-database.mjs'
import { subjectOf } from './reference-samples.mjs'

/** Relative errors per group; `rows` as pass-latency or operator-latency rows, `groupOf(row, phase)` names the group. */
export function passErrors(rows, coefficients, groupOf, hasOperators) {
  const groups = new Map()
  for (const row of rows) {
    const model = createRooflineModel({ ...subjectOf(row), coefficients })
    for (const phase of ['prefill', 'decode']) {
      for (const point of row[phase] ?? []) {
        const ms =
          phase === 'prefill' ? model.prefillMs(point[0], point[1], point[2]) : model.decodeMs(point[0], 0, point[1], 0)
        const reference = point[point.length - (hasOperators ? 2 : 1)]
        if (reference === null) continue
        const group = groupOf(row, phase)
        if (!groups.has(group)) groups.set(group, [])
        groups.get(group).push(Math.abs(ms / reference - 1))
      }
    }
  }
  return groups
}

export const summary = (errors) =>
  `${(100 * quantile(errors, 0.5)).toFixed(1).padStart(6)}% ${(100 * quantile(errors, 0.9)).toFixed(1).padStart(6)}% ${String(errors.length).padStart(6)}`
