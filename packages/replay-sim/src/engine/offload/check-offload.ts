import { SpicaError } from '@spica/schema'
import type { ResolvedEngine } from '../engine-settings.js'

/** Refuses KV tiers that are not simulated, rather than ignoring them. */
export function checkOffload(settings: ResolvedEngine): void {
  const { offload, type } = settings
  if (type === 'sglang' && offload.hostBlocks > 0) {
    refuse('num_g2_blocks with engine_type sglang', 'host offload is simulated for vllm and trtllm')
  }
  if (offload.diskBlocks > 0) refuse('num_g3_blocks', 'only the host-memory tier (num_g2_blocks) is simulated')
  if (offload.objectStore) refuse('enable_g4_storage', 'only the host-memory tier (num_g2_blocks) is simulated')
}

function refuse(what: string, hint: string): never {
  throw new SpicaError('input', 'unsupported-offload', `${what} is not supported`, { hint })
}
