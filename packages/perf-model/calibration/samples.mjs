// Measured operator times of a perf database as fit samples: groups of points that share a kernel.
import { numberColumn, textAt } from '../dist/table/perf-rows.js'

/** Deterministic pseudo-random number in [0, 1) of a string. */
export function hash01(text) {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  h ^= h >>> 15
  h = Math.imul(h, 2246822519)
  h ^= h >>> 13
  return (h >>> 0) / 4294967296
}

/** Keeps about `limit` points of all groups, by hash, so that reruns keep the same ones. */
export function thin(groups, limit, salt = '') {
  const total = groups.reduce((sum, group) => sum + group.points.length, 0)
  if (total <= limit) return groups
  const share = limit / total
  return groups
    .map((group) => ({
      ...group,
      points: group.points.filter((point) => hash01(salt + JSON.stringify(group.kernel) + point.join()) < share),
    }))
    .filter((group) => group.points.length > 0)
}

/** Every row of a table in source order, as a cursor: `visit(row => value(name), text(name), source)`. */
export function eachRow(database, hardware, backend, version, table, visit) {
  for (const { rows, source } of database.rows(hardware, backend, version, table)) {
    const columns = {}
    const value = (name) => (columns[name] ??= numberColumn(rows, name))
    for (let row = 0; row < rows.length; row++) {
      if (source.kernels !== null && !source.kernels.includes(textAt(rows, 'kernel_source', row))) continue
      visit(
        (name) => value(name)[row],
        (name) => textAt(rows, name, row),
        source,
      )
    }
  }
}

/** Collects points into groups; the first (or with `lastWins` the last) point at a place counts. */
export class Groups {
  #groups = new Map()
  constructor(lastWins = false) {
    this.lastWins = lastWins
  }
  add(variant, kernel, place, ms) {
    const key = JSON.stringify(kernel)
    let byVariant = this.#groups.get(variant)
    if (!byVariant) this.#groups.set(variant, (byVariant = new Map()))
    let group = byVariant.get(key)
    if (!group) byVariant.set(key, (group = { kernel, places: new Map() }))
    const at = place.join()
    if (this.lastWins || !group.places.has(at)) group.places.set(at, [...place, ms])
  }
  variants() {
    const result = new Map()
    for (const [variant, groups] of this.#groups) {
      result.set(
        variant,
        [...groups.values()].map(({ kernel, places }) => ({ kernel, points: [...places.values()] })),
      )
    }
    return result
  }
}
