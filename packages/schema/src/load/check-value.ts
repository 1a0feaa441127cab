import type { z } from 'zod'
import { knownKeys } from '../config/known-keys.js'
import { REQUIRED_SECTIONS, SECTION_SCHEMAS, type SectionName } from '../config/sections.js'
import type { SpicaConfig } from '../config/spica-config.js'
import { CONFIG_RULES } from '../rules/config-rules.js'
import { Draft, type Entry } from '../rules/draft.js'
import { describeValue } from './describe-value.js'
import type { Finding } from './finding.js'
import { translateIssue } from './translate-issue.js'
import { unknownKey } from './unknown-key.js'

export interface CheckedValue {
  /** Present when there are no problems. */
  readonly config: SpicaConfig | undefined
  /** Fields that were written, as `section.field`. */
  readonly given: readonly string[]
  readonly problems: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** Checks plain data against fields and rules, field by field, so that every mistake is found in one go. */
export function checkValue(value: unknown): CheckedValue {
  if (!isMapping(value)) {
    const message = `the document must be a mapping with search_space and workload, not ${describeValue(value)}`
    return { config: undefined, problems: [{ code: 'wrong-type', path: [], message }], warnings: [], given: [] }
  }
  const problems: Finding[] = []
  const warnings: Finding[] = []
  const sections = new Set<string>(knownKeys([]))
  for (const key of Object.keys(value)) if (!sections.has(key)) problems.push(unknownKey([key]))
  const values = {} as Record<SectionName, Map<string, unknown>>
  const given = {} as Record<SectionName, Set<string>>
  const entries = {} as Record<SectionName, Map<string, readonly Entry[]>>
  for (const name of Object.keys(SECTION_SCHEMAS) as SectionName[]) {
    const section = Object.hasOwn(value, name) ? value[name] : undefined
    entries[name] = new Map()
    values[name] = checkSection(name, section, problems, entries[name])
    given[name] = new Set(isMapping(section) ? Object.keys(section) : [])
  }
  const draft = new Draft(values, given, entries)
  for (const rule of CONFIG_RULES) {
    rule(draft, {
      problem: (path, code, message, hint) => problems.push({ path, code, message, hint }),
      warning: (path, code, message, hint) => warnings.push({ path, code, message, hint }),
    })
  }
  const written = Object.entries(given).flatMap(([name, fields]) => [...fields].map((field) => `${name}.${field}`))
  return { config: problems.length === 0 ? assemble(values) : undefined, problems, warnings, given: written }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Usable fields of a section, defaults filled in; empty when the section is no mapping. */
function checkSection(
  name: SectionName,
  section: unknown,
  problems: Finding[],
  entries: Map<string, readonly Entry[]>,
): Map<string, unknown> {
  const usable = new Map<string, unknown>()
  if (section === undefined && REQUIRED_SECTIONS.includes(name)) {
    problems.push({ code: 'missing', path: [name], message: 'is required' })
    return usable
  }
  if (section !== undefined && !isMapping(section)) {
    const hint = section === null ? 'leave the section out to take its defaults' : undefined
    const message = `must be a mapping, not ${describeValue(section)}`
    problems.push({
      code: 'wrong-type',
      path: [name],
      message,
      hint: REQUIRED_SECTIONS.includes(name) ? undefined : hint,
    })
    return usable
  }
  const mapping = section ?? {}
  const shape = SECTION_SCHEMAS[name].shape as Readonly<Record<string, z.ZodType>>
  for (const key of Object.keys(mapping)) {
    if (!Object.hasOwn(shape, key)) problems.push(unknownKey([name, key]))
  }
  for (const [field, schema] of Object.entries(shape)) {
    const raw = Object.hasOwn(mapping, field) ? mapping[field] : undefined
    const result = schema.safeParse(raw)
    if (result.success) {
      usable.set(field, result.data)
      continue
    }
    problems.push(...tightest(result.error.issues.flatMap((issue) => translateIssue(issue, raw, [name, field]))))
    if (Array.isArray(raw)) entries.set(field, usableEntries(schema, raw))
  }
  return usable
}

/** One finding per place and code: of several broken bounds the last, which is ours. */
function tightest(findings: readonly Finding[]): Iterable<Finding> {
  return new Map(findings.map((finding) => [`${finding.code} ${JSON.stringify(finding.path)}`, finding])).values()
}

/** Entries that would pass alone. */
function usableEntries(schema: z.ZodType, list: readonly unknown[]): Entry[] {
  return [...list.entries()].flatMap(([index, item]): Entry[] => {
    const alone = schema.safeParse([item])
    return alone.success && Array.isArray(alone.data) ? [[index, alone.data[0]]] : []
  })
}

function assemble(values: Readonly<Record<SectionName, ReadonlyMap<string, unknown>>>): SpicaConfig {
  const entries = Object.entries(values).map(([name, fields]) => [name, Object.fromEntries(fields)])
  return deepFreeze(defaultLoad(Object.fromEntries(entries) as SpicaConfig))
}

/** A front over synthetic traffic without a load searches the whole KV capacity. */
function defaultLoad(config: SpicaConfig): SpicaConfig {
  const { workload, goal } = config
  const loads = [workload.request_rate, workload.concurrency, workload.kv_load_ratio]
  if (goal.target !== 'pareto' || workload.trace_path !== null || loads.some((load) => load !== null)) return config
  return { ...config, workload: { ...workload, kv_load_ratio: [0, 1] } }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
