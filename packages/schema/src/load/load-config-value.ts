import { checkValue } from './check-value.js'
import { describeValue } from './describe-value.js'
import { unplaced } from './finding.js'
import { type ConfigResult, refuse } from './parse-config-text.js'

/** `parseConfigText` for data that is already parsed; issues carry paths but no positions. Never throws. */
export function loadConfigValue(value: unknown): ConfigResult {
  let checked: ReturnType<typeof checkValue>
  try {
    checked = checkValue(value)
  } catch {
    const message = `cannot be read: ${describeValue(value)} with fields that fail when read`
    return refuse([unplaced({ code: 'unreadable', path: [], message })])
  }
  const warnings = checked.warnings.map((finding) => unplaced(finding))
  if (checked.config !== undefined) return { ok: true, config: checked.config, warnings, given: checked.given }
  return refuse(
    checked.problems.map((finding) => unplaced(finding)),
    warnings,
  )
}
