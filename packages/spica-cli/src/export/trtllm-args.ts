import { stringify } from 'yaml'
import type { Deployment, PoolDeployment } from './deployment.js'
import type { DynamoRelease } from './dynamo-version.js'

/** Folder of the mounted engine files. */
export const TRTLLM_CONFIG_FOLDER = '/workspace/engine_configs'

/** File name of a pool's engine settings, also its key in the ConfigMap. */
export function trtllmConfigFile(pool: PoolDeployment): string {
  return `${pool.role}.yaml`
}

/** Engine settings of one pool as TensorRT-LLM's YAML. Its tensor-parallel size counts all GPUs of a worker. */
export function trtllmEngineYaml(deployment: Deployment, pool: PoolDeployment): string {
  const settings: Record<string, unknown> = {
    backend: 'pytorch',
    tensor_parallel_size: pool.gpus,
    pipeline_parallel_size: 1,
    enable_attention_dp: pool.attentionDp > 1,
  }
  if (pool.moeEp > 1) settings['moe_expert_parallel_size'] = pool.moeEp
  if (pool.moeTp > 1) settings['moe_tensor_parallel_size'] = pool.moeTp
  Object.assign(settings, {
    enable_chunked_prefill: true,
    max_batch_size: pool.maxNumSeqs,
    max_num_tokens: pool.maxNumBatchedTokens,
  })
  if (deployment.contextLength !== null) settings['max_seq_len'] = deployment.contextLength
  settings['kv_cache_config'] = {
    free_gpu_memory_fraction: pool.gpuMemoryUtilization,
    dtype: 'auto',
    tokens_per_block: pool.blockSize,
    enable_block_reuse: pool.enablePrefixCaching,
  }
  settings['disable_overlap_scheduler'] = pool.role === 'prefill'
  if (pool.role !== 'agg') {
    settings['cache_transceiver_config'] = { backend: 'DEFAULT', max_tokens_in_buffer: deployment.maxSequenceTokens }
  }
  if (deployment.speculativeTokens > 0) {
    settings['speculative_config'] = { decoding_type: 'MTP', num_nextn_predict_layers: deployment.speculativeTokens }
  }
  return stringify(settings)
}

/** Arguments of `python3 -m dynamo.trtllm` for one pool; the engine's own settings are in its YAML file. */
export function trtllmArgs(deployment: Deployment, pool: PoolDeployment, release: DynamoRelease): string[] {
  const args = ['--model-path', deployment.model, '--served-model-name', deployment.model]
  args.push('--extra-engine-args', `${TRTLLM_CONFIG_FOLDER}/${trtllmConfigFile(pool)}`)
  if (pool.role !== 'agg') args.push('--disaggregation-mode', pool.role)
  if (deployment.hostCache !== null && pool.role !== 'decode') args.push('--connector', 'kvbm')
  if (deployment.router.kv !== null && pool.role !== 'decode') args.push(release.trtllmEventsFlag)
  return args
}
