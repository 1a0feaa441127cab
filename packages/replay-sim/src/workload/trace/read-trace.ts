import { forEachLine, type LineSink, type TraceBytes } from './byte-lines.js'
import { type CsvLayout, csvCells, csvLayout } from './csv-layout.js'
import { CsvReader } from './csv-reader.js'
import { JsonlReader } from './jsonl-reader.js'
import { type ReadOptions, TRACE_FORMATS, type TraceFormat, UNSUPPORTED_FORMATS } from './trace-format.js'
import { TraceProblemList } from './trace-problem.js'
import { TraceRows } from './trace-rows.js'

const CSV_FORMATS: readonly string[] = ['azure', 'burstgpt', 'vidur']
const DEFAULT_BLOCK = 512
const WEKA_BLOCK = 64

/** Everything a trace file says, and what is wrong with it. */
export interface TraceFile {
  readonly rows: TraceRows
  readonly problems: TraceProblemList
  /** Format found or given; `csv` is a column-mapped table. */
  readonly format: TraceFormat | 'csv'
  /** Tokens per hash id. */
  readonly traceBlockSize: number
  readonly lineCount: number
  /** Rows of data in the file, readable or not; headers, comments and blank lines do not count. */
  readonly dataRows: number
}

/** Reads a trace of any known format. Problems are collected, never thrown. */
export function readTrace(source: TraceBytes, options: ReadOptions = {}): TraceFile {
  const reader = new LineReader(options)
  const lineCount = forEachLine(source, reader)
  const { rows, problems } = reader
  if (rows.count === 0 && problems.errorCount === 0) {
    problems.add('error', Math.max(1, lineCount), 'empty-trace', 'the trace holds no requests')
  }
  let format = reader.format ?? 'mooncake'
  if (format === 'mooncake' && rows.waitFor.size > 0) {
    if ((options.format ?? 'auto') === 'auto') format = 'agentic_mooncake'
    else {
      const line = rows.lines.values[rows.waitFor.keys().next().value!]!
      const hint = 'load the trace as agentic_mooncake'
      problems.add('warning', line, 'ignored-field', 'wait_for has no effect in the mooncake format', { hint })
      rows.waitFor.clear()
    }
  }
  const traceBlockSize =
    options.traceBlockSize ?? reader.statedBlockSize ?? (format === 'weka' ? WEKA_BLOCK : DEFAULT_BLOCK)
  return { rows, problems, format, traceBlockSize, lineCount, dataRows: Math.max(reader.dataLines, rows.count) }
}

class LineReader implements LineSink {
  readonly rows: TraceRows = new TraceRows()
  readonly problems: TraceProblemList = new TraceProblemList()
  format: TraceFormat | 'csv' | undefined
  dataLines: number = 0
  private readonly options: ReadOptions
  private readonly decoder: TextDecoder = new TextDecoder('utf-8', { fatal: true })
  private jsonl: JsonlReader | undefined
  private csv: CsvReader | undefined
  private refused: boolean = false

  constructor(options: ReadOptions) {
    this.options = options
    const wanted = options.format ?? 'auto'
    if (wanted !== 'auto' && !TRACE_FORMATS.includes(wanted)) {
      const known = UNSUPPORTED_FORMATS.includes(wanted) ? 'is not supported, its layout is not public' : 'is not known'
      this.refuse(1, 'unknown-format', `trace format ${wanted} ${known}`, `formats: auto, ${TRACE_FORMATS.join(', ')}`)
    }
  }

  get statedBlockSize(): number | undefined {
    return this.jsonl?.statedBlockSize
  }

  line(bytes: Uint8Array, start: number, end: number, line: number, crlf: boolean, terminated: boolean): void {
    if (this.refused) return
    let from = start
    if (line === 1) from = this.checkStart(bytes, start, end)
    if (this.refused) return
    if (crlf) this.problems.addOnce('warning', line, 'crlf', '', 'lines end in CR LF', 'read as plain line ends')
    let first = from
    while (first < end && (bytes[first] === 32 || bytes[first] === 9)) first++
    if (first === end) {
      this.problems.add('warning', line, 'blank-line', 'the line is empty', { hint: 'skipped' })
      return
    }
    const byte = bytes[first]!
    if (byte === 35 || (byte === 47 && bytes[first + 1] === 47)) {
      this.problems.add('warning', line, 'comment-line', 'the line is a comment', { hint: 'skipped' })
      return
    }
    if (this.jsonl !== undefined) {
      this.dataLines++
      this.jsonl.read(bytes, from, end, line)
    } else if (this.csv !== undefined) this.readCsv(bytes, from, end, line, terminated)
    else this.begin(bytes, from, end, line, byte)
  }

  private readCsv(bytes: Uint8Array, start: number, end: number, line: number, terminated: boolean): void {
    this.dataLines++
    const text = this.text(bytes, start, end, line)
    if (text !== undefined) this.csv!.read(text, line, terminated)
  }

  /** Strips a byte-order mark, refuses what is not text. Returns where the first line starts. */
  private checkStart(bytes: Uint8Array, start: number, end: number): number {
    const [a, b, c] = [bytes[start], bytes[start + 1], bytes[start + 2]]
    if (end - start >= 3 && a === 0xef && b === 0xbb && c === 0xbf) {
      this.problems.add('warning', 1, 'byte-order-mark', 'the file starts with a UTF-8 byte-order mark', {
        hint: 'skipped',
      })
      return start + 3
    }
    if (a === 0x1f && b === 0x8b) this.refuse(1, 'compressed-input', 'the file is gzip-compressed', 'unpack it first')
    else if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
      this.refuse(1, 'invalid-encoding', 'the file is UTF-16', 'save it as UTF-8')
    } else if (a === 91) {
      const hint = 'write one object a line, without the enclosing brackets and commas'
      this.refuse(1, 'not-an-object', 'the file is one JSON array, not JSON Lines', hint)
    }
    return start
  }

  private begin(bytes: Uint8Array, start: number, end: number, line: number, firstByte: number): void {
    const wanted = this.options.format ?? 'auto'
    const isJson = firstByte === 123
    if (isJson && CSV_FORMATS.includes(wanted)) {
      this.refuse(
        line,
        'wrong-format',
        `the file holds JSON, not a ${wanted} table`,
        'use --trace-format mooncake or auto',
      )
      return
    }
    if (isJson) {
      const weka = wanted === 'weka' || (wanted === 'auto' && looksLikeWeka(bytes, start, end))
      this.format = weka ? 'weka' : wanted === 'auto' ? 'mooncake' : wanted
      this.jsonl = new JsonlReader(this.rows, this.problems, weka, this.options)
      this.dataLines++
      this.jsonl.read(bytes, start, end, line)
      return
    }
    const text = this.text(bytes, start, end, line)
    if (text === undefined) return
    const layout = csvLayout(csvCells(text), this.options.columns, this.options.timestampUnit)
    if (layout === undefined) this.refuseStart(text, line)
    else this.beginCsv(layout, wanted, line)
  }

  private beginCsv(layout: CsvLayout, wanted: TraceFormat | 'auto', line: number): void {
    if (wanted !== 'auto' && wanted !== layout.format && layout.format !== 'csv') {
      this.refuse(
        line,
        'wrong-format',
        `the header is that of a ${layout.format} table, not ${wanted}`,
        `use --trace-format ${layout.format} or auto`,
      )
      return
    }
    this.format = layout.format
    if (layout.olderColumns !== undefined) this.problems.add('warning', line, 'older-columns', layout.olderColumns)
    this.csv = new CsvReader(this.rows, this.problems, layout, this.options.dropBrokenRows ?? false)
  }

  private refuseStart(text: string, line: number): void {
    const names = csvCells(text)
    const known =
      'known headers are those of Azure, BurstGPT and Vidur; map other columns with input_length=…,output_length=…'
    if (names.length < 2)
      this.refuse(line, 'not-an-object', 'the line is neither a JSON object nor a known CSV header', known)
    else
      this.refuse(
        line,
        'unknown-columns',
        `columns ${names.slice(0, 12).join(', ')} are not those of a known trace`,
        known,
      )
  }

  private text(bytes: Uint8Array, start: number, end: number, line: number): string | undefined {
    try {
      return this.decoder.decode(bytes.subarray(start, end))
    } catch {
      this.problems.add('error', line, 'invalid-encoding', 'the line is not UTF-8', { hint: 'save the file as UTF-8' })
      return undefined
    }
  }

  private refuse(line: number, code: string, message: string, hint: string): void {
    this.refused = true
    this.problems.add('error', line, code, message, { hint })
  }
}

/** Weka rows name their lengths `in` and `out`, or nest them under `requests`. */
function looksLikeWeka(bytes: Uint8Array, start: number, end: number): boolean {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 4000)))
  return /"(?:in|requests)"\s*:/.test(text) && !/"input_length"\s*:/.test(text)
}
