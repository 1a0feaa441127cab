import { type ConfigIssue, SpicaConfigError } from '@spica/schema'
import type { PerfPoint } from './perf-point.js'

/** Columns of a points file, in any order. */
export const PERF_POINT_COLUMNS = ['phase', 'batch', 'isl', 'context', 'ms'] as const

type Column = (typeof PERF_POINT_COLUMNS)[number]
type Cells = Readonly<Record<Column, string>>

/** Largest batch and length that a point may claim. */
const MOST_SEQUENCES = 1e6
const MOST_TOKENS = 1e9

/**
 * Points of a `perf_points.csv`: a header, then one measured pass a line. `isl` of a prefill point counts the whole prompt, the
 * `context` tokens already computed included; a decode point needs `context`, the length of each sequence, and leaves `isl`
 * empty. `ms` is the time of the whole pass.
 *
 * @throws SpicaConfigError with every mistake at its line.
 */
export function parsePerfPoints(text: string, file?: string): readonly PerfPoint[] {
  const issues: ConfigIssue[] = []
  const complain = (line: number, path: string, message: string, hint?: string): void => {
    const location = { ...(file === undefined ? {} : { file }), line, ...(path === '' ? {} : { path }) }
    issues.push({ code: 'invalid-perf-point', message, location, ...(hint === undefined ? {} : { hint }) })
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const header = (lines[0] ?? '').split(',').map((name) => name.trim().toLowerCase())
  const known: readonly string[] = PERF_POINT_COLUMNS
  const isComplete = known.every((name) => header.includes(name)) && header.every((name) => known.includes(name))
  if (!isComplete || new Set(header).size !== header.length) {
    complain(1, '', `the header must name ${known.join(', ')}, each once`, `found: ${header.join(', ')}`)
    throw new SpicaConfigError(issues)
  }
  const points: PerfPoint[] = []
  lines.slice(1).forEach((content, index) => {
    if (content.trim() === '') return
    const cells = content.split(',').map((cell) => cell.trim())
    const line = index + 2
    if (cells.length !== header.length) {
      complain(line, '', `this line has ${cells.length} cells, the header ${header.length}`)
      return
    }
    const row = Object.fromEntries(header.map((name, column) => [name, cells[column]!])) as Cells
    const point = readPoint(row, (column, message) => complain(line, column, message))
    if (point !== null) points.push(point)
  })
  if (issues.length === 0 && points.length === 0) complain(1, '', 'the file has a header but no points')
  if (issues.length > 0) throw new SpicaConfigError(issues)
  return points
}

function readPoint(cells: Cells, complain: (column: Column, message: string) => void): PerfPoint | null {
  let failed = false
  const reject = (column: Column, message: string): number => {
    failed = true
    complain(column, message)
    return Number.NaN
  }
  const whole = (column: Column, least: number, most: number): number => {
    const value = cells[column] === '' ? Number.NaN : Number(cells[column])
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value
    return reject(column, `${column} must be a whole number from ${least} to ${most}, found "${cells[column]}"`)
  }
  const { phase } = cells
  if (phase !== 'prefill' && phase !== 'decode') {
    complain('phase', `phase must be prefill or decode, found "${phase}"`)
    return null
  }
  const batch = whole('batch', 1, MOST_SEQUENCES)
  const ms = cells.ms === '' ? Number.NaN : Number(cells.ms)
  if (!Number.isFinite(ms) || ms <= 0) reject('ms', `ms must be a positive number, found "${cells.ms}"`)
  if (phase === 'decode') {
    const context = whole('context', 1, MOST_TOKENS)
    return failed ? null : { phase, batch, context, ms }
  }
  const prefix = cells.context === '' ? 0 : whole('context', 0, MOST_TOKENS)
  const isl = whole('isl', 1, MOST_TOKENS)
  if (!failed && isl <= prefix) reject('isl', `isl ${isl} must be above context ${prefix}, which it includes`)
  return failed ? null : { phase, batch, isl, prefix, ms }
}
