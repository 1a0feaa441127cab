import type { Deployment } from './deployment.js'
import type { DynamoRelease } from './dynamo-version.js'

/** Why a candidate cannot be written as a manifest. */
export interface Undeployable {
  readonly code: string
  readonly message: string
}

/** The first thing about a deployment that the release has no way to express, or null. */
export function undeployable(deployment: Deployment, release: DynamoRelease): Undeployable | null {
  const { backend, hostCache, pools, admission } = deployment
  if (hostCache !== null && backend === 'sglang') {
    return { code: 'kvbm-without-backend', message: 'SGLang workers have no host KV tier: num_g2_blocks must be 0' }
  }
  if (admission['no_admission_control'] === true) {
    return { code: 'setting-without-flag', message: 'no_admission_control has no frontend flag' }
  }
  const threshold = admission['active_decode_blocks_threshold']
  if (threshold !== undefined && release.decodeThresholdIsShare && !(Number(threshold) <= 1)) {
    return {
      code: 'setting-without-flag',
      message: `active_decode_blocks_threshold is a count (${threshold}), but Dynamo ${release.version} takes a share between 0 and 1`,
    }
  }
  for (const { role, moeTp, moeEp, tp, attentionDp } of pools) {
    if (backend === 'trtllm' && tp > 1 && attentionDp > 1) {
      return {
        code: 'mixed-attention-split',
        message: `the ${role} workers combine tp ${tp} with attention_dp ${attentionDp}; TensorRT-LLM spreads attention over all GPUs or none`,
      }
    }
    if (moeTp > 1 && moeEp > 1) {
      return {
        code: 'mixed-expert-split',
        message: `the ${role} workers split experts both ways (moe_tp ${moeTp}, moe_ep ${moeEp}); no engine takes both`,
      }
    }
  }
  const [first, second] = pools
  if (first !== undefined && second !== undefined && first.blockSize !== second.blockSize) {
    return {
      code: 'block-sizes-differ',
      message: `prefill and decode have block sizes ${first.blockSize} and ${second.blockSize}: KV blocks cannot be handed over`,
    }
  }
  return null
}

/** What a user should know before applying the manifest. */
export function deploymentWarnings(deployment: Deployment, release: DynamoRelease): string[] {
  const warnings: string[] = []
  const engine = release.engineVersion(deployment.backend)
  const { backend, backendVersion } = deployment
  if (engine === null) {
    warnings.push(
      `the engine versions inside Dynamo ${release.version} are not known here; check the flags against its image`,
    )
  } else if (backendVersion !== null && backendVersion !== 'unknown' && backendVersion !== engine) {
    warnings.push(`times were predicted with ${backend} ${backendVersion}, the image carries ${backend} ${engine}`)
  }
  if (backend === 'sglang' && deployment.pools.some((pool) => pool.attentionDp > 1)) {
    warnings.push(
      'SGLang counts --max-running-requests and --chunked-prefill-size over all attention-DP ranks, the prediction per rank',
    )
  }
  if (deployment.hostCache !== null) {
    warnings.push('the host cache bandwidths of the prediction have no counterpart in a deployment')
  }
  return warnings
}
