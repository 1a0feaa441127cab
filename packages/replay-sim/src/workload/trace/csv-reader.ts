import { type CsvLayout, csvCells } from './csv-layout.js'
import { parseTimestampText } from './timestamp-text.js'
import type { TraceProblemList } from './trace-problem.js'
import { appendRow, emptyDraft, type TraceRows } from './trace-rows.js'

const DAY_MS = 86_400_000
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Reads the data rows of Azure, BurstGPT, Vidur and column-mapped CSV traces. They carry no hash ids. */
export class CsvReader {
  private readonly rows: TraceRows
  private readonly problems: TraceProblemList
  private readonly layout: CsvLayout
  private readonly dropBroken: boolean
  /** Start of the first row's day, so that fractions of ms survive the subtraction. */
  private originMs: number | undefined
  /** End of the previous turn of each session, ms. */
  private readonly sessionEndMs: Map<string, number> = new Map()

  constructor(rows: TraceRows, problems: TraceProblemList, layout: CsvLayout, dropBroken: boolean) {
    this.rows = rows
    this.problems = problems
    this.layout = layout
    this.dropBroken = dropBroken
  }

  /** Reads one data row. */
  read(text: string, line: number, terminated: boolean): void {
    const { layout, problems } = this
    const cells = csvCells(text)
    if (cells.length < layout.columnCount) {
      const code = terminated ? 'missing-cell' : 'truncated-line'
      this.refuse(line, code, `${cells.length} cells where the header has ${layout.columnCount}`)
      return
    }
    if (cells.length > layout.columnCount && cells.slice(layout.columnCount).some((cell) => cell.trim() !== '')) {
      problems.addOnce(
        'warning',
        line,
        'extra-cells',
        '',
        `${cells.length} cells where the header has ${layout.columnCount}; the extra ones are left out`,
      )
    }
    const draft = emptyDraft()
    const inputTokens = this.tokens(cells[layout.inputTokens]!, 'input tokens', line)
    const outputTokens = this.tokens(cells[layout.outputTokens]!, 'output tokens', line)
    if (inputTokens === undefined || outputTokens === undefined) return
    if (layout.zeroOutputFailed && outputTokens === 0) {
      const hint = 'left out: it never produced a token'
      problems.add('warning', line, 'failed-row', 'a failed request (0 response tokens)', { hint })
      return
    }
    draft.inputTokens = inputTokens
    draft.outputTokens = outputTokens
    if (layout.timestamp !== -1) {
      const timestampMs = this.timestamp(cells[layout.timestamp]!, line)
      if (timestampMs === undefined) return
      draft.timestampMs = timestampMs
    }
    if (layout.session !== -1) {
      const session = cells[layout.session]!.trim()
      if (session === '') {
        problems.addOnce('info', line, 'missing-cell', 'session', 'no session id: the row is a session of its own')
      } else {
        draft.session = session
        this.setThinkTime(draft, cells, session)
      }
    }
    appendRow(this.rows, draft, line)
  }

  private setThinkTime(
    draft: { timestampMs: number; delayMs: number },
    cells: readonly string[],
    session: string,
  ): void {
    const { layout } = this
    const end = this.sessionEndMs.get(session)
    if (end !== undefined && layout.elapsed !== -1) draft.delayMs = Math.max(0, draft.timestampMs - end)
    const elapsedText = layout.elapsed === -1 ? '' : cells[layout.elapsed]!.trim()
    const elapsedMs = NUMBER.test(elapsedText) ? Math.max(0, Number(elapsedText) * 1000) : 0
    this.sessionEndMs.set(session, draft.timestampMs + elapsedMs)
  }

  private tokens(cell: string, name: string, line: number): number | undefined {
    const text = cell.trim()
    const value = Number(text)
    if (text === '') this.refuse(line, 'missing-cell', `no ${name}`)
    else if (!NUMBER.test(text)) this.refuse(line, 'wrong-type', `${name} '${text.slice(0, 20)}' is not a number`)
    else if (value < 0) this.refuse(line, 'negative-number', `${name} ${text} is negative`)
    else if (!Number.isInteger(value)) this.refuse(line, 'not-an-integer', `${name} ${text} is not a whole number`)
    else if (value > 0x7fffffff) this.refuse(line, 'number-out-of-range', `${name} ${text} is too large`)
    else return value
    return undefined
  }

  private timestamp(cell: string, line: number): number | undefined {
    const { layout } = this
    const text = cell.trim()
    if (layout.timestampMs !== 'date' && NUMBER.test(text)) {
      const value = Number(text)
      if (Number.isFinite(value)) return value * layout.timestampMs
    }
    if (this.originMs === undefined) {
      const first = parseTimestampText(text)
      if (first !== undefined) this.originMs = Math.floor(first / DAY_MS) * DAY_MS
    }
    const value = parseTimestampText(text, this.originMs)
    if (value === undefined) {
      this.refuse(
        line,
        text === '' ? 'missing-timestamp' : 'bad-timestamp',
        `'${text.slice(0, 40)}' is not a timestamp`,
      )
    }
    return value
  }

  private refuse(line: number, code: string, message: string): void {
    if (this.dropBroken) this.problems.add('warning', line, code, `${message}; row left out`)
    else
      this.problems.add('error', line, code, message, { hint: 'repair the row, or convert with broken rows dropped' })
  }
}
