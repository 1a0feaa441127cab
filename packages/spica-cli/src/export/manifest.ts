import { stringify } from 'yaml'
import { type Component, components } from './component.js'
import type { Deployment } from './deployment.js'
import type { DynamoRelease } from './dynamo-version.js'
import { manifestName } from './manifest-name.js'
import { trtllmConfigFile, trtllmEngineYaml } from './trtllm-args.js'

export type ManifestVersion = 'v1beta1' | 'v1alpha1'

const TOKEN_SECRET = 'hf-token-secret'
const CONFIG_VOLUME = 'engine-configs'

type Json = Record<string, unknown>

/** The deployment as Kubernetes objects: a ConfigMap first where the engine reads a file, then the DynamoGraphDeployment. */
export function manifestObjects(deployment: Deployment, release: DynamoRelease, version: ManifestVersion): Json[] {
  const name = manifestName(deployment)
  const parts = components(deployment, release)
  const spec =
    version === 'v1beta1'
      ? { backendFramework: deployment.backend, components: parts.map((part) => betaComponent(part, name)) }
      : {
          backendFramework: deployment.backend,
          services: Object.fromEntries(parts.map((part) => [part.name, alphaService(part, name)])),
        }
  const graph = {
    apiVersion: `nvidia.com/${version}`,
    kind: 'DynamoGraphDeployment',
    metadata: { name, annotations: annotations(deployment) },
    spec,
  }
  return deployment.backend === 'trtllm' ? [configMap(deployment, name), graph] : [graph]
}

/** YAML text of the objects, one document each. */
export function manifestYaml(deployment: Deployment, release: DynamoRelease, version: ManifestVersion): string {
  return manifestObjects(deployment, release, version)
    .map((object) => stringify(object, { lineWidth: 0 }))
    .join('---\n')
}

function annotations(deployment: Deployment): Record<string, string> {
  return {
    'spica.dev/candidate': String(deployment.candidate),
    'spica.dev/hardware-sku': deployment.hardwareSku,
    'spica.dev/perf-database-version': `${deployment.backend} ${deployment.backendVersion ?? 'unknown'}`,
    ...(deployment.planner === null ? {} : { 'spica.dev/replicas-set-by': 'planner' }),
  }
}

function configMap(deployment: Deployment, name: string): Json {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-engine` },
    data: Object.fromEntries(
      deployment.pools.map((pool) => [trtllmConfigFile(pool), trtllmEngineYaml(deployment, pool)]),
    ),
  }
}

function command(part: Component): Json {
  return {
    ...(part.workingDir === null ? {} : { workingDir: part.workingDir }),
    command: ['python3', '-m', part.module],
    args: [...part.args],
  }
}

function volumes(part: Component, name: string): { pod: Json; container: Json } {
  if (part.configFolder === null) return { pod: {}, container: {} }
  return {
    pod: { volumes: [{ name: CONFIG_VOLUME, configMap: { name: `${name}-engine` } }] },
    container: { volumeMounts: [{ name: CONFIG_VOLUME, mountPath: part.configFolder, readOnly: true }] },
  }
}

function betaComponent(part: Component, name: string): Json {
  const { pod, container } = volumes(part, name)
  const env = Object.entries(part.env).map(([key, value]) => ({ name: key, value }))
  return {
    name: part.name,
    type: part.type,
    replicas: part.replicas,
    ...(part.nodes > 1 ? { multinode: { nodeCount: part.nodes } } : {}),
    ...(part.sharedMemory === null ? {} : { sharedMemorySize: part.sharedMemory }),
    podTemplate: {
      spec: {
        containers: [
          {
            name: 'main',
            image: part.image,
            ...command(part),
            ...(part.token ? { envFrom: [{ secretRef: { name: TOKEN_SECRET } }] } : {}),
            ...(env.length > 0 ? { env } : {}),
            ...resources(part),
            ...container,
          },
        ],
        ...pod,
      },
    },
  }
}

function resources(part: Component): Json {
  if (part.gpusPerPod === 0) return {}
  const gpus = { 'nvidia.com/gpu': String(part.gpusPerPod) }
  if (part.memoryGiB === null) return { resources: { limits: gpus } }
  const amounts = { ...gpus, memory: `${part.memoryGiB}Gi` }
  return { resources: { limits: amounts, requests: { ...amounts } } }
}

const ALPHA_TYPES = {
  frontend: { componentType: 'frontend' },
  planner: { componentType: 'planner' },
  worker: { componentType: 'worker' },
  prefill: { componentType: 'worker', subComponentType: 'prefill' },
  decode: { componentType: 'worker', subComponentType: 'decode' },
} as const

function alphaService(part: Component, name: string): Json {
  const { pod, container } = volumes(part, name)
  const envs = Object.entries(part.env).map(([key, value]) => ({ name: key, value }))
  const amounts = {
    gpu: String(part.gpusPerPod),
    ...(part.memoryGiB === null ? {} : { memory: `${part.memoryGiB}Gi` }),
  }
  return {
    ...ALPHA_TYPES[part.type],
    replicas: part.replicas,
    ...(part.token ? { envFromSecret: TOKEN_SECRET } : {}),
    ...(envs.length > 0 ? { envs } : {}),
    ...(part.gpusPerPod > 0
      ? { resources: { limits: amounts, ...(part.memoryGiB === null ? {} : { requests: { ...amounts } }) } }
      : {}),
    ...(part.nodes > 1 ? { multinode: { nodeCount: part.nodes } } : {}),
    ...(part.sharedMemory === null ? {} : { sharedMemory: { size: part.sharedMemory } }),
    extraPodSpec: { ...pod, mainContainer: { image: part.image, ...command(part), ...container } },
  }
}
