import type { ConfigIssue } from '@spica/schema'
import { closestName } from './closest-name.js'

/** What a JSON field may hold. Bounds are inclusive but for `above`. */
export type FieldRule =
  | {
      readonly kind: 'integer' | 'number'
      readonly min?: number
      readonly max?: number
      readonly above?: number
      readonly nullable?: boolean
    }
  | { readonly kind: 'boolean' | 'string' | 'rates'; readonly nullable?: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly nullable?: boolean }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, FieldRule>>; readonly nullable?: boolean }

export function oneOf(choices: readonly string[]): FieldRule {
  return { kind: 'choice', choices }
}

/** Checks every field of a JSON object and returns those that hold a value; mistakes are appended to `issues`. */
export function checkObject(
  json: unknown,
  rules: Readonly<Record<string, FieldRule>>,
  prefix: string,
  origin: string,
  issues: ConfigIssue[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    issues.push({ code: 'not-an-object', message: 'must be a JSON object', location: at(origin, prefix) })
    return result
  }
  for (const [key, value] of Object.entries(json)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    if (rule === undefined) {
      const close = closestName(key, Object.keys(rules))
      issues.push({
        code: 'unknown-key',
        message: `unknown key "${key}"`,
        location: at(origin, path),
        ...(close === undefined ? {} : { hint: `did you mean ${close}?` }),
      })
    } else if (rule.kind === 'object' && value !== null) {
      result[key] = checkObject(value, rule.fields, path, origin, issues)
    } else {
      const problem = problemOf(value, rule)
      if (problem !== null) issues.push({ code: 'invalid-value', message: problem, location: at(origin, path) })
      else if (value !== null || keepsNull(key)) result[key] = value
    }
  }
  return result
}

/** Null is a meaning of its own for the two batching limits: no limit. */
function keepsNull(key: string): boolean {
  return key === 'max_num_batched_tokens' || key === 'max_num_seqs'
}

function at(origin: string, path: string): ConfigIssue['location'] {
  return path === '' ? { file: origin } : { file: origin, path }
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text === undefined ? String(value) : text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function problemOf(value: unknown, rule: FieldRule): string | null {
  if (value === null) return rule.nullable === true ? null : 'must not be null'
  switch (rule.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? null : `must be true or false, not ${show(value)}`
    case 'string':
      return typeof value === 'string' ? null : `must be text, not ${show(value)}`
    case 'choice':
      return rule.choices.includes(value as string) ? null : `must be ${rule.choices.join(' or ')}, not ${show(value)}`
    case 'rates':
      return isRates(value) ? null : `must be acceptance rates between 0 and 1, not ${show(value)}`
    case 'object':
      return null
    default:
      return numberProblem(value, rule)
  }
}

function isRates(value: unknown): boolean {
  const list: unknown[] =
    typeof value === 'string'
      ? value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
      : Array.isArray(value)
        ? value
        : []
  return list.length > 0 && list.every((rate) => typeof rate === 'number' && rate >= 0 && rate <= 1)
}

function numberProblem(value: unknown, rule: Extract<FieldRule, { kind: 'integer' | 'number' }>): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `must be a finite number, not ${show(value)}`
  if (rule.kind === 'integer' && !Number.isSafeInteger(value)) return `must be a whole number, not ${show(value)}`
  if (rule.above !== undefined && value <= rule.above) return `must be above ${rule.above}, not ${show(value)}`
  if (rule.min !== undefined && value < rule.min) return `must be at least ${rule.min}, not ${show(value)}`
  if (rule.max !== undefined && value > rule.max) return `must be at most ${rule.max}, not ${show(value)}`
  return null
}
