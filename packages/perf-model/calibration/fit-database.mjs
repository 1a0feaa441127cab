// Fits every family on every SKU and backend of a perf database, together with reference rows where there are any.
import { priorCoefficients } from '../dist/roofline/prior-coefficients.js'
import { COEFFICIENT_NAMES, FAMILIES } from './families.mjs'
import { leastSquares } from './least-squares.mjs'
import { BOUNDS } from './parameters.mjs'
import { hash01, thin } from './samples.mjs'

/** Share of points kept out of every fit, by hash; the errors that are printed and stored are theirs. */
export const HELD_OUT = 0.2
/** Fewest points worth a set of their own. */
const FEWEST = 25
/** Weight of a reference point against a point of a table. */
const REFERENCE_WEIGHT = 4

const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}

const sizeOf = (groups) => groups.reduce((sum, group) => sum + group.points.length, 0)

/** Weighted residuals (log of predicted over measured) of groups under coefficients. */
function residualsOf(family, groups, hardware) {
  const names = COEFFICIENT_NAMES[family]
  const { time } = FAMILIES[family]
  return (values, out) => {
    const c = Object.fromEntries(names.map((name, i) => [name, values[i]]))
    let i = 0
    for (const { kernel, points, weight = 1 } of groups) {
      const at = time(c, kernel, hardware)
      for (const point of points) {
        const ms = point.length === 2 ? at(point[0]) : at(point[0], point[1], point[2])
        out[i++] = weight * Math.log(ms / point[point.length - 1])
      }
    }
  }
}

const isHeld = (kernel, point) => hash01(`held${JSON.stringify(kernel)}${point.join()}`) < HELD_OUT

function split(groups, held) {
  return groups
    .map((group) => ({ ...group, points: group.points.filter((point) => isHeld(group.kernel, point) === held) }))
    .filter((group) => group.points.length > 0)
}

/** One coefficient set from table and reference points, with its error on points that the fit never saw. */
export function fitSet(family, tableGroups, referenceGroups, hardware, start = null) {
  const names = COEFFICIENT_NAMES[family]
  const limit = FAMILIES[family].limit
  const references = thin(split(referenceGroups, false), limit).map((group) => ({ ...group, weight: REFERENCE_WEIGHT }))
  const training = [...thin(split(tableGroups, false), limit), ...references]
  const count = sizeOf(training)
  if (count < FEWEST) return null
  const prior = start ?? priorCoefficients(family, hardware)
  const free = names.filter((name) => name !== 'largest')
  const parameters = free.map((name) => ({ name, start: prior[name], ...BOUNDS[family][name] }))
  const run = residualsOf(family, training, hardware)
  const fitted = leastSquares(parameters, count, run, start === null ? {} : { priorWeight: 0.3, iterations: 30 })
  if (names.includes('largest')) fitted.push(Math.max(...tableGroups.map((group) => group.kernel.gpus)))
  const values = fitted.map((value) => Number(value.toPrecision(3)))
  const error = (groups) => {
    const held = split(groups, true)
    const out = new Float64Array(sizeOf(held))
    residualsOf(family, held, hardware)(values, out)
    return [...out].map((r) => Math.abs(Math.exp(r) - 1))
  }
  const errors = error(tableGroups.length > 0 ? tableGroups : referenceGroups)
  const referenceErrors = error(referenceGroups)
  return {
    values,
    medianError: Number(quantile(errors, 0.5).toPrecision(2)),
    p90Error: Number(quantile(errors, 0.9).toPrecision(2)),
    points: sizeOf(tableGroups) + sizeOf(referenceGroups),
    referenceErrors,
  }
}

/** Keys `family|sku|backend|variant` of everything to fit, with its table points. */
async function tableSamples(database, places) {
  const sets = new Map()
  for (const { hardware, backend, version } of places) {
    const context = { database, hardware, backend, version, exact: true }
    for (const [family, { tables, samples, perSku }] of Object.entries(FAMILIES)) {
      await database.load(hardware, backend, version, tables)
      for (const [variant, groups] of samples(context)) {
        const id = [family, hardware.sku, perSku ? 'any' : backend, variant].join('|')
        if (!sets.has(id)) sets.set(id, { hardware, groups })
      }
    }
  }
  return sets
}

/** The general set that a model-specific one refines, or null. Sorted ids visit the general one first. */
function sharedVariant(family, variant) {
  const parts = variant.split('/')
  return family === 'experts' && parts.length > 3 ? parts.slice(0, 3).join('/') : null
}

function startFrom(sets, family, sku, backend, variant) {
  const set = sets.find((s) => s.family === family && s.sku === sku && s.backend === backend && s.variant === variant)
  return set ? Object.fromEntries(COEFFICIENT_NAMES[family].map((name, i) => [name, set.values[i]])) : null
}

/** True when a specific set is clearly better than the general one on points that neither fit saw. */
function isWorthIt(family, tableGroups, referenceGroups, hardware, start, result) {
  const held = split(tableGroups.length > 0 ? tableGroups : referenceGroups, true)
  const out = new Float64Array(sizeOf(held))
  residualsOf(
    family,
    held,
    hardware,
  )(
    COEFFICIENT_NAMES[family].map((name) => start[name]),
    out,
  )
  const general = quantile(
    [...out].map((r) => Math.abs(Math.exp(r) - 1)),
    0.5,
  )
  return referenceGroups.length > 0 || general > 1.1 * result.medianError + 0.003
}

/** Fits all sets. `exclude(family, kernel)` drops table points, for leaving a model out. */
export function fitAll(tables, references, hardwareOf, { log, exclude = () => false } = {}) {
  const sets = []
  for (const id of [...new Set([...tables.keys(), ...references.keys()])].sort()) {
    const [family, sku, backend, ...rest] = id.split('|')
    const variant = rest.join('|')
    const groups = (tables.get(id)?.groups ?? []).filter((group) => !exclude(family, group.kernel))
    const shared = sharedVariant(family, variant)
    const start = shared === null ? null : startFrom(sets, family, sku, backend, shared)
    const result = fitSet(family, groups, references.get(id) ?? [], hardwareOf(sku), start)
    if (result === null) continue
    if (start !== null && !isWorthIt(family, groups, references.get(id) ?? [], hardwareOf(sku), start, result)) continue
    const { referenceErrors, ...set } = result
    sets.push({ family, sku, backend, variant, ...set })
    log?.(
      `${family.padEnd(18)}${sku.padEnd(10)}${backend.padEnd(8)}${variant.padEnd(30)}${percent(set.medianError)}${percent(set.p90Error)}` +
        `${String(set.points).padStart(7)}${referenceErrors.length > 0 ? percent(quantile(referenceErrors, 0.5)) + percent(quantile(referenceErrors, 0.9)) : ' '.repeat(16)}  ${set.values.join(' ')}`,
    )
  }
  return sets
}

export { quantile, tableSamples }
export const percent = (value) => `${(100 * value).toFixed(1)}%`.padStart(8)
