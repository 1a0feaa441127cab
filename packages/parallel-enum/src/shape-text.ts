import type { ConfigIssue, ReplicatedShape } from '@spica/schema/core'
import { SpicaConfigError } from '@spica/schema/core'
import { parseShape } from './pins.js'

/**
 * Reads `tp=8,moe_ep=8,replicas=2`, the form of command lines; what is left out is 1, `tp` is required. Throws a
 * `SpicaConfigError` whose paths start with `path`.
 */
export function parseShapeText(text: string, path = 'shape'): ReplicatedShape {
  const issues: ConfigIssue[] = []
  const fields = new Map<string, number | string>()
  const complain = (message: string): void => {
    const hint = 'write degrees as tp=8,moe_ep=8'
    issues.push({ code: 'invalid-shape', message, location: { path }, hint })
  }
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
    if (name === undefined || value === undefined) complain(`cannot read ${JSON.stringify(part.trim())}`)
    else if (fields.has(name)) complain(`${name} is given twice`)
    else fields.set(name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)
  }
  if (issues.length > 0) throw new SpicaConfigError(issues)
  const shape = parseShape(Object.fromEntries(fields), path, issues)
  if (shape === null || issues.length > 0) throw new SpicaConfigError(issues)
  return shape
}
