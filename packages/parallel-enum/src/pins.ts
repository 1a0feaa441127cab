import type { ConfigIssue, DeploymentMode, ParallelConfig, ReplicatedShape } from '@spica/schema/core'

/** Fields of a pinned shape, as users write them. `tp` is required, the others default to 1. */
const FIELDS = ['tp', 'pp', 'attention_dp', 'moe_tp', 'moe_ep', 'replicas'] as const
type Field = (typeof FIELDS)[number]

/** Spellings that people bring along from engine flags. */
const LIKELY_MEANT: Readonly<Record<string, Field>> = {
  dp: 'attention_dp',
  attention_dp_size: 'attention_dp',
  data_parallel_size: 'attention_dp',
  dp_size: 'attention_dp',
  ep: 'moe_ep',
  ep_size: 'moe_ep',
  moe_ep_size: 'moe_ep',
  moe_tp_size: 'moe_tp',
  pp_size: 'pp',
  replica: 'replicas',
  num_workers: 'replicas',
  workers: 'replicas',
  tensor_parallel_size: 'tp',
  tp_size: 'tp',
}

export interface ParsedPins {
  /** One per entry without issues, in order. */
  readonly configs: readonly ParallelConfig[]
  readonly issues: readonly ConfigIssue[]
}

/**
 * Reads the entries of `parallel_configs`: a shape (`{tp: 4, replicas: 2}`) for aggregated mode, `{prefill: shape,
 * decode: shape}` for disaggregated mode. Every mistake is an issue whose path starts with `path`.
 */
export function parsePins(
  mode: DeploymentMode,
  entries: readonly unknown[],
  path = 'search_space.parallel_configs',
): ParsedPins {
  const issues: ConfigIssue[] = []
  const configs: ParallelConfig[] = []
  entries.forEach((entry, i) => {
    const before = issues.length
    const config = parseEntry(mode, entry, `${path}[${i}]`, issues)
    if (config !== null && issues.length === before) configs.push(config)
  })
  return { configs, issues }
}

/** One shape as users write it, all degrees spelt out; pp is always 1. */
export interface WrittenShape {
  readonly tp: number
  readonly attention_dp: number
  readonly moe_tp: number
  readonly moe_ep: number
  readonly replicas: number
}

/** A configuration as an entry of `parallel_configs`; `parsePins` reads it back. Also the form of JSON output. */
export function pinOf(config: ParallelConfig): WrittenShape | { prefill: WrittenShape; decode: WrittenShape } {
  if (config.mode === 'agg') return pinnedShape(config.agg)
  return { prefill: pinnedShape(config.prefill), decode: pinnedShape(config.decode) }
}

function pinnedShape({ tp, attentionDp, moeTp, moeEp, replicas }: ReplicatedShape): WrittenShape {
  return { tp, attention_dp: attentionDp, moe_tp: moeTp, moe_ep: moeEp, replicas }
}

function parseEntry(mode: DeploymentMode, entry: unknown, path: string, issues: ConfigIssue[]): ParallelConfig | null {
  if (mode === 'agg') {
    if (isRecord(entry) && ('prefill' in entry || 'decode' in entry)) {
      addIssue(issues, 'pin-of-other-mode', path, 'a prefill and decode pair needs deployment_mode [disagg]')
      return null
    }
    const agg = parseShape(entry, path, issues)
    return agg === null ? null : { mode, agg }
  }
  if (!isRecord(entry)) {
    addIssue(issues, 'invalid-pin', path, `expected {prefill: …, decode: …}, found ${describe(entry)}`)
    return null
  }
  if (!('prefill' in entry) && !('decode' in entry)) {
    const hint = 'write {prefill: {tp: …}, decode: {tp: …}}'
    addIssue(issues, 'pin-of-other-mode', path, 'a disaggregated configuration has a prefill and a decode shape', hint)
    return null
  }
  for (const key of Object.keys(entry)) {
    if (key === 'prefill' || key === 'decode') continue
    addIssue(issues, 'unknown-key', `${path}.${key}`, `unknown key ${key}`, 'the keys here are prefill and decode')
  }
  const readRole = (role: 'prefill' | 'decode'): ReplicatedShape | null => {
    if (role in entry) return parseShape(entry[role], `${path}.${role}`, issues)
    addIssue(issues, 'missing-key', `${path}.${role}`, `${role} is missing`)
    return null
  }
  const prefill = readRole('prefill')
  const decode = readRole('decode')
  return prefill === null || decode === null ? null : { mode, prefill, decode }
}

/** Reads one shape; null when it is not a mapping. Mistakes go to `issues`. */
export function parseShape(entry: unknown, path: string, issues: ConfigIssue[]): ReplicatedShape | null {
  if (!isRecord(entry)) {
    addIssue(issues, 'invalid-pin', path, `expected a mapping such as {tp: 4, replicas: 2}, found ${describe(entry)}`)
    return null
  }
  for (const key of Object.keys(entry)) {
    if (FIELDS.includes(key as Field)) continue
    const meant = Object.hasOwn(LIKELY_MEANT, key) ? LIKELY_MEANT[key] : undefined
    const hint = meant === undefined ? `known keys: ${FIELDS.join(', ')}` : `did you mean ${meant}?`
    addIssue(issues, 'unknown-key', `${path}.${key}`, `unknown key ${key}`, hint)
  }
  if (!('tp' in entry)) addIssue(issues, 'missing-key', `${path}.tp`, 'tp is missing')
  const read = (field: Field): number => {
    const value = entry[field]
    if (!(field in entry)) return 1
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
      addIssue(
        issues,
        'invalid-value',
        `${path}.${field}`,
        `expected an integer of at least 1, found ${describe(value)}`,
      )
      return 1
    }
    return value
  }
  const shape = {
    tp: read('tp'),
    attentionDp: read('attention_dp'),
    moeTp: read('moe_tp'),
    moeEp: read('moe_ep'),
    replicas: read('replicas'),
  }
  if (read('pp') !== 1) {
    addIssue(
      issues,
      'invalid-value',
      `${path}.pp`,
      `pp is ${entry['pp']}; pipeline parallelism is not supported, only 1 is`,
    )
  }
  return shape
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  return typeof value === 'string' ? `text ${JSON.stringify(value)}` : String(value)
}

function addIssue(issues: ConfigIssue[], code: string, path: string, message: string, hint?: string): void {
  issues.push({ code, message, location: { path }, ...(hint === undefined ? {} : { hint }) })
}
