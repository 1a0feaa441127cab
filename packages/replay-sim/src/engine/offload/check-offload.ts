import { SpicaError } from '@spica/schema'
import type { ResolvedEngine } from '../engine-settings.js'

/** Bytes of one KV block. */
export function blockBytes(settings: ResolvedEngine): number {
  return settings.blockSize * (settings.kvBytesPerToken ?? 0)
}

/** Refuses KV tiers that are not simulated, rather than ignoring them. */
export function checkOffload(settings: ResolvedEngine): void {
  const { offload, type } = settings
  if (type === 'sglang' && offload.hostBlocks > 0) {
    refuse('num_g2_blocks with engine_type sglang', 'host offload is simulated for vllm and trtllm')
  }
  if (offload.objectStore)
    refuse('enable_g4_storage', 'host memory (num_g2_blocks) and disk (num_g3_blocks) are simulated')
  if (offload.diskBlocks > 0 && offload.hostBlocks === 0) {
    refuse('num_g3_blocks without num_g2_blocks', 'blocks reach the disk through host memory')
  }
  if (offload.hostBlocks > 0 && settings.kvBytesPerToken === null) {
    throw new SpicaError('input', 'missing-kv-bytes', 'num_g2_blocks needs kv_bytes_per_token to time the copies', {
      hint: 'add kv_bytes_per_token to the engine arguments',
    })
  }
}

function refuse(what: string, hint: string): never {
  throw new SpicaError('input', 'unsupported-offload', `${what} is not supported`, { hint })
}
