import type { Backend } from '@spica/schema'
import type { Deployment, PoolDeployment } from './deployment.js'
import type { DynamoRelease } from './dynamo-version.js'
import { frontendArgs } from './frontend-args.js'
import { sglangArgs } from './sglang-args.js'
import { TRTLLM_CONFIG_FOLDER, trtllmArgs } from './trtllm-args.js'
import { vllmArgs } from './vllm-args.js'

/** One component of a deployment, before it takes the form of an API version. */
export interface Component {
  readonly name: string
  readonly type: 'frontend' | 'planner' | 'worker' | 'prefill' | 'decode'
  readonly replicas: number
  readonly image: string
  readonly workingDir: string | null
  readonly module: string
  readonly args: readonly string[]
  /** GPUs of one pod, 0 for none. */
  readonly gpusPerPod: number
  readonly nodes: number
  readonly sharedMemory: string | null
  readonly memoryGiB: number | null
  readonly env: Readonly<Record<string, string>>
  /** Needs the model-hub token. */
  readonly token: boolean
  /** Folder where the engine files are mounted. */
  readonly configFolder: string | null
}

const NAMES: Readonly<Record<Backend, string>> = { vllm: 'Vllm', sglang: 'SGLang', trtllm: 'TRTLLM' }
const WORKING_DIRS: Readonly<Record<Backend, string>> = {
  vllm: '/workspace/examples/backends/vllm',
  sglang: '/workspace/examples/backends/sglang',
  trtllm: '/workspace',
}
const ROLE_NAMES = { agg: 'Worker', prefill: 'PrefillWorker', decode: 'DecodeWorker' } as const
const ROLE_TYPES = { agg: 'worker', prefill: 'prefill', decode: 'decode' } as const
const BYTES_PER_GIB = 2 ** 30
/** Host memory of a worker beside its host KV tier. */
const WORKER_MEMORY_GIB = 64

/** Frontend, planner (when something scales) and workers, in the order they are written. */
export function components(deployment: Deployment, release: DynamoRelease): Component[] {
  return [
    frontend(deployment, release),
    ...deployment.pools.map((pool) => worker(deployment, pool, release)),
    ...(deployment.planner === null ? [] : [planner(deployment, deployment.planner, release)]),
  ]
}

const PLAIN = {
  workingDir: null,
  gpusPerPod: 0,
  nodes: 1,
  sharedMemory: null,
  memoryGiB: null,
  env: {},
  configFolder: null,
}

function frontend(deployment: Deployment, release: DynamoRelease): Component {
  return {
    ...PLAIN,
    name: 'Frontend',
    type: 'frontend',
    replicas: 1,
    image: release.runtimeImage(deployment.backend),
    module: 'dynamo.frontend',
    args: frontendArgs(deployment),
    token: false,
  }
}

function planner(
  deployment: Deployment,
  payload: Readonly<Record<string, unknown>>,
  release: DynamoRelease,
): Component {
  const { report_interval_hours: _hours, live_dashboard_port: _port, ...settings } = payload
  const config = { environment: 'kubernetes', backend: deployment.backend, model_name: deployment.model, ...settings }
  return {
    ...PLAIN,
    name: 'Planner',
    type: 'planner',
    replicas: 1,
    image: release.plannerImage(deployment.backend),
    module: 'dynamo.planner',
    args: ['--config', JSON.stringify(config)],
    token: true,
  }
}

function worker(deployment: Deployment, pool: PoolDeployment, release: DynamoRelease): Component {
  const { backend } = deployment
  const args = { vllm: vllmArgs, sglang: sglangArgs, trtllm: trtllmArgs }[backend](deployment, pool, release)
  const tiered = deployment.hostCache !== null && pool.role !== 'decode'
  return {
    name: `${NAMES[backend]}${ROLE_NAMES[pool.role]}`,
    type: ROLE_TYPES[pool.role],
    replicas: pool.replicas,
    image: release.runtimeImage(backend),
    workingDir: WORKING_DIRS[backend],
    module: `dynamo.${backend}`,
    args,
    gpusPerPod: Math.ceil(pool.gpus / pool.nodes),
    nodes: pool.nodes,
    sharedMemory: backend === 'sglang' ? '16Gi' : null,
    memoryGiB: tiered ? hostMemoryGiB(deployment, pool) : null,
    env: tiered ? hostCacheEnv(deployment) : {},
    token: true,
    configFolder: backend === 'trtllm' ? TRTLLM_CONFIG_FOLDER : null,
  }
}

function hostMemoryGiB({ hostCache }: Deployment, pool: PoolDeployment): number {
  const cacheBytes = (hostCache?.blocks ?? 0) * pool.blockSize * (hostCache?.bytesPerToken ?? 0)
  return WORKER_MEMORY_GIB + Math.ceil(cacheBytes / BYTES_PER_GIB)
}

function hostCacheEnv({ hostCache }: Deployment): Record<string, string> {
  const batch = hostCache?.transferBatchBlocks ?? null
  return {
    DYN_KVBM_CPU_CACHE_OVERRIDE_NUM_BLOCKS: String(hostCache?.blocks ?? 0),
    ...(batch === null ? {} : { DYN_KVBM_MAX_TRANSFER_BATCH_SIZE: String(batch) }),
  }
}
