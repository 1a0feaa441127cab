/** Where a CSV trace keeps what; column indices, −1 = absent. */
export interface CsvLayout {
  readonly format: 'azure' | 'burstgpt' | 'vidur' | 'csv'
  readonly timestamp: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly session: number
  /** Seconds a request took, to turn a session's timestamps into think times. */
  readonly elapsed: number
  /** How timestamps are written: dates, or numbers of this many ms. */
  readonly timestampMs: 'date' | number
  /** Rows without output are failed requests. */
  readonly zeroOutputFailed: boolean
  readonly columnCount: number
  /** Set when the file has an older or shorter set of columns than the format's latest. */
  readonly olderColumns: string | undefined
}

/** Recognises a header row. Undefined when the names are not those of a known trace and none were mapped. */
export function csvLayout(
  header: readonly string[],
  columns: Readonly<Record<string, string>> | undefined,
  timestampUnit: 'ms' | 's' | undefined,
): CsvLayout | undefined {
  const names = header.map((name) => name.trim().toLowerCase())
  const at = (name: string): number => names.indexOf(name)
  const base = { session: -1, elapsed: -1, zeroOutputFailed: false, columnCount: names.length, olderColumns: undefined }
  if (columns?.['input_length'] !== undefined && columns['output_length'] !== undefined) {
    const mapped = (field: string): number => at((columns[field] ?? field).trim().toLowerCase())
    if (mapped('input_length') === -1 || mapped('output_length') === -1) return undefined
    return {
      ...base,
      format: 'csv',
      timestamp: mapped('timestamp'),
      inputTokens: mapped('input_length'),
      outputTokens: mapped('output_length'),
      session: mapped('session_id'),
      timestampMs: timestampUnit === 's' ? 1000 : 1,
    }
  }
  if (at('contexttokens') !== -1 && at('generatedtokens') !== -1) {
    return {
      ...base,
      format: 'azure',
      timestamp: at('timestamp'),
      inputTokens: at('contexttokens'),
      outputTokens: at('generatedtokens'),
      timestampMs: 'date',
    }
  }
  if (at('request tokens') !== -1 && at('response tokens') !== -1) {
    const older =
      at('session id') === -1 ? 'no Session ID and Elapsed time columns: every row is its own session' : undefined
    return {
      ...base,
      format: 'burstgpt',
      timestamp: at('timestamp'),
      inputTokens: at('request tokens'),
      outputTokens: at('response tokens'),
      session: at('session id'),
      elapsed: at('elapsed time'),
      timestampMs: 1000,
      zeroOutputFailed: true,
      olderColumns: older,
    }
  }
  if (at('num_prefill_tokens') !== -1 && at('num_decode_tokens') !== -1) {
    return {
      ...base,
      format: 'vidur',
      timestamp: at('arrived_at'),
      inputTokens: at('num_prefill_tokens'),
      outputTokens: at('num_decode_tokens'),
      timestampMs: 1000,
      olderColumns: at('arrived_at') === -1 ? 'no arrived_at column: lengths only' : undefined,
    }
  }
  return undefined
}

/** Cells of one CSV line; double quotes may enclose commas, a doubled quote stands for one. */
export function csvCells(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quoted && character === '"' && line[at + 1] === '"') {
      cell += '"'
      at++
    } else if (character === '"') quoted = !quoted
    else if (character === ',' && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  cells.push(cell)
  return cells
}
