import { IntegerColumn, NumberColumn } from '../growable-column.js'
import { HashIdTable } from '../hash-id-table.js'

/**
 * Rows of a trace in file order, whatever its format, as columns. Times in ms, lengths in tokens; NaN = the row does not say.
 */
export class TraceRows {
  readonly lines: IntegerColumn = new IntegerColumn()
  readonly timestampMs: NumberColumn = new NumberColumn()
  readonly inputTokens: IntegerColumn = new IntegerColumn()
  readonly outputTokens: IntegerColumn = new IntegerColumn()
  readonly delayMs: NumberColumn = new NumberColumn()
  readonly priority: NumberColumn = new NumberColumn()
  readonly strictPriority: NumberColumn = new NumberColumn()
  /** End of each row's ids in `hashes`. */
  readonly hashEnds: IntegerColumn = new IntegerColumn()
  /** Interned hash ids of all rows. */
  readonly hashes: IntegerColumn = new IntegerColumn(1 << 14)
  readonly hashTable: HashIdTable = new HashIdTable()
  /** Interned session of each row, −1 for none. */
  readonly sessions: IntegerColumn = new IntegerColumn()
  readonly sessionNames: string[] = []
  /** Filled only once a row has one; shorter than the rows when the last ones have none. */
  readonly requestIds: (string | null)[] = []
  readonly waitFor: Map<number, readonly string[]> = new Map()
  private readonly sessionIndex: Map<string, number> = new Map()

  get count(): number {
    return this.lines.length
  }

  /** Dense index of a session's name. */
  internSession(name: string): number {
    let index = this.sessionIndex.get(name)
    if (index === undefined) {
      index = this.sessionNames.length
      this.sessionNames.push(name)
      this.sessionIndex.set(name, index)
    }
    return index
  }

  /** First position in `hashes` of a row's ids. */
  hashStart(row: number): number {
    return row === 0 ? 0 : this.hashEnds.values[row - 1]!
  }
}

/** One row being read; reused. */
export interface RowDraft {
  timestampMs: number
  inputTokens: number
  outputTokens: number
  delayMs: number
  priority: number
  strictPriority: number
  session: string | null
  requestId: string | null
  waitFor: readonly string[] | null
}

/** A draft with nothing set. */
export function emptyDraft(): RowDraft {
  return {
    timestampMs: Number.NaN,
    inputTokens: Number.NaN,
    outputTokens: Number.NaN,
    delayMs: Number.NaN,
    priority: 0,
    strictPriority: 0,
    session: null,
    requestId: null,
    waitFor: null,
  }
}

/** Appends a finished row; its hash ids are already in `rows.hashes`. */
export function appendRow(rows: TraceRows, draft: RowDraft, line: number): void {
  const row = rows.count
  rows.lines.push(line)
  rows.timestampMs.push(draft.timestampMs)
  rows.inputTokens.push(draft.inputTokens)
  rows.outputTokens.push(draft.outputTokens)
  rows.delayMs.push(draft.delayMs)
  rows.priority.push(draft.priority)
  rows.strictPriority.push(draft.strictPriority)
  rows.hashEnds.push(rows.hashes.length)
  rows.sessions.push(draft.session === null ? -1 : rows.internSession(draft.session))
  if (draft.requestId !== null) {
    while (rows.requestIds.length < row) rows.requestIds.push(null)
    rows.requestIds.push(draft.requestId)
  }
  if (draft.waitFor !== null) rows.waitFor.set(row, draft.waitFor)
}
