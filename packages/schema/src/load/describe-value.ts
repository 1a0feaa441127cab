import { printable } from './finding.js'

/** A value in a message, e.g. `the text "256"`, `true`, `a list`. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the text "${printable(value)}"`
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : String(value)
  if (typeof value === 'boolean') return String(value)
  if (value === undefined) return 'nothing'
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`
}
