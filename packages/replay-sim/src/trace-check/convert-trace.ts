import { type LoadTraceOptions, linkTrace } from '../workload/load-trace.js'
import type { TraceBytes } from '../workload/trace/byte-lines.js'
import { readTrace, type TraceFile } from '../workload/trace/read-trace.js'
import type { TraceFormat } from '../workload/trace/trace-format.js'
import { SpicaTraceError, type TraceProblem } from '../workload/trace/trace-problem.js'

/** Rows joined into one piece of text. */
const ROWS_PER_CHUNK = 1000

export interface ConvertedTrace {
  /** What the input was. */
  readonly sourceFormat: TraceFormat | 'csv'
  /** Format of the output: `mooncake-delta` and `agentic_mooncake` stay what they are. */
  readonly format: 'mooncake' | 'mooncake-delta' | 'agentic_mooncake'
  /** Tokens per hash id in the output; give it as trace block size when it is not 512. */
  readonly traceBlockSize: number
  readonly rows: number
  /** What was repaired or noticed, by line of the input. */
  readonly problems: readonly TraceProblem[]
  /** JSON Lines in pieces, each ending in a newline. */
  readonly chunks: Iterable<string>
}

/**
 * Rewrites any readable trace as Mooncake JSONL with every repair applied: times in ms from 0, rows in order of arrival,
 * lengths and hash ids that agree, no failed rows, plain line ends. Throws `SpicaTraceError` for rows that cannot be read,
 * unless `dropBrokenRows` leaves them out.
 */
export function convertTrace(bytes: TraceBytes, options: LoadTraceOptions = {}): ConvertedTrace {
  const file = readTrace(bytes, options)
  const { rows, problems } = file
  const order = outputOrder(file)
  if (rows.count > 0) linkTrace(file, { ...options, allowNoTimestamps: true })
  if (problems.errorCount > 0) throw new SpicaTraceError(problems.toArray(), options.file)
  if (file.traceBlockSize !== 512 && rows.hashes.length > 0) {
    const hint = `replay the result with trace block size ${file.traceBlockSize}`
    problems.add('info', 1, 'trace-block-size', `hash ids cover ${file.traceBlockSize} tokens each`, { hint })
  }
  const { format } = file
  return {
    sourceFormat: format,
    format: format === 'mooncake-delta' || format === 'agentic_mooncake' ? format : 'mooncake',
    traceBlockSize: file.traceBlockSize,
    rows: rows.count,
    problems: problems.toArray(),
    chunks: { [Symbol.iterator]: () => chunksOf(file, order) },
  }
}

/** Rows by timestamp where order means nothing else; sessions and graphs keep the file's order. */
function outputOrder(file: TraceFile): Uint32Array | null {
  const { rows } = file
  if (rows.sessionNames.length > 0 || rows.waitFor.size > 0) return null
  const { values } = rows.timestampMs
  let sorted = true
  for (let row = 1; row < rows.count; row++) if (values[row]! < values[row - 1]!) sorted = false
  if (sorted) return null
  const order = Uint32Array.from({ length: rows.count }, (_, row) => row)
  return order.sort((a, b) => values[a]! - values[b]! || 0 || a - b)
}

function* chunksOf(file: TraceFile, order: Uint32Array | null): Generator<string> {
  const writer = new RowWriter(file)
  let lines: string[] = []
  for (let position = 0; position < file.rows.count; position++) {
    lines.push(writer.row(order === null ? position : order[position]!))
    if (lines.length < ROWS_PER_CHUNK) continue
    yield lines.join('')
    lines = []
  }
  if (lines.length > 0) yield lines.join('')
}

class RowWriter {
  private readonly file: TraceFile
  private readonly originMs: number
  /** Ids for the tokens that a source of full-block ids leaves uncovered. */
  private nextId: bigint

  constructor(file: TraceFile) {
    this.file = file
    const { rows } = file
    let earliest = Infinity
    for (let row = 0; row < rows.count; row++) earliest = Math.min(earliest, rows.timestampMs.values[row]! || 0)
    this.originMs = earliest === Infinity ? 0 : earliest
    this.nextId = rows.hashTable.largest() + 1n
  }

  row(row: number): string {
    const { rows, format } = this.file
    const fields: string[] = []
    const timestamp = rows.timestampMs.values[row]!
    const session = rows.sessions.values[row]!
    const requestId = rows.requestIds[row] ?? null
    const waitFor = rows.waitFor.get(row)
    if (requestId !== null) fields.push(`"request_id": ${JSON.stringify(requestId)}`)
    if (session !== -1) fields.push(`"session_id": ${JSON.stringify(rows.sessionNames[session])}`)
    if (!Number.isNaN(timestamp)) fields.push(`"timestamp": ${plainMs(timestamp - this.originMs)}`)
    if (!Number.isNaN(rows.delayMs.values[row]!)) fields.push(`"delay": ${plainMs(rows.delayMs.values[row]!)}`)
    const { inputTokens, ids } = this.prompt(row)
    fields.push(`"input_length": ${inputTokens}`, `"output_length": ${rows.outputTokens.values[row]}`)
    if (ids.length > 0) fields.push(`"hash_ids": [${ids.join(', ')}]`)
    if (rows.priority.values[row] !== 0) fields.push(`"priority": ${rows.priority.values[row]}`)
    if (rows.strictPriority.values[row] !== 0) fields.push(`"strict_priority": ${rows.strictPriority.values[row]}`)
    if (waitFor !== undefined && format === 'agentic_mooncake') fields.push(`"wait_for": ${JSON.stringify(waitFor)}`)
    return `{${fields.join(', ')}}\n`
  }

  private prompt(row: number): { inputTokens: number; ids: string[] } {
    const { rows, traceBlockSize, format } = this.file
    const start = rows.hashStart(row)
    const given = rows.hashEnds.values[row]! - start
    const length = Math.max(1, rows.inputTokens.values[row]!)
    if (given === 0) return { inputTokens: length, ids: [] }
    const needed = Math.ceil(length / traceBlockSize)
    const ids: string[] = []
    for (let index = 0; index < Math.min(given, needed); index++) {
      ids.push(rows.hashTable.text(rows.hashes.values[start + index]!))
    }
    if (format !== 'weka') return { inputTokens: Math.min(length, given * traceBlockSize), ids }
    while (ids.length < needed) ids.push(String(this.nextId++))
    return { inputTokens: length, ids }
  }
}

/** Milliseconds to the nanosecond, without floating-point dust; times too large to hold nanoseconds stay as they are. */
function plainMs(ms: number): number {
  const nanoseconds = Math.round(ms * 1e6)
  return Number.isSafeInteger(nanoseconds) ? nanoseconds / 1e6 : ms
}
