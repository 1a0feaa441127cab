import type { Deployment, PoolDeployment } from './deployment.js'

const BOOTSTRAP_PORT = 12345
const EVENTS = { publisher: 'zmq', topic: 'kv-events', endpoint: 'tcp://*:5557' }

/** Arguments of `python3 -m dynamo.sglang` for one pool. SGLang's tensor-parallel size counts all GPUs of a worker. */
export function sglangArgs(deployment: Deployment, pool: PoolDeployment): string[] {
  const args = ['--model-path', deployment.model, '--served-model-name', deployment.model]
  args.push('--tensor-parallel-size', String(pool.gpus))
  if (pool.attentionDp > 1) args.push('--data-parallel-size', String(pool.attentionDp), '--enable-dp-attention')
  if (pool.moeEp > 1) args.push('--expert-parallel-size', String(pool.moeEp))
  args.push('--page-size', String(pool.blockSize))
  args.push('--mem-fraction-static', String(pool.gpuMemoryUtilization))
  if (deployment.contextLength !== null) args.push('--context-length', String(deployment.contextLength))
  args.push('--max-running-requests', String(pool.maxNumSeqs))
  args.push('--chunked-prefill-size', String(pool.maxNumBatchedTokens))
  args.push('--max-prefill-tokens', String(pool.maxNumBatchedTokens))
  if (!pool.enablePrefixCaching) args.push('--disable-radix-cache')
  if (pool.role === 'agg') args.push('--enable-mixed-chunk')
  args.push('--trust-remote-code', '--skip-tokenizer-init')
  const drafts = deployment.speculativeTokens
  if (drafts > 0) {
    args.push('--speculative-algorithm', 'NEXTN', '--speculative-num-steps', String(drafts))
    args.push('--speculative-eagle-topk', '1', '--speculative-num-draft-tokens', String(drafts + 1))
  }
  if (pool.role !== 'agg') {
    args.push('--disaggregation-mode', pool.role, '--disaggregation-transfer-backend', 'nixl')
    args.push('--disaggregation-bootstrap-port', String(BOOTSTRAP_PORT), '--host', '0.0.0.0')
  }
  if (deployment.router.kv !== null && pool.role !== 'decode') args.push('--kv-events-config', JSON.stringify(EVENTS))
  return args
}
