import type { Tally } from '../study/tally.js'

/** What a progress line shows. */
export interface ProgressState {
  readonly branch: string
  readonly round: number
  /** New feasible samples so far, and the most there can be. */
  readonly done: number
  readonly total: number
  readonly tally: Readonly<Tally>
  /** Best score or hypervolume with its unit; null before the first feasible sample. */
  readonly best: string | null
}

export interface Progress {
  update(state: ProgressState): void
  /** Prints a line without spoiling the bar. */
  note(text: string): void
  /** Leaves the last state standing. */
  end(): void
}

export interface ProgressOptions {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly quiet: boolean
  /** Milliseconds, monotonic. */
  readonly now: () => number
}

/** Shortest time between repaints of the bar, and between plain lines inside a round, ms. */
const REPAINT_MS = 100
const PLAIN_LINE_MS = 5000

/** A bar that repaints itself on a terminal; elsewhere a plain line a round, or every five seconds in long rounds. */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, quiet, now } = options
  const terminal = stream.isTTY === true
  const begun = now()
  let last = Number.NEGATIVE_INFINITY
  let painted = false
  let shown = ''
  let pending: ProgressState | null = null

  const clear = () => {
    if (painted) stream.write('\r\x1b[K')
    painted = false
  }
  const paint = (state: ProgressState) => {
    const line = progressLine(state, (now() - begun) / 1000, terminal ? (stream.columns ?? 100) : 160, terminal)
    last = now()
    pending = null
    if (terminal) {
      stream.write(`\r\x1b[K${line}`)
      painted = true
    } else stream.write(`${line}\n`)
  }
  return {
    update(state) {
      if (quiet) return
      const label = `${state.branch} ${state.round}`
      const due = now() - last >= (terminal ? REPAINT_MS : PLAIN_LINE_MS)
      if (due || (!terminal && label !== shown)) {
        shown = label
        paint(state)
      } else pending = state
    },
    note(text) {
      clear()
      stream.write(`${text}\n`)
    },
    end() {
      if (quiet) return
      if (pending !== null) paint(pending)
      if (painted) stream.write('\n')
      painted = false
    },
  }
}

/** One line of at most `width` characters. */
export function progressLine(state: ProgressState, seconds: number, width: number, bar: boolean): string {
  const { tally } = state
  const share = state.total === 0 ? 1 : Math.min(1, state.done / state.total)
  const filled = Math.round(share * 20)
  const parts = [
    `${bar ? `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ` : ''}${state.done}/${state.total}`,
    `${state.branch} round ${state.round}`,
    counts(tally),
    state.best === null ? 'no feasible sample yet' : `best ${state.best}`,
    `${seconds.toFixed(0)} s`,
  ]
  const line = parts.join(' | ')
  return line.length > width - 1 ? line.slice(0, Math.max(0, width - 1)) : line
}

/** `12 feasible, 3 infeasible, 1 failed`; kinds that did not occur are left out, but for the first. */
export function counts(tally: Readonly<Tally>): string {
  const kinds: [string, number][] = [
    ['infeasible', tally.infeasible],
    ['failed', tally.failed],
    ['timed out', tally.timed_out],
    ['unsupported', tally.unsupported],
    ['repeated', tally.cache_hit],
  ]
  const others = kinds.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`)
  return [`${tally.feasible} feasible`, ...others].join(', ')
}
