import { needsSla } from '../config/goal.js'
import type { SearchSpaceConfig } from '../config/search-space.js'
import { scalesWorkers } from '../presets/scaling-policies.js'
import { filterScalingPolicies, type PolicyDropReason } from '../sample/scaling-policy-filter.js'
import type { Draft, RuleReport } from './draft.js'

type Field = keyof SearchSpaceConfig & string

/** Tells of fields the user wrote that the rest of the config switches off. */
export function inactiveRules(draft: Draft, report: RuleReport): void {
  const idle = (fields: readonly Field[], why: string) => {
    for (const field of fields) {
      if (draft.has('search_space', field)) report.warning(['search_space', field], 'no-effect', `has no effect ${why}`)
    }
  }
  const modes = draft.read('search_space', 'deployment_mode')
  if (modes !== undefined && !modes.includes('agg')) idle(roleFields('agg'), 'without agg in deployment_mode')
  if (modes !== undefined && !modes.includes('disagg')) {
    idle([...roleFields('prefill'), ...roleFields('decode')], 'without disagg in deployment_mode')
  }
  const routers = draft.read('search_space', 'router_mode')
  const offloads = draft.read('search_space', 'num_g2_blocks') !== 0
  if (routers !== undefined && !routers.includes('kv_router')) {
    idle([...ROUTER_FIELDS, ...HOST_FIELDS], 'without kv_router in router_mode')
  } else if (!offloads) {
    idle(HOST_FIELDS, 'while num_g2_blocks is 0')
  }
  plannerFields(draft, idle)
  droppedPolicies(draft, report)
  contextLength(draft, report)
}

const ROUTER_FIELDS: readonly Field[] = ['overlap_score_credit', 'prefill_load_scale', 'router_temperature']
const HOST_FIELDS: readonly Field[] = ['host_cache_hit_weight', 'disk_cache_hit_weight']

function roleFields(role: 'agg' | 'prefill' | 'decode'): Field[] {
  return [
    `${role}_max_num_batched_tokens`,
    `${role}_max_num_seqs`,
    `${role}_block_size`,
    `${role}_gpu_memory_utilization`,
    `${role}_enable_prefix_caching`,
  ]
}

function plannerFields(draft: Draft, idle: (fields: readonly Field[], why: string) => void): void {
  const policies = draft.read('search_space', 'planner_scaling_policy')
  const target = draft.read('goal', 'target')
  const sla = draft.read('goal', 'sla')
  if (policies === undefined || target === undefined || sla === undefined) return
  const { kept } = filterScalingPolicies(policies, { target, sla })
  const tuning: Field[] = ['planner_fpm_sampling', 'planner_load_sensitivity']
  if (!kept.some(scalesWorkers)) {
    idle([...tuning, 'load_predictor_candidates', 'min_endpoint', 'startup_time'], 'while no scaling policy can run')
  } else if (!needsSla(target)) {
    idle([...tuning, 'load_predictor_candidates'], `under a ${target} goal and is not searched`)
  }
}

const DROP_REASONS: Readonly<Record<PolicyDropReason, string>> = {
  'throughput-scaling-needs-goodput-goal': 'throughput scaling needs a goodput goal',
  'scaling-needs-ttft-and-itl': 'the planner steers by ttft_ms and itl_ms, and the SLA does not bound both',
}

/** Tells of policies the user listed that the goal rules out. */
function droppedPolicies(draft: Draft, report: RuleReport): void {
  const target = draft.read('goal', 'target')
  const sla = draft.read('goal', 'sla')
  if (target === undefined || sla === undefined || !draft.has('search_space', 'planner_scaling_policy')) return
  const path = ['search_space', 'planner_scaling_policy']
  const policies = draft.entries('planner_scaling_policy')
  const dropped = policies.flatMap(([index, policy]) =>
    filterScalingPolicies([policy], { target, sla }).dropped.map(({ reason }) => ({ index, reason })),
  )
  for (const { index, reason } of dropped) {
    report.warning([...path, index], 'policy-dropped', `will not be tried: ${DROP_REASONS[reason]}`)
  }
  if (policies.length > 0 && dropped.length === policies.length) {
    const hint = 'add disabled to the list'
    report.warning(path, 'no-policy-left', 'leaves nothing to try under this goal', hint)
  }
}

function contextLength(draft: Draft, report: RuleReport): void {
  const context = draft.read('search_space', 'context_length')
  const isl = draft.read('workload', 'isl')
  const osl = draft.read('workload', 'osl')
  if (typeof context !== 'number' || typeof isl !== 'number' || typeof osl !== 'number') return
  if (isl + osl <= context) return
  const message = `${context} is less than the ${isl + osl} tokens of one request (isl + osl)`
  report.warning(['search_space', 'context_length'], 'context-too-short', message)
}
