import type { Deployment, PoolDeployment } from './deployment.js'

const NIXL = { kv_connector: 'NixlConnector', kv_role: 'kv_both' }
const KVBM_MODULE = 'kvbm.vllm_integration.connector'
const KVBM = { kv_connector: 'DynamoConnector', kv_connector_module_path: KVBM_MODULE, kv_role: 'kv_both' }
const BOTH = {
  kv_connector: 'PdConnector',
  kv_role: 'kv_both',
  kv_connector_extra_config: { connectors: [KVBM, NIXL] },
  kv_connector_module_path: KVBM_MODULE,
}
const EVENTS = { publisher: 'zmq', topic: 'kv-events', endpoint: 'tcp://*:20081', enable_kv_cache_events: true }

/** Arguments of `python3 -m dynamo.vllm` for one pool. */
export function vllmArgs(deployment: Deployment, pool: PoolDeployment): string[] {
  const args = ['--model', deployment.model, '--served-model-name', deployment.model]
  args.push('--tensor-parallel-size', String(pool.tp))
  if (pool.attentionDp > 1) args.push('--data-parallel-size', String(pool.attentionDp))
  if (pool.moeEp > 1) args.push('--enable-expert-parallel')
  args.push('--block-size', String(pool.blockSize))
  args.push('--gpu-memory-utilization', String(pool.gpuMemoryUtilization))
  if (deployment.contextLength !== null) args.push('--max-model-len', String(deployment.contextLength))
  args.push('--max-num-seqs', String(pool.maxNumSeqs))
  args.push('--max-num-batched-tokens', String(pool.maxNumBatchedTokens))
  if (!pool.enablePrefixCaching) args.push('--no-enable-prefix-caching')
  if (deployment.speculativeTokens > 0) {
    const speculation = { method: 'mtp', num_speculative_tokens: deployment.speculativeTokens }
    args.push('--speculative-config', JSON.stringify(speculation))
  }
  if (pool.role !== 'agg') args.push('--disaggregation-mode', pool.role)
  const connector = connectorOf(deployment, pool)
  if (connector !== null) args.push('--kv-transfer-config', JSON.stringify(connector))
  if (deployment.router.kv !== null && pool.role !== 'decode') args.push('--kv-events-config', JSON.stringify(EVENTS))
  return args
}

function connectorOf(deployment: Deployment, pool: PoolDeployment): object | null {
  const tiered = deployment.hostCache !== null && pool.role !== 'decode'
  if (pool.role === 'agg') return tiered ? KVBM : null
  return tiered ? BOTH : NIXL
}
