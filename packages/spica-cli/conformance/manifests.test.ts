import type { UnrolledSample } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { hasGolden, readGoldenText } from '../../../conformance/golden.js'
import { exportCandidate } from '../src/export/export-candidate.js'

interface Container {
  readonly image: string
  readonly workingDir?: string
  readonly command: readonly string[]
  readonly args: readonly string[]
}
interface Worker {
  readonly name: string
  readonly type: string
  readonly replicas: number
  readonly sharedMemorySize?: string
  readonly podTemplate: { readonly spec: { readonly containers: readonly Container[] } }
}
interface Graph {
  readonly spec: { readonly backendFramework: string; readonly components: readonly Worker[] }
}

const KV = { router_mode: 'kv_router', overlap_score_credit: 1, prefill_load_scale: 4, router_temperature: 0 }
const BASE = { hardware_sku: 'h200_sxm', gpu_budget: 32, num_g2_blocks: 0, aic_nextn: null, router_mode: 'round_robin' }
const DENSE = { attention_dp: 1, moe_tp: 1, moe_ep: 1, pp: 1 }

function role(name: string, shape: object, settings: object): Record<string, unknown> {
  const prefix = name === 'agg' ? '' : `${name}_`
  const engine = { block_size: 64, gpu_memory_utilization: 0.9, enable_prefix_caching: name !== 'decode', ...settings }
  return {
    ...Object.fromEntries(Object.entries(shape).map(([key, value]) => [prefix + key, value])),
    ...Object.fromEntries(Object.entries(engine).map(([key, value]) => [`${name}_${key}`, value])),
  }
}

/** The candidates behind the worked manifests. */
const CANDIDATES: Readonly<Record<string, Record<string, unknown>>> = {
  '1-agg-vllm-static': {
    ...BASE,
    deployment_mode: 'agg',
    backend: 'vllm',
    model_name: 'Qwen/Qwen3-32B',
    context_length: 40_960,
    ...role('agg', { tp: 2, replicas: 4, ...DENSE }, { max_num_seqs: 512, max_num_batched_tokens: 16_384 }),
  },
  '3-disagg-vllm-moe-dep': {
    ...BASE,
    ...KV,
    deployment_mode: 'disagg',
    backend: 'vllm',
    model_name: 'deepseek-ai/DeepSeek-V3',
    context_length: 32_768,
    ...role(
      'prefill',
      { tp: 8, attention_dp: 1, moe_tp: 1, moe_ep: 8, replicas: 2 },
      { max_num_seqs: 32, max_num_batched_tokens: 16_384 },
    ),
    ...role(
      'decode',
      { tp: 1, attention_dp: 8, moe_tp: 1, moe_ep: 8, replicas: 2 },
      { max_num_seqs: 512, max_num_batched_tokens: 8192 },
    ),
  },
  '4-agg-sglang-moe-tep': {
    ...BASE,
    ...KV,
    deployment_mode: 'agg',
    backend: 'sglang',
    model_name: 'deepseek-ai/DeepSeek-V3',
    context_length: 32_768,
    ...role(
      'agg',
      { tp: 8, attention_dp: 1, moe_tp: 1, moe_ep: 8, replicas: 4 },
      { max_num_seqs: 256, max_num_batched_tokens: 8192 },
    ),
  },
  '6-agg-trtllm-kv': {
    ...BASE,
    ...KV,
    deployment_mode: 'agg',
    backend: 'trtllm',
    model_name: 'Qwen/Qwen3-32B',
    context_length: 40_960,
    ...role('agg', { tp: 4, replicas: 2, ...DENSE }, { max_num_seqs: 256, max_num_batched_tokens: 8192 }),
  },
  'extra-disagg-trtllm': {
    ...BASE,
    ...KV,
    deployment_mode: 'disagg',
    backend: 'trtllm',
    model_name: 'Qwen/Qwen3-32B',
    context_length: 40_960,
    ...role('prefill', { tp: 2, replicas: 2, ...DENSE }, { max_num_seqs: 64, max_num_batched_tokens: 8192 }),
    ...role('decode', { tp: 4, replicas: 2, ...DENSE }, { max_num_seqs: 512, max_num_batched_tokens: 8192 }),
  },
}

function exported(candidate: Record<string, unknown>): Record<string, unknown>[] {
  const facts = { candidate: 1, gpusPerNode: 8, modelContextTokens: 40_960, plannerConfig: null }
  const result = exportCandidate(candidate as unknown as UnrolledSample, facts, '1.3.1')
  if (!result.ok) throw new Error(result.message)
  return parseAllDocuments(result.files[0]?.text ?? '').map((document) => document.toJS() as Record<string, unknown>)
}

/** Flags with their values, order aside. */
function flags(args: readonly string[]): Record<string, string | true> {
  const read: Record<string, string | true> = {}
  args.forEach((word, i) => {
    if (!word.startsWith('--')) return
    const next = args[i + 1]
    read[word] = next === undefined || next.startsWith('--') ? true : next
  })
  return read
}

/** Our launcher and the engine's file inside the worked manifests' shell script. */
function heredoc(script: string): { engine: unknown; args: string[] } {
  const yaml = /<<'YAML'\n([\s\S]*?)\nYAML/.exec(script)?.[1] ?? ''
  return { engine: parse(yaml), args: (/dynamo\.trtllm (.*)/.exec(script)?.[1] ?? '').split(' ') }
}

describe.skipIf(!hasGolden)('worked manifests', () => {
  for (const [name, candidate] of Object.entries(CANDIDATES)) {
    it(name, () => {
      const golden = parse(readGoldenText(`manifests/${name}.yaml`)) as Graph
      const objects = exported(candidate)
      const ours = objects.find((object) => object['kind'] === 'DynamoGraphDeployment') as unknown as Graph
      const engines = (objects.find((object) => object['kind'] === 'ConfigMap')?.['data'] ?? {}) as Record<
        string,
        string
      >
      expect(ours.spec.backendFramework).toBe(golden.spec.backendFramework)
      expect(ours.spec.components.map((part) => [part.name, part.type, part.replicas, part.sharedMemorySize])).toEqual(
        golden.spec.components.map((part) => [part.name, part.type, part.replicas, part.sharedMemorySize]),
      )
      golden.spec.components.forEach((part, i) => {
        const expected = part.podTemplate.spec.containers[0] as Container
        const actual = ours.spec.components[i]?.podTemplate.spec.containers[0] as Container
        expect(actual.image).toBe(expected.image)
        if (expected.command[0] === '/bin/bash') {
          const { engine, args } = heredoc(expected.args[0] ?? '')
          const file = { worker: 'agg', prefill: 'prefill', decode: 'decode' }[part.type as 'worker']
          expect(parse(engines[`${file}.yaml`] ?? '')).toEqual(engine)
          const { '--extra-engine-args': _theirs, ...rest } = flags(args)
          const { '--extra-engine-args': _ours, ...mine } = flags(actual.args)
          expect(mine).toEqual(rest)
          return
        }
        expect(actual.workingDir).toBe(expected.workingDir)
        expect([...actual.command, ...actual.args].slice(0, 3)).toEqual(
          [...expected.command, ...expected.args].slice(0, 3),
        )
        expect(flags(actual.args)).toEqual(flags(expected.args))
      })
    })
  }
})
