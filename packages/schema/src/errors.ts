/** Where in a user's file a mistake stands. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  /** Path of keys inside the document, e.g. `search_space.gpu_budget`. */
  readonly path?: string
}

export interface SpicaErrorOptions {
  /** What the user can do about it, one sentence. */
  readonly hint?: string
  readonly location?: SourceLocation
  /** Numbers and names behind the message; JSON only. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * Exit-code class of an error: `input` = the user's config, trace or flags (exit 2), `environment` = disk, broker,
 * database, versions (exit 3), `empty` = the run worked but nothing is feasible (exit 1), `internal` = our defect (exit 3).
 */
export type SpicaErrorKind = 'input' | 'environment' | 'empty' | 'internal'

/**
 * The one error class of all `@spica/*` packages. `code` is a kebab-case literal that machines and tests match on;
 * `message` is for people. Infeasible or failed evaluations are values, never this.
 */
export class SpicaError extends Error {
  override readonly name: string = 'SpicaError'
  readonly code: string
  readonly kind: SpicaErrorKind
  readonly hint: string | undefined
  readonly location: SourceLocation | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(kind: SpicaErrorKind, code: string, message: string, options: SpicaErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.code = code
    this.hint = options.hint
    this.location = options.location
    this.details = options.details
  }
}

/** One mistake in a user's config file or trace; many are reported at once. */
export interface ConfigIssue {
  readonly code: string
  readonly message: string
  readonly location: SourceLocation
  readonly hint?: string
}

/** All mistakes of one document. `kind` is always `input`. */
export class SpicaConfigError extends SpicaError {
  override readonly name: string = 'SpicaConfigError'
  readonly issues: readonly ConfigIssue[]

  constructor(issues: readonly ConfigIssue[]) {
    super('input', 'invalid-config', issues.map(formatIssue).join('\n'))
    this.issues = issues
  }
}

/** `file:line:col path: message (hint)`, leaving out what is not known. */
export function formatIssue(issue: ConfigIssue): string {
  const { file, line, column, path } = issue.location
  const position = [file, line, column].filter((part) => part !== undefined).join(':')
  const head = [position, path].filter((part) => part !== undefined && part !== '').join(' ')
  const hint = issue.hint === undefined ? '' : ` (${issue.hint})`
  return `${head === '' ? '' : `${head}: `}${issue.message}${hint}`
}
