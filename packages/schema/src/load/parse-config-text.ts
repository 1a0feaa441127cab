import { type ErrorCode, LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { SpicaConfig } from '../config/spica-config.js'
import type { ConfigIssue } from '../errors.js'
import { checkValue } from './check-value.js'
import { exceededLimit, MAX_CONFIG_BYTES, type OffsetFinding } from './document-limits.js'
import { type Finding, printable, unplaced } from './finding.js'
import { readYamlTree, type YamlTree } from './yaml-tree.js'

export interface ParseConfigOptions {
  /** Name of the file, shown in front of line and column. */
  readonly file?: string
}

/** A usable config with what is worth telling about it, or every mistake found. */
export type ConfigResult =
  | {
      readonly ok: true
      readonly config: SpicaConfig
      readonly warnings: readonly ConfigIssue[]
      /** Fields the user wrote, e.g. `search_space.backend`; all others hold their defaults. */
      readonly given: readonly string[]
    }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[]; readonly warnings: readonly ConfigIssue[] }

const MOST_ISSUES = 100
const MOST_SYNTAX_ISSUES = 5

/**
 * Reads a config from YAML (or JSON) text. Every mistake is reported at once, each with line and column, in the order
 * of the text; after 100 the rest is only counted. Never throws for bad input; a text above 1 MiB is refused unread.
 */
export function parseConfigText(text: string, options: ParseConfigOptions = {}): ConfigResult {
  if (text.length > MAX_CONFIG_BYTES) return refusedBySize(text.length, options)
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = new LineCounter()
  const place = placer(lines, source, options.file)
  const early = unreadable(source)
  if (early !== undefined) {
    for (let at = source.indexOf('\n'); at >= 0 && at < early.offset; at = source.indexOf('\n', at + 1)) {
      lines.addNewLine(at + 1)
    }
    return refuse([place(early, early.offset)])
  }
  const document = parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    schema: 'core',
    resolveKnownTags: false,
    logLevel: 'error',
  })
  if (document.errors.length > 0) {
    return refuse(document.errors.slice(0, MOST_SYNTAX_ISSUES).map((error) => syntaxIssue(error, place)))
  }
  if (document.contents === null) {
    return refuse([place({ code: 'empty-document', path: [], message: 'the document is empty', hint: STARTER }, 0)])
  }
  return check(readYamlTree(document), place)
}

const STARTER = 'it needs at least search_space and workload'

type Place = (finding: Finding, offset: number) => ConfigIssue

function placer(lines: LineCounter, source: string, file: string | undefined): Place {
  return (finding, offset) => {
    const issue = unplaced(finding, file)
    const { line, col } = lines.linePos(Math.max(0, Math.min(offset, source.length)))
    return { ...issue, location: { ...issue.location, line: Math.max(1, line), column: Math.max(1, col) } }
  }
}

function check(tree: YamlTree, place: Place): ConfigResult {
  const located = (finding: Finding) => place(finding, tree.offsetOf(finding.path, finding.at ?? 'value'))
  const checked = tree.problems.some(({ code }) => code === 'too-large' || code === 'too-deep')
    ? undefined
    : checkValue(tree.value)
  const warnings = inTextOrder((checked?.warnings ?? []).map(located))
  const issues = inTextOrder([
    ...tree.problems.map((problem) => place(problem, problem.offset)),
    ...(checked?.problems ?? []).map(located),
  ])
  if (checked?.config !== undefined && issues.length === 0) {
    return { ok: true, config: checked.config, warnings, given: checked.given }
  }
  return refuse(issues, warnings)
}

/** Characters that no YAML text holds, and texts too large or too deep to be a config. */
function unreadable(source: string): OffsetFinding | undefined {
  const control = UNREADABLE.exec(source)
  if (control === null) return exceededLimit(source)
  const hint = control[0] === '\0' ? 'is it UTF-16 or a binary file? Save it as UTF-8' : undefined
  const message = `the document holds a control character (${printable(control[0])})`
  return { code: 'control-character', path: [], message, hint, offset: control.index }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const UNREADABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

function syntaxIssue(error: YAMLError, place: Place): ConfigIssue {
  if (STACK_EXHAUSTED.test(error.message)) {
    return place({ code: 'too-deep', path: [], message: 'the document is nested too deep' }, error.pos[0])
  }
  const message = SYNTAX_MESSAGES[error.code] ?? printable(error.message, 200)
  return place({ code: 'yaml-syntax', path: [], message }, error.pos[0])
}

/** How the parser reports collections nested deeper than the call stack. */
const STACK_EXHAUSTED = /call stack|recursion/i

const SYNTAX_MESSAGES: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'the file holds more than one YAML document; a config is one',
  TAB_AS_INDENT: 'is indented with a tab; use spaces',
}

function inTextOrder(issues: readonly ConfigIssue[]): ConfigIssue[] {
  const position = ({ location }: ConfigIssue) => [location.line ?? 0, location.column ?? 0] as const
  return issues.toSorted((a, b) => {
    const [first, second] = [position(a), position(b)]
    return first[0] - second[0] || first[1] - second[1]
  })
}

function refusedBySize(size: number, { file }: ParseConfigOptions): ConfigResult {
  return refuse([sizeIssue(size, file)])
}

/** The issue for a file above the size limit. */
export function sizeIssue(bytes: number, file: string | undefined): ConfigIssue {
  const message = `the file is too large for a config: ${(bytes / 1_048_576).toFixed(1)} MiB, at most ${MAX_CONFIG_BYTES / 1_048_576} MiB`
  const issue = unplaced({ code: 'too-large', path: [], message, hint: 'traces go into a file of their own' }, file)
  return { ...issue, location: { ...issue.location, line: 1, column: 1 } }
}

export function refuse(issues: readonly ConfigIssue[], warnings: readonly ConfigIssue[] = []): ConfigResult {
  if (issues.length <= MOST_ISSUES) return { ok: false, issues, warnings }
  const rest = issues.length - MOST_ISSUES
  const last = issues[MOST_ISSUES - 1]!
  const message = `and ${rest} more mistakes`
  const tail: ConfigIssue = { code: 'more-issues', message, location: { ...last.location, path: '' } }
  return { ok: false, issues: [...issues.slice(0, MOST_ISSUES), tail], warnings }
}
