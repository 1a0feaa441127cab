import { SEARCH_MENUS } from './menus.js'
import type { SearchSpaceConfig } from './search-space.js'

/** Value of every optional field of `search_space` that is left out. */
export const SEARCH_SPACE_DEFAULTS: Omit<SearchSpaceConfig, 'model_name' | 'hardware_sku'> = {
  ...SEARCH_MENUS,
  backend: ['vllm'],
  parallel_configs: [],
  gpu_budget: 32,
  min_gpu_budget: null,
  min_endpoint: null,
  context_length: null,
  startup_time: null,
  aic_nextn: null,
  prefill_block_size: 64,
  prefill_gpu_memory_utilization: 0.9,
  prefill_enable_prefix_caching: true,
  decode_block_size: 64,
  decode_gpu_memory_utilization: 0.9,
  decode_enable_prefix_caching: false,
  agg_block_size: 64,
  agg_gpu_memory_utilization: 0.9,
  agg_enable_prefix_caching: true,
  num_g2_blocks: 0,
  kv_bytes_per_token: null,
  bandwidth_g1_to_g2_gbps: null,
  bandwidth_g2_to_g1_gbps: null,
  offload_batch_size: null,
  active_decode_blocks_threshold: null,
  active_prefill_tokens_threshold: null,
  active_prefill_tokens_threshold_frac: null,
  no_admission_control: false,
}
