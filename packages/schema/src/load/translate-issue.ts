import type { z } from 'zod'
import { closestMatch } from './closest-match.js'
import { describeValue } from './describe-value.js'
import type { ConfigPath, Finding } from './finding.js'
import { unknownKey } from './unknown-key.js'

type Issue = z.core.$ZodIssue

/**
 * Findings behind one zod issue about `root`, whose path in the document is `base`. Unions are narrowed to the branch
 * the user evidently meant.
 */
export function translateIssue(issue: Issue, root: unknown, base: ConfigPath): Finding[] {
  const relative = issue.path as (string | number)[]
  const path = [...base, ...relative]
  const value = valueAt(root, relative)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key]))
    case 'invalid_type':
      return [typeFinding(issue.expected, value, path)]
    case 'invalid_value':
      return [menuFinding(issue.values.map(String), value, path)]
    case 'too_small':
      return [boundFinding(issue.origin, Number(issue.minimum), issue.inclusive !== false, 'least', value, path)]
    case 'too_big':
      return [boundFinding(issue.origin, Number(issue.maximum), issue.inclusive !== false, 'most', value, path)]
    case 'invalid_format':
      return [
        { code: 'invalid-text', path, message: `must be one line of text and not blank, not ${describeValue(value)}` },
      ]
    case 'invalid_union':
      return unionFindings(issue, value, path)
    default:
      return [{ code: 'invalid-value', path, message: `is not valid: ${describeValue(value)}` }]
  }
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
}

function typeFinding(expected: string, value: unknown, path: ConfigPath): Finding {
  if (value === undefined) return { code: 'missing', path, message: 'is required' }
  const number = typeof value === 'number'
  const infinite = number && !Number.isFinite(value)
  const wanted = infinite ? 'a finite number' : (EXPECTED[expected] ?? expected)
  return {
    code: 'wrong-type',
    path,
    message: `must be ${wanted}, not ${describeValue(value)}`,
    hint: typeHint(expected, value),
  }
}

function typeHint(expected: string, value: unknown): string | undefined {
  if (value === null) return 'leave the line out to take the default'
  const numeric = expected === 'int' || expected === 'number'
  if (numeric && typeof value === 'string') {
    const plain = value.trim().replaceAll(/[_,](?=\d)/g, '')
    if (/^[-+]?\d+(\.\d+)?$/.test(plain) && plain.length <= 20) return `write ${plain}, without quotes`
  }
  if (expected === 'boolean') {
    const word = String(value).toLowerCase()
    if (['true', 'yes', 'on', '1'].includes(word)) return 'write true'
    if (['false', 'no', 'off', '0'].includes(word)) return 'write false'
  }
  if (expected === 'array' && (typeof value === 'string' || typeof value === 'number')) {
    return String(value).length > 40 ? 'put it in brackets: […]' : `write [${String(value)}]`
  }
  return expected === 'string' && typeof value === 'number' ? `write "${value}"` : undefined
}

function menuFinding(menu: readonly string[], value: unknown, path: ConfigPath): Finding {
  if (value === undefined) return { code: 'missing', path, message: 'is required' }
  const near = typeof value === 'string' ? closestMatch(value, menu) : undefined
  const list = menu.length === 1 ? String(menu[0]) : `one of ${menu.join(', ')}`
  return {
    code: 'not-on-menu',
    path,
    message: `must be ${list}, not ${describeValue(value)}`,
    hint: near === undefined ? undefined : near === value ? `write ${near}, without quotes` : `did you mean ${near}?`,
  }
}

function boundFinding(
  origin: string,
  bound: number,
  inclusive: boolean,
  side: 'least' | 'most',
  value: unknown,
  path: ConfigPath,
): Finding {
  const code = 'out-of-range'
  if (origin === 'string') {
    return { code, path, message: side === 'least' ? 'must not be empty' : `must have at most ${bound} characters` }
  }
  if (origin === 'array' || origin === 'tuple') {
    const message = side === 'least' && bound === 1 ? 'must not be empty' : `must have at ${side} ${bound} entries`
    return { code, path, message }
  }
  const strict = side === 'least' ? 'above' : 'below'
  const relation = inclusive ? `at ${side}` : strict
  return { code, path, message: `must be ${relation} ${bound}, not ${describeValue(value)}` }
}

function unionFindings(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown, path: ConfigPath): Finding[] {
  const branches = issue.errors as Issue[][]
  const inner = (branch: readonly Issue[]) => branch.flatMap((entry) => translateIssue(entry, value, path))
  if (value === undefined) return [{ code: 'missing', path, message: 'is required' }]
  const fitting = branches.filter((branch) => !branch.some((entry) => entry.path.length === 0 && isShape(entry, value)))
  if (fitting.length > 0) return inner(fitting.reduce((best, branch) => (branch.length < best.length ? branch : best)))
  return [
    {
      code: 'wrong-type',
      path,
      message: `must be ${[...new Set(branches.map(shapeName))].join(' or ')}, not ${describeValue(value)}`,
    },
  ]
}

/** True when the issue says that the value is of another kind altogether. */
function isShape(issue: Issue, value: unknown): boolean {
  if (issue.code === 'invalid_type') return typeof value !== 'number' || issue.expected !== 'number'
  return issue.code === 'invalid_value' && typeof value !== 'string'
}

function shapeName(branch: readonly Issue[]): string {
  const first = branch.find((entry) => entry.path.length === 0)
  if (first?.code === 'invalid_type') return EXPECTED[first.expected] ?? first.expected
  if (first?.code === 'invalid_value') return `one of ${first.values.map(String).join(', ')}`
  return 'another value'
}
