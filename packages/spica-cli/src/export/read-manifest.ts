import { type Backend, type Role, SpicaError } from '@spica/schema'
import { parse, parseAllDocuments } from 'yaml'

/** One pool as a manifest describes it. */
export interface ManifestPool {
  readonly role: Role
  readonly tp: number
  readonly attentionDp: number
  readonly moeTp: number
  readonly moeEp: number
  readonly replicas: number
  /** GPUs of all replicas. */
  readonly gpus: number
  readonly maxNumBatchedTokens: number
  readonly maxNumSeqs: number
  readonly blockSize: number
  readonly gpuMemoryUtilization: number
  readonly enablePrefixCaching: boolean
  readonly speculativeTokens: number
}

export interface ReadManifest {
  readonly name: string
  readonly backend: Backend
  readonly pools: readonly ManifestPool[]
  readonly routerMode: 'kv' | 'round-robin'
  readonly totalGpus: number
  readonly planner: Readonly<Record<string, unknown>> | null
}

type Json = Record<string, unknown>
interface Part {
  readonly type: string
  readonly replicas: number
  readonly nodes: number
  readonly gpusPerPod: number
  readonly args: readonly string[]
}

/**
 * Reads a manifest back to shapes, counts and settings, from its flags alone: the check that an export says what the candidate says.
 * @param isMoe whether the model has experts; a manifest does not tell tensor-parallel experts from a dense model
 * @throws SpicaError `not-a-manifest`
 */
export function readManifest(text: string, isMoe: boolean): ReadManifest {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Json)
  const graph = objects.find((object) => object['kind'] === 'DynamoGraphDeployment')
  if (graph === undefined) throw new SpicaError('input', 'not-a-manifest', 'the text holds no DynamoGraphDeployment')
  const configs = (objects.find((object) => object['kind'] === 'ConfigMap')?.['data'] ?? {}) as Record<string, string>
  const spec = graph['spec'] as Json
  const parts = spec['components'] === undefined ? alphaParts(spec) : betaParts(spec)
  const backend = spec['backendFramework'] as Backend
  const pools = parts
    .filter(({ type }) => type === 'worker' || type === 'prefill' || type === 'decode')
    .map((part) => poolOf(part, backend, configs, isMoe))
  const frontend = parts.find(({ type }) => type === 'frontend')
  const planner = parts.find(({ type }) => type === 'planner')
  return {
    name: String((graph['metadata'] as Json)['name']),
    backend,
    pools,
    routerMode: flag(frontend?.args ?? [], '--router-mode') === 'kv' ? 'kv' : 'round-robin',
    totalGpus: pools.reduce((sum, pool) => sum + pool.gpus, 0),
    planner: planner === undefined ? null : (JSON.parse(flag(planner.args, '--config') ?? 'null') as Json),
  }
}

function betaParts(spec: Json): Part[] {
  return (spec['components'] as Json[]).map((component) => {
    const pod = (component['podTemplate'] as Json)['spec'] as Json
    const main = (pod['containers'] as Json[]).find((container) => container['name'] === 'main') ?? {}
    const limits = ((main['resources'] as Json | undefined)?.['limits'] ?? {}) as Json
    return {
      type: String(component['type']),
      replicas: Number(component['replicas']),
      nodes: Number((component['multinode'] as Json | undefined)?.['nodeCount'] ?? 1),
      gpusPerPod: Number(limits['nvidia.com/gpu'] ?? 0),
      args: main['args'] as string[],
    }
  })
}

function alphaParts(spec: Json): Part[] {
  return Object.values(spec['services'] as Record<string, Json>).map((service) => {
    const main = (service['extraPodSpec'] as Json)['mainContainer'] as Json
    const limits = ((service['resources'] as Json | undefined)?.['limits'] ?? {}) as Json
    return {
      type: String(service['subComponentType'] ?? service['componentType']),
      replicas: Number(service['replicas']),
      nodes: Number((service['multinode'] as Json | undefined)?.['nodeCount'] ?? 1),
      gpusPerPod: Number(limits['gpu'] ?? 0),
      args: main['args'] as string[],
    }
  })
}

function flag(args: readonly string[], name: string): string | null {
  const index = args.indexOf(name)
  return index < 0 ? null : (args[index + 1] ?? null)
}

function poolOf(part: Part, backend: Backend, configs: Record<string, string>, isMoe: boolean): ManifestPool {
  const gpusPerWorker = part.gpusPerPod * part.nodes
  const read = { vllm: vllmPool, sglang: sglangPool, trtllm: trtllmPool }[backend]
  const settings = read(part.args, gpusPerWorker, configs)
  const ep = settings.expertParallel
  return {
    role: part.type === 'worker' ? 'agg' : (part.type as Role),
    replicas: part.replicas,
    gpus: gpusPerWorker * part.replicas,
    moeEp: ep,
    moeTp: isMoe ? gpusPerWorker / ep : 1,
    ...settings.values,
  }
}

interface PoolSettings {
  readonly expertParallel: number
  readonly values: Omit<ManifestPool, 'role' | 'replicas' | 'gpus' | 'moeEp' | 'moeTp'>
}

function vllmPool(args: readonly string[], gpus: number): PoolSettings {
  const speculation = JSON.parse(flag(args, '--speculative-config') ?? '{}') as Json
  return {
    expertParallel: args.includes('--enable-expert-parallel') ? gpus : 1,
    values: {
      tp: Number(flag(args, '--tensor-parallel-size')),
      attentionDp: Number(flag(args, '--data-parallel-size') ?? 1),
      maxNumBatchedTokens: Number(flag(args, '--max-num-batched-tokens')),
      maxNumSeqs: Number(flag(args, '--max-num-seqs')),
      blockSize: Number(flag(args, '--block-size')),
      gpuMemoryUtilization: Number(flag(args, '--gpu-memory-utilization')),
      enablePrefixCaching: !args.includes('--no-enable-prefix-caching'),
      speculativeTokens: Number(speculation['num_speculative_tokens'] ?? 0),
    },
  }
}

function sglangPool(args: readonly string[]): PoolSettings {
  const dp = Number(flag(args, '--data-parallel-size') ?? 1)
  return {
    expertParallel: Number(flag(args, '--expert-parallel-size') ?? 1),
    values: {
      tp: Number(flag(args, '--tensor-parallel-size')) / dp,
      attentionDp: dp,
      maxNumBatchedTokens: Number(flag(args, '--chunked-prefill-size')),
      maxNumSeqs: Number(flag(args, '--max-running-requests')),
      blockSize: Number(flag(args, '--page-size')),
      gpuMemoryUtilization: Number(flag(args, '--mem-fraction-static')),
      enablePrefixCaching: !args.includes('--disable-radix-cache'),
      speculativeTokens: Number(flag(args, '--speculative-num-steps') ?? 0),
    },
  }
}

function trtllmPool(args: readonly string[], gpus: number, configs: Record<string, string>): PoolSettings {
  const file = (flag(args, '--extra-engine-args') ?? '').split('/').at(-1) ?? ''
  const engine = parse(configs[file] ?? '{}') as Json
  const cache = (engine['kv_cache_config'] ?? {}) as Json
  const speculation = (engine['speculative_config'] ?? {}) as Json
  const spread = engine['enable_attention_dp'] === true
  return {
    expertParallel: Number(engine['moe_expert_parallel_size'] ?? 1),
    values: {
      tp: spread ? 1 : gpus,
      attentionDp: spread ? gpus : 1,
      maxNumBatchedTokens: Number(engine['max_num_tokens']),
      maxNumSeqs: Number(engine['max_batch_size']),
      blockSize: Number(cache['tokens_per_block']),
      gpuMemoryUtilization: Number(cache['free_gpu_memory_fraction']),
      enablePrefixCaching: cache['enable_block_reuse'] === true,
      speculativeTokens: Number(speculation['num_nextn_predict_layers'] ?? 0),
    },
  }
}
