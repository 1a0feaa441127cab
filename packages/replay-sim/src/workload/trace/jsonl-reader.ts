import { JsonScanner, RowFault } from './json-scanner.js'
import { FieldNames, type RowField } from './row-fields.js'
import { parseTimestampText } from './timestamp-text.js'
import type { ReadOptions } from './trace-format.js'
import type { TraceProblemList } from './trace-problem.js'
import { appendRow, emptyDraft, type RowDraft, type TraceRows } from './trace-rows.js'

const MAX_TOKENS = 0x7fffffff
/** Upper half of 2^53, from where doubles no longer hold every integer. */
const BEYOND_DOUBLES = 0x200000
const NEEDS_INTEGER = 'lengths are whole numbers of tokens from 0 to 2^31 − 1'

/** Reads Mooncake-like JSONL rows (and Weka's, flat or one conversation a line) into columns. */
export class JsonlReader {
  private readonly scanner: JsonScanner = new JsonScanner()
  private readonly names: FieldNames
  private readonly rows: TraceRows
  private readonly problems: TraceProblemList
  private readonly weka: boolean
  private readonly toMs: number
  private readonly dropBroken: boolean
  private wideIds: boolean = false
  /** Tokens per hash id that the rows themselves state (Weka). */
  statedBlockSize: number | undefined

  constructor(rows: TraceRows, problems: TraceProblemList, weka: boolean, options: ReadOptions) {
    this.rows = rows
    this.problems = problems
    this.weka = weka
    this.names = new FieldNames(weka, options.columns)
    this.toMs = weka || options.timestampUnit === 's' ? 1000 : 1
    this.dropBroken = options.dropBrokenRows ?? false
  }

  /** Reads one line; problems go to the list. */
  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { scanner, rows } = this
    const hashMark = rows.hashes.length
    const rowMark = rows.count
    scanner.reset(bytes, start, end)
    try {
      if (scanner.peek() !== 123) {
        throw scanner.fault('not-an-object', 'the line is not a JSON object', 'one {…} object a line')
      }
      const draft = emptyDraft()
      const nested = this.readObject(bytes, draft, line)
      if (scanner.peek() !== -1)
        throw scanner.fault('invalid-json', 'something follows the object', 'one object a line')
      if (!nested) this.finish(draft, line)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      if (rows.count === rowMark) rows.hashes.length = hashMark
      else rows.hashes.length = rows.hashEnds.values[rows.count - 1]!
      const hint = error.hint === undefined ? {} : { hint: error.hint }
      if (this.dropBroken) {
        this.problems.add('warning', line, error.code, `${error.message}; row left out`, { column: error.column })
      } else this.problems.add('error', line, error.code, error.message, { column: error.column, ...hint })
    }
  }

  /** Reads an object's members into the draft; true when it held nested requests, which are then already appended. */
  private readObject(bytes: Uint8Array, draft: RowDraft, line: number): boolean {
    const { scanner } = this
    let nested = false
    scanner.expect(123)
    if (scanner.accept(125)) return false
    for (;;) {
      if (scanner.peek() !== 34) throw scanner.unexpected('a field name')
      const nameStart = scanner.position + 1
      scanner.skipValue()
      const nameEnd = scanner.position - 1
      scanner.expect(58)
      const known = this.names.find(bytes, nameStart, nameEnd)
      if (known === undefined) {
        this.noteUnknown(bytes, nameStart, nameEnd, line)
        scanner.skipValue()
      } else {
        if (known.alias) this.noteAlias(bytes, nameStart, nameEnd, known.field, line)
        if (known.field === 'requests') {
          nested = true
          this.readNested(bytes, draft, line)
        } else if (!scanner.acceptNull()) this.readField(known.field, draft, line)
      }
      if (scanner.accept(44)) continue
      if (scanner.peek() !== 125) throw scanner.unexpected("',' or '}'")
      scanner.position++
      return nested
    }
  }

  private readNested(bytes: Uint8Array, outer: RowDraft, line: number): void {
    const { scanner } = this
    scanner.expect(91)
    if (scanner.accept(93)) return
    do {
      const draft = emptyDraft()
      draft.session = outer.session
      this.readObject(bytes, draft, line)
      this.finish(draft, line)
    } while (scanner.accept(44))
    scanner.expect(93)
  }

  private readField(field: RowField, draft: RowDraft, line: number): void {
    switch (field) {
      case 'timestamp':
        draft.timestampMs = this.time(field, line)
        return
      case 'delay':
        draft.delayMs = this.time(field, line)
        return
      case 'input_length':
        draft.inputTokens = this.tokens(field, line)
        return
      case 'output_length':
        draft.outputTokens = this.tokens(field, line)
        return
      case 'hash_ids':
        this.readHashes()
        return
      case 'session_id':
        draft.session = this.name(field)
        return
      case 'request_id':
        draft.requestId = this.name(field)
        return
      case 'priority':
        draft.priority = this.numeric(field, line)
        return
      case 'strict_priority':
        draft.strictPriority = this.numeric(field, line)
        return
      case 'wait_for':
        draft.waitFor = this.readNames()
        return
      default:
        this.statedBlockSize = this.tokens(field, line)
    }
  }

  private readHashes(): void {
    const { scanner, rows } = this
    if (scanner.peek() !== 91) throw scanner.fault('wrong-type', 'hash_ids is not an array', 'an array of integers')
    scanner.position++
    if (scanner.accept(93)) return
    for (;;) {
      scanner.unsigned64()
      if (scanner.high >= BEYOND_DOUBLES) this.wideIds = true
      rows.hashes.push(rows.hashTable.intern(scanner.low, scanner.high))
      if (scanner.accept(44)) continue
      if (scanner.peek() !== 93) throw scanner.unexpected("',' or ']'")
      scanner.position++
      return
    }
  }

  private readNames(): string[] {
    const { scanner } = this
    if (scanner.peek() !== 91) return [this.name('wait_for')]
    scanner.position++
    const names: string[] = []
    if (scanner.accept(93)) return names
    do names.push(this.name('wait_for'))
    while (scanner.accept(44))
    scanner.expect(93)
    return names
  }

  private name(field: RowField): string {
    const { scanner } = this
    const byte = scanner.peek()
    if (byte === 34) return scanner.string()
    if (byte === 45 || (byte >= 48 && byte <= 57)) return String(scanner.number())
    throw scanner.fault('wrong-type', `${field} is neither text nor a number`)
  }

  private numeric(field: RowField, line: number): number {
    const { scanner } = this
    const byte = scanner.peek()
    if (byte === 34) {
      const at = scanner.position
      const text = scanner.string()
      const value = Number(text)
      if (text.trim() !== '' && Number.isFinite(value)) {
        this.problems.addOnce('warning', line, 'quoted-number', field, `${field} is text; read as a number`)
        return value
      }
      scanner.position = at
    }
    if (byte !== 45 && (byte < 48 || byte > 57) && byte !== -1 && byte !== 78 && byte !== 73) {
      throw scanner.fault('wrong-type', `${field} is not a number`)
    }
    return scanner.number()
  }

  private time(field: RowField, line: number): number {
    const { scanner } = this
    if (scanner.peek() === 34 && field === 'timestamp') {
      const at = scanner.position
      const milliseconds = parseTimestampText(scanner.string())
      if (milliseconds !== undefined) {
        const message = 'timestamp is a date; read as UTC and turned into ms'
        this.problems.addOnce('warning', line, 'timestamp-text', '', message)
        return milliseconds
      }
      scanner.position = at
    }
    const value = this.numeric(field, line) * this.toMs
    if (value < 0 && field === 'delay') throw scanner.fault('negative-number', 'delay is negative', 'delays are ms ≥ 0')
    return value
  }

  private tokens(field: RowField, line: number): number {
    const { scanner } = this
    scanner.peek()
    const at = scanner.position
    const value = this.numeric(field, line)
    if (Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS) return value
    scanner.position = at
    if (value < 0) throw scanner.fault('negative-number', `${field} is negative`, NEEDS_INTEGER)
    if (value > MAX_TOKENS) throw scanner.fault('number-out-of-range', `${field} ${value} is too large`, NEEDS_INTEGER)
    throw scanner.fault('not-an-integer', `${field} ${value} is not a whole number`, NEEDS_INTEGER)
  }

  private finish(draft: RowDraft, line: number): void {
    const missing = Number.isNaN(draft.inputTokens) ? 'input' : Number.isNaN(draft.outputTokens) ? 'output' : undefined
    if (missing !== undefined) {
      const name = this.weka ? missing.replace('put', '') : `${missing}_length`
      const hint = `every row needs ${this.weka ? 'in and out' : 'input_length and output_length'}; name other columns with the column map`
      throw this.scanner.fault('missing-field', `${name} is missing`, hint)
    }
    appendRow(this.rows, draft, line)
    if (this.wideIds) {
      const hint = 'kept apart exactly; tools that read numbers as doubles would merge some'
      this.problems.addOnce('info', line, 'wide-hash-id', '', 'hash ids at or above 2^53', hint)
      this.wideIds = false
    }
    if (this.weka) {
      const hint = 'seconds turned into ms, tokens beyond the last full hashed block are unique to the request'
      this.problems.addOnce(
        'info',
        line,
        'weka-units',
        '',
        'times are in seconds, hash ids cover full blocks only',
        hint,
      )
    }
  }

  private noteUnknown(bytes: Uint8Array, start: number, end: number, line: number): void {
    const name = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 60)))
    this.problems.addOnce('info', line, 'ignored-field', name, `field ${name} has no effect on replay`)
  }

  private noteAlias(bytes: Uint8Array, start: number, end: number, field: RowField, line: number): void {
    const name = String.fromCharCode(...bytes.subarray(start, end))
    this.problems.addOnce('warning', line, 'alias-field', name, `field ${name} read as ${field}`)
  }
}
