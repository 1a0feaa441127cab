import { SpicaError } from '@spica/schema/core'

const MS_PER_SECOND = 1000
/** Every predictor is tried on every window, some 25 ms a window for all presets: more than this would look like a hang. */
const MAX_WINDOWS = 50_000

/** One window of a trace: requests that start in it and their mean prompt and output tokens (0 when there are none). */
export interface TraceWindow {
  readonly requests: number
  readonly isl: number
  readonly osl: number
}

/** Columns of a trace, one entry a request, in any order. */
export interface TraceColumns {
  /** Milliseconds. */
  readonly timestampMs: ArrayLike<number>
  readonly inputTokens: ArrayLike<number>
  readonly outputTokens: ArrayLike<number>
}

/**
 * Cuts a trace into windows of `intervalSeconds` counted from time 0, first to last window that has requests, gaps filled with
 * zeros.
 * @param speedup divides the timestamps, as replay's `arrival_speedup_ratio` does; default 1
 * @throws SpicaError `invalid-interval`
 */
export function traceWindows(columns: TraceColumns, intervalSeconds: number, speedup = 1): TraceWindow[] {
  if (!(intervalSeconds > 0) || !Number.isFinite(intervalSeconds) || !(speedup > 0) || !Number.isFinite(speedup)) {
    throw new SpicaError('input', 'invalid-interval', 'window length and arrival speed-up must be positive numbers')
  }
  const count = columns.timestampMs.length
  const indexOf = (i: number): number =>
    Math.floor(columns.timestampMs[i] / speedup / (intervalSeconds * MS_PER_SECOND))
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const index = indexOf(i)
    first = Math.min(first, index)
    last = Math.max(last, index)
  }
  if (count === 0) return []
  if (!(last - first < MAX_WINDOWS)) {
    throw new SpicaError(
      'input',
      'invalid-interval',
      `the trace spans ${last - first + 1} windows of ${intervalSeconds} s`,
      {
        hint: `use an interval that gives at most ${MAX_WINDOWS} windows`,
      },
    )
  }
  const totals = Array.from({ length: last - first + 1 }, () => ({ requests: 0, input: 0, output: 0 }))
  for (let i = 0; i < count; i++) {
    const total = totals[indexOf(i) - first]
    total.requests++
    total.input += columns.inputTokens[i]
    total.output += columns.outputTokens[i]
  }
  return totals.map(({ requests, input, output }) => ({
    requests,
    isl: requests === 0 ? 0 : input / requests,
    osl: requests === 0 ? 0 : output / requests,
  }))
}

/** Windows without requests repeat the shape of the last one that had some, as the live planner sees them. */
export function carryIdleShapes(windows: readonly TraceWindow[]): TraceWindow[] {
  let last = { isl: 0, osl: 0 }
  return windows.map((window) => {
    if (window.requests > 0) last = window
    return { requests: window.requests, isl: last.isl, osl: last.osl }
  })
}
