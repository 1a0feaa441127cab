import type { TraceProblemList } from './trace-problem.js'
import type { TraceRows } from './trace-rows.js'

/** How rows are offered, as far as linking them needs to know. */
export interface TimingOptions {
  /** Divides arrivals and delays in open loop; no effect in closed loop. */
  readonly arrivalSpeedupRatio: number
  readonly closedLoop: boolean
  /** Report a trace without any timestamp as a warning (check) instead of an error (open-loop replay). */
  readonly allowNoTimestamps: boolean
}

/** When requests become ready, in the columns of `Workload`. */
export interface Timing {
  readonly arrivalMs: Float64Array
  readonly session: Int32Array
  readonly turn: Int32Array
  readonly delayMs: Float64Array
  readonly nextTurn: Int32Array
  /** Name of each session, null for rows without one. */
  readonly sessionIds: (string | null)[] | null
}

/** Chains the turns of sessions and sets arrivals, with the minimum start subtracted. */
export function linkSessions(rows: TraceRows, problems: TraceProblemList, options: TimingOptions): Timing {
  const { count } = rows
  const named = rows.sessionNames.length > 0
  const session = new Int32Array(count)
  const turn = new Int32Array(count)
  const nextTurn = new Int32Array(count).fill(-1)
  const delayMs = new Float64Array(count)
  const startMs = new Float64Array(count).fill(Number.NaN)
  const lastRow = new Int32Array(rows.sessionNames.length).fill(-1)
  const lastStamp = new Float64Array(rows.sessionNames.length)
  const dense = new Int32Array(rows.sessionNames.length)
  const sessionIds: (string | null)[] | null = named ? [] : null
  const speedup = options.closedLoop ? 1 : options.arrivalSpeedupRatio
  let sessionCount = 0
  for (let row = 0; row < count; row++) {
    const name = rows.sessions.values[row]!
    const stamp = rows.timestampMs.values[row]!
    const previous = name === -1 ? -1 : lastRow[name]!
    if (previous === -1) {
      startMs[row] = stamp
      session[row] = sessionCount++
      sessionIds?.push(name === -1 ? null : rows.sessionNames[name]!)
      if (name !== -1) {
        dense[name] = session[row]!
        lastStamp[name] = stamp
      }
    } else {
      session[row] = dense[name]!
      turn[row] = turn[previous]! + 1
      nextTurn[previous] = row
      delayMs[row] = thinkTime(rows, problems, row, lastStamp[name]!, options.closedLoop) / speedup
      if (!Number.isNaN(stamp)) lastStamp[name] = stamp
    }
    if (name !== -1) lastRow[name] = row
  }
  const arrivalMs = startsToArrivals(rows, problems, startMs, (row) => turn[row] === 0, options)
  return { arrivalMs, session, turn, delayMs, nextTurn, sessionIds }
}

function thinkTime(
  rows: TraceRows,
  problems: TraceProblemList,
  row: number,
  last: number,
  closedLoop: boolean,
): number {
  const line = rows.lines.values[row]!
  const given = rows.delayMs.values[row]!
  if (!Number.isNaN(given)) return given
  const gap = rows.timestampMs.values[row]! - last
  if (gap >= 0) return gap
  if (gap < 0) {
    const hint = 'the turn follows at once'
    problems.add('warning', line, 'out-of-order', 'the turn is stamped before the previous turn of its session', {
      hint,
    })
    return 0
  }
  const message = 'a later turn with neither delay nor timestamp'
  if (closedLoop) problems.add('warning', line, 'missing-delay', message, { hint: 'the turn follows at once' })
  else
    problems.add('error', line, 'missing-delay', message, {
      hint: 'add delay (ms after the previous turn ends) or timestamp',
    })
  return 0
}

/** Arrival of each row that waits for nothing: start − earliest start, divided by the speed-up; NaN for the others. */
export function startsToArrivals(
  rows: TraceRows,
  problems: TraceProblemList,
  startMs: Float64Array,
  isStart: (row: number) => boolean,
  options: TimingOptions,
): Float64Array {
  const { count } = rows
  let earliest = Infinity
  let missing = 0
  let starts = 0
  for (let row = 0; row < count; row++) {
    if (!isStart(row)) continue
    starts++
    const start = startMs[row]!
    if (Number.isNaN(start)) missing++
    else if (start < earliest) earliest = start
  }
  const speedup = options.closedLoop ? 1 : options.arrivalSpeedupRatio
  const base = earliest === Infinity ? 0 : earliest
  if (missing > 0 && missing === starts) reportNoTimestamps(rows, problems, options)
  const arrivalMs = new Float64Array(count).fill(Number.NaN)
  let previous = -Infinity
  for (let row = 0; row < count; row++) {
    if (!isStart(row)) continue
    const start = startMs[row]!
    const line = rows.lines.values[row]!
    if (Number.isNaN(start)) {
      arrivalMs[row] = 0
      if (missing < starts) reportMissing(problems, line, options.closedLoop)
      continue
    }
    if (start < previous) {
      problems.add('warning', line, 'out-of-order', `timestamp ${start} is before the row above (${previous})`, {
        hint: 'requests are replayed in timestamp order',
      })
    }
    previous = start
    arrivalMs[row] = (start - base) / speedup
  }
  return arrivalMs
}

function reportMissing(problems: TraceProblemList, line: number, closedLoop: boolean): void {
  if (closedLoop) {
    problems.add('warning', line, 'missing-timestamp', 'no timestamp', { hint: 'not needed at fixed concurrency' })
    return
  }
  const hint = 'add the arrival in ms, or replay at fixed concurrency (--replay-concurrency), which needs none'
  problems.add('error', line, 'missing-timestamp', 'no timestamp, while other rows have one', { hint })
}

function reportNoTimestamps(rows: TraceRows, problems: TraceProblemList, options: TimingOptions): void {
  if (options.closedLoop) return
  const severity = options.allowNoTimestamps ? 'warning' : 'error'
  const hint = 'replay it at fixed concurrency (--replay-concurrency), or add timestamps in ms'
  problems.add(
    severity,
    rows.lines.values[0]!,
    'no-timestamps',
    'no row has a timestamp: the trace holds lengths only',
    { hint },
  )
}
