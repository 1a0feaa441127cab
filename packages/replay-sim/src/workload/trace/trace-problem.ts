import { SpicaError } from '@spica/schema'

/** `error`: the file does not load; `warning`: it loads after a repair that changes what is replayed or may be a mistake; `info`: a harmless departure. */
export type TraceSeverity = 'error' | 'warning' | 'info'

/** One departure of a trace from plain Mooncake JSONL. */
export interface TraceProblem {
  /** Line in the file, from 1. */
  readonly line: number
  /** Column in bytes from 1, where known. */
  readonly column?: number
  /** Kebab-case literal, e.g. `missing-timestamp`. */
  readonly code: string
  readonly severity: TraceSeverity
  readonly message: string
  /** What to do, or what was done about it. */
  readonly hint?: string
  /** Number of further lines with the same code that are not listed one by one. */
  readonly more?: number
}

/** Problems listed one by one for each code; the rest is counted. */
const LISTED_PER_CODE = 100

/** Collects problems in file order with bounded memory. */
export class TraceProblemList {
  private readonly listed: TraceProblem[] = []
  private readonly counts: Map<string, number> = new Map()
  /** Number of errors, listed or not. */
  errorCount: number = 0

  add(
    severity: TraceSeverity,
    line: number,
    code: string,
    message: string,
    extra?: { readonly column?: number; readonly hint?: string },
  ): void {
    if (severity === 'error') this.errorCount++
    const count = (this.counts.get(code) ?? 0) + 1
    this.counts.set(code, count)
    if (count <= LISTED_PER_CODE) this.listed.push({ line, code, severity, message, ...extra })
  }

  /** Counts a departure, but lists only its first line: for things that would repeat on every line. */
  addOnce(severity: TraceSeverity, line: number, code: string, key: string, message: string, hint?: string): void {
    const id = `${code} ${key}`
    const count = this.counts.get(id) ?? 0
    this.counts.set(id, count + 1)
    if (count === 0) this.add(severity, line, code, message, hint === undefined ? undefined : { hint })
  }

  /** All problems by line; the last listed one of an overlong code carries how many more there are. */
  toArray(): TraceProblem[] {
    const sorted = this.listed
      .map((problem, index) => ({ problem, index }))
      .sort((a, b) => a.problem.line - b.problem.line || a.index - b.index)
      .map((entry) => entry.problem)
    for (const [code, count] of this.counts) {
      if (count <= LISTED_PER_CODE || code.includes(' ')) continue
      const last = sorted.findLastIndex((problem) => problem.code === code)
      if (last >= 0) sorted[last] = { ...sorted[last]!, more: count - LISTED_PER_CODE }
    }
    return sorted
  }
}

/** `file:line:column code: message (hint)` */
export function formatTraceProblem(problem: TraceProblem, file?: string): string {
  const position = [file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`
  const more = problem.more === undefined ? '' : ` … and ${problem.more} more lines like it`
  return `${position} ${problem.code}: ${problem.message}${hint}${more}`
}

/** A trace that cannot be loaded; carries every problem found, with its lines. `code` is `invalid-trace`. */
export class SpicaTraceError extends SpicaError {
  override readonly name: string = 'SpicaTraceError'
  readonly problems: readonly TraceProblem[]

  constructor(problems: readonly TraceProblem[], file?: string) {
    const errors = problems.filter((problem) => problem.severity === 'error')
    const shown = errors.slice(0, 20).map((problem) => formatTraceProblem(problem, file))
    if (errors.length > shown.length) shown.push(`… and ${errors.length - shown.length} more errors`)
    const first = errors[0]
    super('input', 'invalid-trace', shown.join('\n'), {
      ...(first?.hint === undefined ? {} : { hint: first.hint }),
      location: { ...(file === undefined ? {} : { file }), ...(first === undefined ? {} : { line: first.line }) },
      details: { problems },
    })
    this.problems = problems
  }
}
