import type { PerfPoint } from '@spica/perf-model'
import { type ConfigIssue, SpicaConfigError } from '@spica/schema'
import { readInputText } from '../io/read-input.js'

const COLUMNS = ['phase', 'batch', 'isl', 'context', 'ms'] as const
const MAX_BYTES = 4 * 1024 * 1024

/**
 * Reads `perf_points.csv`: columns `phase` (prefill or decode), `batch`, `isl`, `context`, `ms`, in any order, with a
 * header. For prefill, `isl` counts prompt tokens with those of `context` already computed; for decode, `context` is the
 * sequence length and `isl` stays empty. All mistakes are reported at once, by line.
 */
export function readPerfPoints(path: string): readonly PerfPoint[] {
  const lines = readInputText(path, MAX_BYTES).split(/\r?\n/)
  const issues: ConfigIssue[] = []
  const complain = (line: number, message: string, hint?: string) =>
    issues.push({ code: 'invalid-perf-point', message, location: { file: path, line }, ...(hint ? { hint } : {}) })
  const head = (lines[0] ?? '').split(',').map((name) => name.trim().toLowerCase())
  const missing = COLUMNS.filter((name) => !head.includes(name))
  const unknown = head.filter((name) => !(COLUMNS as readonly string[]).includes(name))
  if (missing.length > 0 || unknown.length > 0 || new Set(head).size !== head.length)
    complain(1, `the header must name the columns ${COLUMNS.join(', ')}, each once`, `found: ${head.join(', ')}`)
  const points: PerfPoint[] = []
  lines.slice(1).forEach((text, index) => {
    if (text.trim() === '' || issues.some((issue) => issue.location.line === 1)) return
    const cells = text.split(',').map((cell) => cell.trim())
    if (cells.length !== head.length) complain(index + 2, `has ${cells.length} cells, expected ${head.length}`)
    else {
      const row = Object.fromEntries(head.map((name, column) => [name, cells[column] as string]))
      const point = pointOf(row)
      if (typeof point === 'string') complain(index + 2, point)
      else points.push(point)
    }
  })
  if (issues.length === 0 && points.length === 0) complain(1, 'the file has no points')
  if (issues.length > 0) throw new SpicaConfigError(issues)
  return points
}

/** The point of a row, or what is wrong with it. */
function pointOf(row: Readonly<Record<string, string>>): PerfPoint | string {
  const whole = (name: string) => Number(row[name] === '' ? Number.NaN : row[name])
  const batch = whole('batch')
  const ms = whole('ms')
  if (!Number.isInteger(batch) || batch < 1)
    return `batch must be a whole number of at least 1, found "${row['batch']}"`
  if (!Number.isFinite(ms) || ms <= 0) return `ms must be a positive number, found "${row['ms']}"`
  const context = row['context'] === '' ? 0 : whole('context')
  if (!Number.isInteger(context) || context < 0) return `context must be a whole number, found "${row['context']}"`
  if (row['phase'] === 'decode') {
    if (context < 1) return 'a decode point needs its context, tokens'
    return { phase: 'decode', batch, context, ms }
  }
  if (row['phase'] !== 'prefill') return `phase must be prefill or decode, found "${row['phase']}"`
  const isl = whole('isl')
  if (!Number.isInteger(isl) || isl <= context) return `isl must be a whole number above context, found "${row['isl']}"`
  return { phase: 'prefill', batch, isl, prefix: context, ms }
}
