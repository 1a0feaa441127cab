import { type ConfigIssue, type EngineArgs, SpicaConfigError } from '@spica/schema'
import { checkObject, type FieldRule, oneOf } from '../field-rules.js'

const wholePositive: FieldRule = { kind: 'integer', min: 1 }
const wholeOrZero: FieldRule = { kind: 'integer', min: 0 }
const positive: FieldRule = { kind: 'number', above: 0 }
const flag: FieldRule = { kind: 'boolean' }
const text: FieldRule = { kind: 'string' }
const orNull = (rule: FieldRule): FieldRule => ({ ...rule, nullable: true })

const sglangRules: Readonly<Record<string, FieldRule>> = {
  schedule_policy: oneOf(['fifo', 'fcfs', 'lpm']),
  page_size: wholePositive,
  max_prefill_tokens: wholePositive,
  chunked_prefill_size: wholePositive,
  clip_max_new_tokens: wholePositive,
  schedule_conservativeness: positive,
}

const rules: Readonly<Record<string, FieldRule>> = {
  engine_type: oneOf(['vllm', 'sglang', 'trtllm']),
  num_gpu_blocks: wholePositive,
  block_size: wholePositive,
  max_num_seqs: orNull(wholePositive),
  max_num_batched_tokens: orNull(wholePositive),
  enable_prefix_caching: flag,
  enable_chunked_prefill: flag,
  speedup_ratio: { kind: 'number' },
  decode_speedup_ratio: { kind: 'number' },
  dp_size: orNull(wholePositive),
  startup_time: orNull({ kind: 'number', min: 0 }),
  max_model_len: orNull(wholePositive),
  preemption_mode: oneOf(['lifo', 'fifo']),
  kv_bytes_per_token: orNull(positive),
  kv_transfer_bandwidth: orNull(positive),
  kv_transfer_timing_mode: oneOf(['full_prompt', 'destination_missing']),
  sglang: { kind: 'object', fields: sglangRules, nullable: true },
  trtllm: {
    kind: 'object',
    fields: { capacity_scheduler_policy: oneOf(['guaranteed_no_evict']) },
    nullable: true,
  },
  aic_nextn: orNull({ kind: 'integer', min: 1, max: 5 }),
  aic_nextn_accept_rates: { kind: 'rates', nullable: true },
  aic_mtp_seed: wholeOrZero,
  num_g2_blocks: orNull(wholeOrZero),
  num_g3_blocks: orNull(wholeOrZero),
  enable_g4_storage: flag,
  offload_batch_size: orNull(wholePositive),
  bandwidth_g1_to_g2_gbps: orNull(positive),
  bandwidth_g2_to_g1_gbps: orNull(positive),
  bandwidth_g2_to_g3_gbps: orNull(positive),
  bandwidth_g3_to_g2_gbps: orNull(positive),
  worker_type: oneOf(['aggregated', 'prefill', 'decode']),
  is_prefill: flag,
  is_decode: flag,
  aic_backend: text,
  aic_backend_version: orNull(text),
  aic_system: text,
  aic_model_path: text,
  aic_tp_size: wholePositive,
  aic_attention_dp_size: orNull(wholePositive),
  aic_moe_tp_size: orNull(wholePositive),
  aic_moe_ep_size: orNull(wholePositive),
  gpu_memory_utilization: { kind: 'number', above: 0, max: 1 },
}

/**
 * Checks engine arguments given as parsed JSON: unknown keys, wrong types and values out of range are reported all at once
 * in a `SpicaConfigError` whose paths start with `origin` (a file name or a flag). Null optional values are dropped.
 */
export function parseEngineArgs(json: unknown, origin = 'engine args'): EngineArgs {
  const issues: ConfigIssue[] = []
  const value = checkObject(json, rules, '', origin, issues)
  if (value.is_prefill === true && value.is_decode === true) {
    issues.push({
      code: 'conflicting-roles',
      message: 'is_prefill and is_decode are both true',
      location: { file: origin, path: 'is_prefill' },
    })
  }
  if (issues.length > 0) throw new SpicaConfigError(issues)
  return value as EngineArgs
}
