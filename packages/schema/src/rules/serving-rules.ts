import type { Draft, RuleReport } from './draft.js'

/** KV offload and router admission: combinations that cannot be run or deployed. */
export function servingRules(draft: Draft, report: RuleReport): void {
  hostOffload(draft, report)
  admission(draft, report)
}

const OFFLOAD_FIELDS = [
  'kv_bytes_per_token',
  'bandwidth_g1_to_g2_gbps',
  'bandwidth_g2_to_g1_gbps',
  'offload_batch_size',
] as const

function hostOffload(draft: Draft, report: RuleReport): void {
  const blocks = draft.read('search_space', 'num_g2_blocks')
  if (blocks === undefined) return
  if (blocks === 0) {
    for (const field of OFFLOAD_FIELDS) {
      if (typeof draft.read('search_space', field) !== 'number') continue
      report.warning(['search_space', field], 'no-effect', 'has no effect while num_g2_blocks is 0')
    }
    return
  }
  if (draft.read('search_space', 'kv_bytes_per_token') === null) {
    const path = ['search_space', 'num_g2_blocks']
    report.problem(path, 'offload-needs-bytes', 'needs kv_bytes_per_token, the KV bytes of one token')
  }
  const sglang = draft.entries('backend').find(([, backend]) => backend === 'sglang')
  if (sglang !== undefined) {
    report.problem(
      ['search_space', 'backend', sglang[0]],
      'offload-unsupported',
      'sglang cannot be deployed with KV offload (num_g2_blocks above 0)',
      'drop sglang from backend, or set num_g2_blocks to 0',
    )
  }
}

const THRESHOLDS = [
  'active_decode_blocks_threshold',
  'active_prefill_tokens_threshold',
  'active_prefill_tokens_threshold_frac',
] as const

function admission(draft: Draft, report: RuleReport): void {
  if (draft.read('search_space', 'no_admission_control') === true) {
    const path = ['search_space', 'no_admission_control']
    report.problem(
      path,
      'admission-not-deployable',
      'cannot be deployed: the router has no such flag',
      'set it to false',
    )
  }
  const routers = draft.read('search_space', 'router_mode')
  if (routers === undefined) return
  for (const field of THRESHOLDS) {
    if (typeof draft.read('search_space', field) !== 'number') continue
    const path = ['search_space', field]
    if (routers.includes('kv_router')) {
      const hint = 'leave it out, or set router_mode: [round_robin]'
      report.problem(path, 'admission-with-kv-router', 'is not allowed while router_mode lists kv_router', hint)
    } else {
      report.warning(path, 'no-effect', 'has no effect under round_robin')
    }
  }
}
