import type { ConfigIssue } from '../errors.js'

export type ConfigPath = readonly (string | number)[]

/** A mistake before it is placed in a text. `at` says whether the key or its value is wrong. */
export interface Finding {
  readonly code: string
  readonly path: ConfigPath
  readonly message: string
  readonly hint?: string | undefined
  readonly at?: 'key' | 'value'
}

/** `search_space.router_mode.0` */
export function formatPath(path: ConfigPath): string {
  return path.map((part) => (typeof part === 'string' ? printable(part) : String(part))).join('.')
}

/** Text safe to print on one line: control characters escaped, long texts cut. */
export function printable(text: string, longest = 60): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return JSON.stringify(cut).slice(1, -1).replaceAll('\\"', '"').replace(UNPRINTABLE, escapeCharacter)
}

/** Delete, C1 controls, bidirectional marks and line separators, which JSON leaves as they are. */
const UNPRINTABLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The finding as an issue of a document without text. */
export function unplaced(finding: Finding, file?: string): ConfigIssue {
  return {
    code: finding.code,
    message: finding.message,
    location: { ...(file === undefined ? {} : { file }), path: formatPath(finding.path) },
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
  }
}
