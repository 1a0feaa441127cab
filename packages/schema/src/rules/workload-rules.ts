import type { WorkloadConfig } from '../config/workload.js'
import type { Draft, RuleReport } from './draft.js'

type Field = keyof WorkloadConfig & string

const LOADS = ['request_rate', 'concurrency', 'kv_load_ratio'] as const
const SYNTHETIC_ONLY: readonly Field[] = ['isl', 'osl', ...LOADS, 'num_request_ratio']
const REQUIRED: readonly Field[] = ['isl', 'osl', 'num_request_ratio']
/** Requests one replay may have. */
const MOST_REQUESTS = 10_000_000

/** Trace or synthetic, and for synthetic traffic exactly one load. */
export function workloadRules(draft: Draft, report: RuleReport): void {
  if (!draft.hasSection('workload')) return
  const trace = draft.read('workload', 'trace_path')
  if (trace === undefined) return
  if (trace !== null) traceRules(draft, report)
  else syntheticRules(draft, report)
}

function isSet(draft: Draft, field: Field): boolean {
  const value = draft.read('workload', field)
  return value === undefined ? draft.has('workload', field) : value !== null
}

function traceRules(draft: Draft, report: RuleReport): void {
  for (const field of SYNTHETIC_ONLY) {
    if (!isSet(draft, field)) continue
    report.problem(['workload', field], 'trace-with-synthetic', 'is for synthetic traffic; not allowed with trace_path')
  }
  const ignored = ['shared_prefix_ratio', 'num_prefix_groups', 'turns_per_session', 'inter_turn_delay_ms'] as const
  for (const field of ignored) {
    if (draft.has('workload', field)) {
      report.warning(['workload', field], 'no-effect', 'is for synthetic traffic; it has no effect on a trace')
    }
  }
}

function syntheticRules(draft: Draft, report: RuleReport): void {
  for (const field of REQUIRED) {
    if (isSet(draft, field)) continue
    const hint = 'for recorded traffic give trace_path instead'
    report.problem(['workload', field], 'missing', 'is required for synthetic traffic', hint)
  }
  if (isSet(draft, 'replay_concurrency')) {
    const hint = 'use concurrency'
    report.problem(['workload', 'replay_concurrency'], 'trace-only', 'needs trace_path', hint)
  }
  for (const field of ['arrival_speedup_ratio', 'trace_format'] as const) {
    if (draft.has('workload', field))
      report.warning(['workload', field], 'no-effect', 'has no effect without trace_path')
  }
  oneLoad(draft, report)
  kvLoadRange(draft, report)
  requestCount(draft, report)
  prefixGroups(draft, report)
}

function oneLoad(draft: Draft, report: RuleReport): void {
  const given = LOADS.filter((field) => isSet(draft, field))
  if (given.length > 1) {
    const message = `only one of ${LOADS.join(', ')} may be given, not ${given.join(' and ')}`
    for (const field of given) report.problem(['workload', field], 'several-loads', message)
  }
  const target = draft.read('goal', 'target')
  if (given.length === 0 && target !== 'pareto' && target !== undefined) {
    const hint = 'under a pareto goal kv_load_ratio defaults to [0, 1]'
    report.problem(['workload'], 'no-load', `needs one of ${LOADS.join(', ')}`, hint)
  }
}

function kvLoadRange(draft: Draft, report: RuleReport): void {
  const ratio = draft.read('workload', 'kv_load_ratio')
  if (typeof ratio !== 'object' || ratio === null) return
  const path = ['workload', 'kv_load_ratio']
  if (ratio[0] >= ratio[1]) {
    report.problem(path, 'empty-range', `must be [min, max] with min below max, not [${ratio[0]}, ${ratio[1]}]`)
  }
  const target = draft.read('goal', 'target')
  if (target === undefined || target === 'pareto') return
  report.problem(
    path,
    'range-needs-pareto',
    `may be a range only under a pareto goal, not ${target}`,
    'give one number, or set goal.target: pareto',
  )
}

function requestCount(draft: Draft, report: RuleReport): void {
  const ratio = draft.read('workload', 'num_request_ratio')
  const load = draft.read('workload', 'concurrency') ?? draft.read('workload', 'request_rate')
  if (typeof ratio !== 'number' || typeof load !== 'number' || ratio * load <= MOST_REQUESTS) return
  const message = `asks for ${ratio * load} requests; a replay takes at most ${MOST_REQUESTS}`
  report.problem(['workload', 'num_request_ratio'], 'too-many-requests', message)
}

function prefixGroups(draft: Draft, report: RuleReport): void {
  const share = draft.read('workload', 'shared_prefix_ratio')
  if (share === undefined || share === 0 || draft.read('workload', 'num_prefix_groups') !== 0) return
  const message = 'has no effect while num_prefix_groups is 0'
  report.warning(['workload', 'shared_prefix_ratio'], 'no-effect', message)
}
