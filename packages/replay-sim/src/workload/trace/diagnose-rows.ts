import type { TraceProblemList } from './trace-problem.js'
import type { TraceRows } from './trace-rows.js'

/** A fractional timestamp with a mean gap below this is likely in seconds. */
const SUSPICIOUS_GAP_MS = 2

/** Looks for what loads but is likely a mistake: units, repeated or inconsistent hash ids, turns that hold only what is new. */
export function diagnoseRows(rows: TraceRows, problems: TraceProblemList, traceBlockSize: number): void {
  diagnoseTimestamps(rows, problems)
  diagnoseOutputs(rows, problems)
  diagnoseHashes(rows, problems, traceBlockSize)
  diagnoseTurns(rows, problems)
}

function diagnoseTimestamps(rows: TraceRows, problems: TraceProblemList): void {
  let earliest = Infinity
  let latest = -Infinity
  let stamped = 0
  let fractional = -1
  for (let row = 0; row < rows.count; row++) {
    const stamp = rows.timestampMs.values[row]!
    if (Number.isNaN(stamp)) continue
    stamped++
    if (stamp < earliest) earliest = stamp
    if (stamp > latest) latest = stamp
    if (fractional === -1 && !Number.isInteger(stamp)) fractional = row
  }
  if (stamped === 0) return
  if (earliest !== 0) {
    const message = `the earliest timestamp is ${earliest}, not 0`
    problems.add('info', rows.lines.values[0]!, 'first-timestamp-not-zero', message, { hint: 'arrivals start at 0' })
  }
  if (fractional === -1 || stamped < 2 || (latest - earliest) / (stamped - 1) >= SUSPICIOUS_GAP_MS) return
  const span = (latest - earliest).toPrecision(4)
  problems.add(
    'warning',
    rows.lines.values[fractional]!,
    'timestamps-maybe-seconds',
    `fractional timestamps, ${stamped} requests within ${span} ms: these look like seconds`,
    {
      hint: 'timestamps are read as ms; give timestamp unit s if they are seconds',
    },
  )
}

function diagnoseOutputs(rows: TraceRows, problems: TraceProblemList): void {
  for (let row = 0; row < rows.count; row++) {
    if (rows.outputTokens.values[row] !== 0) continue
    problems.add('info', rows.lines.values[row]!, 'no-output', 'output_length is 0', {
      hint: 'completes without a token',
    })
  }
}

function diagnoseHashes(rows: TraceRows, problems: TraceProblemList, traceBlockSize: number): void {
  const distinct = rows.hashTable.size
  const seenInRow = new Int32Array(distinct).fill(-1)
  const firstLength = new Int32Array(distinct)
  const firstRow = new Int32Array(distinct)
  for (let row = 0; row < rows.count; row++) {
    const start = rows.hashStart(row)
    const end = rows.hashEnds.values[row]!
    const length = rows.inputTokens.values[row]!
    let repeated = -1
    for (let at = start; at < end; at++) {
      const value = rows.hashes.values[at]!
      if (seenInRow[value] === row) repeated = value
      seenInRow[value] = row
      const tokens = Math.min(traceBlockSize, length - (at - start) * traceBlockSize)
      if (tokens <= 0) continue
      if (firstLength[value] === 0) {
        firstLength[value] = tokens
        firstRow[value] = row
      } else if (firstLength[value] > 0 && firstLength[value] !== tokens) {
        const id = rows.hashTable.text(value)
        const message = `hash id ${id} stands for ${tokens} tokens here and for ${firstLength[value]} on line ${rows.lines.values[firstRow[value]!]}`
        problems.add('warning', rows.lines.values[row]!, 'hash-length-conflict', message, {
          hint: 'prefixes are compared token by token; one id should always stand for the same tokens',
        })
        firstLength[value] = -1
      }
    }
    if (repeated === -1) continue
    problems.add(
      'warning',
      rows.lines.values[row]!,
      'repeated-hash-id',
      `hash id ${rows.hashTable.text(repeated)} occurs twice in the row`,
      {
        hint: 'ids that include their prefix never repeat; kept as given',
      },
    )
  }
}

function diagnoseTurns(rows: TraceRows, problems: TraceProblemList): void {
  const firstHash = new Int32Array(rows.sessionNames.length).fill(-2)
  let suspicious = -1
  let later = 0
  let fresh = 0
  for (let row = 0; row < rows.count; row++) {
    const session = rows.sessions.values[row]!
    if (session === -1 || rows.waitFor.size > 0) continue
    const start = rows.hashStart(row)
    const value = start === rows.hashEnds.values[row] ? -1 : rows.hashes.values[start]!
    const before = firstHash[session]!
    if (before >= 0 && value >= 0) {
      later++
      if (before !== value) {
        fresh++
        if (suspicious === -1) suspicious = row
      }
    }
    if (before === -2) firstHash[session] = value
  }
  if (later === 0 || fresh !== later) return
  problems.add(
    'warning',
    rows.lines.values[suspicious]!,
    'maybe-delta',
    'later turns do not repeat the prompt of the turn before',
    {
      hint: 'if rows hold only what a turn adds, load the trace as mooncake-delta',
    },
  )
}
