import type { Backend, DeploymentMode, Role, UnrolledSample } from '@spica/schema'

/** Engine and shape of one pool, as the candidate has it; nothing is derived that the candidate says. */
export interface PoolDeployment {
  readonly role: Role
  readonly tp: number
  readonly attentionDp: number
  readonly moeTp: number
  readonly moeEp: number
  readonly replicas: number
  readonly maxNumBatchedTokens: number
  readonly maxNumSeqs: number
  readonly blockSize: number
  readonly gpuMemoryUtilization: number
  readonly enablePrefixCaching: boolean
  /** GPUs of one worker. */
  readonly gpus: number
  /** Nodes one worker spans. */
  readonly nodes: number
}

/** Host KV tier of the pools that have one. */
export interface HostCache {
  readonly blocks: number
  readonly bytesPerToken: number
  readonly transferBatchBlocks: number | null
}

export interface RouterSettings {
  /** Flags of the KV router with their values; null = round robin. */
  readonly kv: Readonly<Record<string, number>> | null
}

/** Everything an exporter needs to know of a candidate. */
export interface Deployment {
  /** Number of the candidate in the ranking or front, from 1. */
  readonly candidate: number
  readonly mode: DeploymentMode
  readonly backend: Backend
  readonly backendVersion: string | null
  readonly model: string
  readonly hardwareSku: string
  readonly contextLength: number | null
  /** Longest sequence in tokens: the context length, else the model's own. */
  readonly maxSequenceTokens: number
  readonly speculativeTokens: number
  readonly pools: readonly PoolDeployment[]
  readonly router: RouterSettings
  readonly hostCache: HostCache | null
  /** Planner payload; null when nothing scales. */
  readonly planner: Readonly<Record<string, unknown>> | null
  /** Settings that a manifest has no place for, by their configuration name. */
  readonly admission: Readonly<Record<string, unknown>>
}

export interface DeploymentFacts {
  readonly candidate: number
  /** GPUs of one node of this hardware. */
  readonly gpusPerNode: number
  /** Longest sequence of the model, tokens. */
  readonly modelContextTokens: number
  readonly plannerConfig: Readonly<Record<string, unknown>> | null
}

const ADMISSION_FIELDS = [
  'active_decode_blocks_threshold',
  'active_prefill_tokens_threshold',
  'active_prefill_tokens_threshold_frac',
  'no_admission_control',
]
const ROUTER_FLAGS: readonly (readonly [string, string])[] = [
  ['overlap_score_credit', '--router-kv-overlap-score-credit'],
  ['prefill_load_scale', '--router-prefill-load-scale'],
  ['router_temperature', '--router-temperature'],
  ['host_cache_hit_weight', '--router-host-cache-hit-weight'],
  ['disk_cache_hit_weight', '--router-disk-cache-hit-weight'],
]

function pool(sample: UnrolledSample, role: Role, gpusPerNode: number): PoolDeployment {
  const prefix = role === 'agg' ? '' : `${role}_`
  const shape = (name: string): number => Number(sample[`${prefix}${name}`] ?? 1)
  const setting = (name: string): number => Number(sample[`${role}_${name}`])
  const gpus = shape('tp') * shape('attention_dp')
  return {
    role,
    tp: shape('tp'),
    attentionDp: shape('attention_dp'),
    moeTp: shape('moe_tp'),
    moeEp: shape('moe_ep'),
    replicas: shape('replicas'),
    maxNumBatchedTokens: setting('max_num_batched_tokens'),
    maxNumSeqs: setting('max_num_seqs'),
    blockSize: setting('block_size'),
    gpuMemoryUtilization: setting('gpu_memory_utilization'),
    enablePrefixCaching: sample[`${role}_enable_prefix_caching`] !== false,
    gpus,
    nodes: Math.max(1, Math.ceil(gpus / gpusPerNode)),
  }
}

/** Reads a candidate's unrolled sample. */
export function deploymentOf(sample: UnrolledSample, facts: DeploymentFacts): Deployment {
  const roles: readonly Role[] = sample.deployment_mode === 'agg' ? ['agg'] : ['prefill', 'decode']
  const routerFlags = ROUTER_FLAGS.filter(([name]) => typeof sample[name] === 'number')
  const hostBlocks = Number(sample.num_g2_blocks ?? 0)
  return {
    candidate: facts.candidate,
    mode: sample.deployment_mode,
    backend: sample.backend,
    backendVersion: sample.backend_version ?? null,
    model: sample.model_name,
    hardwareSku: sample.hardware_sku,
    contextLength: sample.context_length ?? null,
    maxSequenceTokens: sample.context_length ?? facts.modelContextTokens,
    speculativeTokens: Number(sample.aic_nextn ?? 0),
    pools: roles.map((role) => pool(sample, role, facts.gpusPerNode)),
    router: {
      kv:
        sample.router_mode === 'kv_router'
          ? Object.fromEntries(routerFlags.map(([name, flag]) => [flag, Number(sample[name])]))
          : null,
    },
    hostCache:
      hostBlocks > 0
        ? {
            blocks: hostBlocks,
            bytesPerToken: Number(sample.kv_bytes_per_token),
            transferBatchBlocks: sample.offload_batch_size ?? null,
          }
        : null,
    planner: facts.plannerConfig,
    admission: Object.fromEntries(
      ADMISSION_FIELDS.filter((name) => sample[name] != null && sample[name] !== false).map((name) => [
        name,
        sample[name],
      ]),
    ),
  }
}
