import type { Backend } from '@spica/schema'
import { SpicaError } from '@spica/schema'

/** Image and flags default to this Dynamo release. */
export const DEFAULT_DYNAMO_VERSION = '1.3.1'

/** Engine versions that each Dynamo release line ships. */
const ENGINES: Readonly<Record<string, Readonly<Record<Backend, string>>>> = {
  '1.3': { vllm: '0.24.0', sglang: '0.5.16', trtllm: '1.3.0rc23' },
  '1.2': { vllm: '0.20.1', sglang: '0.5.11', trtllm: '1.3.0rc14' },
}

const RUNTIME_IMAGES: Readonly<Record<Backend, string>> = {
  vllm: 'vllm-runtime',
  sglang: 'sglang-runtime',
  trtllm: 'tensorrtllm-runtime',
}
const REGISTRY = 'nvcr.io/nvidia/ai-dynamo'

/** A Dynamo release and what differs between releases. */
export interface DynamoRelease {
  readonly version: string
  /** Engine version in the image; null when this release is not known here. */
  readonly engineVersion: (backend: Backend) => string | null
  readonly runtimeImage: (backend: Backend) => string
  readonly plannerImage: (backend: Backend) => string
  /** TensorRT-LLM workers' flag for KV events. */
  readonly trtllmEventsFlag: string
  /** From 1.4 on the frontend takes the decode-blocks threshold as a share between 0 and 1. */
  readonly decodeThresholdIsShare: boolean
}

/**
 * The release named `MAJOR.MINOR.PATCH`. Releases before 1.0 used other worker flags and are refused.
 * @throws SpicaError `unsupported-dynamo-version`
 */
export function dynamoRelease(version: string): DynamoRelease {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)
  const [major, minor] = match === null ? [0, 0] : [Number(match[1]), Number(match[2])]
  if (match === null || major < 1) {
    throw new SpicaError('input', 'unsupported-dynamo-version', `Dynamo version ${version} is not supported`, {
      hint: `give MAJOR.MINOR.PATCH from 1.0.0 on, e.g. ${DEFAULT_DYNAMO_VERSION}`,
    })
  }
  const since = (otherMajor: number, otherMinor: number): boolean =>
    major > otherMajor || (major === otherMajor && minor >= otherMinor)
  const runtimeImage = (backend: Backend): string => `${REGISTRY}/${RUNTIME_IMAGES[backend]}:${version}`
  return {
    version,
    engineVersion: (backend) => ENGINES[`${major}.${minor}`]?.[backend] ?? null,
    runtimeImage,
    plannerImage: (backend) => (since(1, 1) ? `${REGISTRY}/dynamo-planner:${version}` : runtimeImage(backend)),
    trtllmEventsFlag: since(1, 3) ? '--publish-kv-events' : '--publish-events-and-metrics',
    decodeThresholdIsShare: since(1, 4),
  }
}
