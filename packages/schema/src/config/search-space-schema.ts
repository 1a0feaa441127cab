import { z } from 'zod'
import { SEARCH_MENUS } from './menus.js'
import { menuList, nonNegativeNumber, positiveNumber, wholeNumber } from './numeric-fields.js'
import { pinnedParallelConfigs } from './parallel-pins-schema.js'
import { fpmSamplingList, loadPredictorList, loadSensitivityList, scalingPolicyList } from './planner-entries.js'
import type { SearchSpaceConfig } from './search-space.js'
import { textField } from './text-field.js'

const menu = SEARCH_MENUS

function blockSize(role: string): z.ZodType<number, number | undefined> {
  return wholeNumber(1, 1_048_576)
    .default(64)
    .meta({ description: `Tokens per KV block of ${role} workers.` })
}

function memoryFraction(role: string): z.ZodType<number, number | undefined> {
  return z
    .number()
    .gt(0)
    .max(1)
    .default(0.9)
    .meta({ description: `Share of GPU memory ${role} workers may use.` })
}

function prefixCaching(role: string, initial: boolean): z.ZodType<boolean, boolean | undefined> {
  return z
    .boolean()
    .default(initial)
    .meta({ description: `Prefix caching on ${role} workers.` })
}

function optional<T extends z.ZodType>(schema: T, description: string): z.ZodDefault<z.ZodNullable<T>> {
  return schema.nullable().default(null).meta({ description })
}

const schema = z.strictObject({
  deployment_mode: menuList(menu.deployment_mode).meta({ description: 'Deployment modes; one study each.' }),
  backend: menuList(menu.backend, ['vllm']).meta({ description: 'Inference engines to try.' }),
  parallel_configs: pinnedParallelConfigs,
  model_name: textField().meta({ description: 'Hugging Face model name, or a path to a config.json.' }),
  hardware_sku: textField().meta({ description: 'GPU name, or a path to a YAML that describes one.' }),
  gpu_budget: wholeNumber(1, 65_536).default(32).meta({ description: 'Most GPUs a candidate may use.' }),
  min_gpu_budget: optional(wholeNumber(1, 65_536), 'Fewest GPUs a candidate may use; at most gpu_budget.'),
  min_endpoint: optional(wholeNumber(1, 65_536), 'Fewest replicas the planner keeps per pool.'),
  context_length: optional(wholeNumber(), 'Longest sequence in tokens; null = the model maximum.'),
  startup_time: optional(nonNegativeNumber(), 'Seconds until a scaled-up worker is ready.'),
  aic_nextn: optional(wholeNumber(1, 5), 'Draft tokens of multi-token prediction; null = off.'),
  prefill_max_num_batched_tokens: menuList(menu.prefill_max_num_batched_tokens).meta({
    description: 'Token budgets per prefill pass to try.',
  }),
  prefill_max_num_seqs: menuList(menu.prefill_max_num_seqs).meta({
    description: 'Most prompts per prefill pass to try.',
  }),
  prefill_block_size: blockSize('prefill'),
  prefill_gpu_memory_utilization: memoryFraction('prefill'),
  prefill_enable_prefix_caching: prefixCaching('prefill', true),
  decode_max_num_batched_tokens: menuList(menu.decode_max_num_batched_tokens).meta({
    description: 'Token budgets per decode pass to try.',
  }),
  decode_max_num_seqs: menuList(menu.decode_max_num_seqs).meta({
    description: 'Most sequences per decode worker to try.',
  }),
  decode_block_size: blockSize('decode'),
  decode_gpu_memory_utilization: memoryFraction('decode'),
  decode_enable_prefix_caching: prefixCaching('decode', false),
  agg_max_num_batched_tokens: menuList(menu.agg_max_num_batched_tokens).meta({
    description: 'Token budgets per pass of aggregated workers to try.',
  }),
  agg_max_num_seqs: menuList(menu.agg_max_num_seqs).meta({
    description: 'Most sequences per aggregated worker to try.',
  }),
  agg_block_size: blockSize('aggregated'),
  agg_gpu_memory_utilization: memoryFraction('aggregated'),
  agg_enable_prefix_caching: prefixCaching('aggregated', true),
  num_g2_blocks: wholeNumber(0).default(0).meta({ description: 'Host KV blocks per worker; above 0 = KV offload.' }),
  kv_bytes_per_token: optional(wholeNumber(), 'KV bytes of one token; needed with num_g2_blocks.'),
  bandwidth_g1_to_g2_gbps: optional(positiveNumber(), 'GB/s from GPU to host memory.'),
  bandwidth_g2_to_g1_gbps: optional(positiveNumber(), 'GB/s from host to GPU memory.'),
  offload_batch_size: optional(wholeNumber(), 'Blocks per offload transfer.'),
  router_mode: menuList(menu.router_mode).meta({ description: 'Request routers to try.' }),
  overlap_score_credit: menuList(menu.overlap_score_credit).meta({
    description: 'kv_router: weight of cached prefix blocks.',
  }),
  prefill_load_scale: menuList(menu.prefill_load_scale).meta({
    description: 'kv_router: weight of queued prefill work.',
  }),
  host_cache_hit_weight: menuList(menu.host_cache_hit_weight).meta({
    description: 'kv_router with KV offload: weight of blocks held in host memory.',
  }),
  disk_cache_hit_weight: menuList(menu.disk_cache_hit_weight).meta({
    description: 'kv_router with KV offload: weight of blocks held on disk.',
  }),
  router_temperature: menuList(menu.router_temperature).meta({
    description: 'kv_router: randomness of the choice; 0 takes the best worker.',
  }),
  active_decode_blocks_threshold: optional(wholeNumber(0), 'Admission threshold; only with round_robin alone.'),
  active_prefill_tokens_threshold: optional(wholeNumber(0), 'Admission threshold; only with round_robin alone.'),
  active_prefill_tokens_threshold_frac: optional(
    nonNegativeNumber(),
    'Admission threshold; only with round_robin alone.',
  ),
  no_admission_control: z
    .boolean()
    .default(false)
    .meta({ description: 'Has no deployment counterpart: must be false.' }),
  planner_scaling_policy: scalingPolicyList,
  planner_fpm_sampling: fpmSamplingList,
  planner_load_sensitivity: loadSensitivityList,
  load_predictor_candidates: loadPredictorList,
})

export const searchSpaceSchema: z.ZodObject = schema satisfies z.ZodType<SearchSpaceConfig>
