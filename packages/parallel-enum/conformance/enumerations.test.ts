import type {
  Backend,
  DeploymentMode,
  HardwareSpec,
  ModelSpec,
  ShapeContext,
  ShapeRule,
  WorkerShape,
} from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { configTuple, createLatentSpace, enumerate, type RuleSet, shapeName } from '../src/index.js'
import { type GoldenParameter, goldenParameter } from '../test/golden-rows.js'

interface CapacityRow {
  model: string
  sku: string
  backend: Backend
  tp: number
  dp: number
  moe_tp: number
  moe_ep: number
  max_num_tokens: number
  max_batch_size: number
  memory_fraction: number
  total_kv_size_tokens?: number | null
}
interface PoolRow {
  model: string
  sku: string
  backend: Backend
  mode: DeploymentMode
  gpu_budget: number
  min_gpu_budget: number | null
  max_seq_len: number | null
  n?: number
  shapes?: number[][]
  configs?: number[][]
  error?: string
}
interface BranchRow {
  search_space: {
    model_name: string
    hardware_sku: string
    gpu_budget: number
    backend?: Backend[]
    deployment_mode?: DeploymentMode[]
    parallel_configs?: unknown[]
    context_length: number
  }
  branches?: {
    mode: DeploymentMode
    n: number
    support_counts: Record<Backend, number>
    parameters: GoldenParameter[]
    constants: Record<string, number | string>
  }[]
  error?: string
}

const nameOf = ([tp, attentionDp, moeTp, moeEp]: number[]): string =>
  shapeName({ tp: tp!, attentionDp: attentionDp!, moeTp: moeTp!, moeEp: moeEp! })

describe.skipIf(!hasGolden)('enumerations.json.gz', () => {
  const golden = readGoldenJson<{ parallel_configs_for: PoolRow[]; enumerate_branches: BranchRow[] }>(
    'parallel/enumerations.json.gz',
  )
  const facts = readGoldenJson<{ models: Record<string, { context: number; built: Record<string, unknown> }> }>(
    'models/facts.json',
  )
  const capacityRows = readGoldenJson<{ rows: CapacityRow[] }>('kv-capacity/kv-capacity.json.gz').rows

  /** KV tokens per rank at upstream's fixed settings, where the capacity data has the shape. */
  const capacities = new Map<string, number>()
  for (const row of capacityRows) {
    if (row.max_num_tokens !== 8192 || row.max_batch_size !== 256 || row.memory_fraction !== 0.9) continue
    const shape = nameOf([row.tp, row.dp, row.moe_tp, row.moe_ep])
    capacities.set(`${row.model} ${row.sku} ${row.backend} ${shape}`, row.total_kv_size_tokens ?? 0)
  }

  const isMoe = (model: string): boolean => !/Llama|Qwen3-32B/.test(model)

  /**
   * Feasibility from the capacity data. Shapes that were kept out of it are taken from the answer; `unknown` counts
   * them, so that rows decided by the capacity data alone can be told apart.
   */
  function ruleSet(
    model: string,
    sku: string,
    maxSeqLen: number | null,
    answer: number[][],
  ): RuleSet & { unknown: Set<string> } {
    const limit = maxSeqLen ?? facts.models[model]!.context
    const listed = new Set(answer.map(nameOf))
    const unknown = new Set<string>()
    const rule: ShapeRule = {
      name: 'kv-capacity',
      check(shape: WorkerShape, context: ShapeContext) {
        const tokens = capacities.get(`${model} ${sku} ${context.backend} ${shapeName(shape)}`)
        if (tokens === undefined) unknown.add(shapeName(shape))
        const fits = tokens === undefined ? listed.has(shapeName(shape)) : tokens > limit
        if (fits) return { ok: true }
        return {
          ok: false,
          code: 'kv-does-not-fit',
          message: 'too few KV tokens',
          numbers: { tokens: tokens ?? 0, limit },
        }
      },
    }
    const contextFor = (backend: Backend, role: ShapeContext['role']): ShapeContext => ({
      model: {} as ModelSpec,
      hardware: {} as HardwareSpec,
      backend,
      role,
      maxSequenceTokens: limit,
      engineSettings: [],
    })
    return { rules: [rule], contextFor, unknown }
  }

  it('gives every filtered pool', () => {
    let decidedByCapacity = 0
    for (const row of golden.parallel_configs_for) {
      const rules = ruleSet(row.model, row.sku, row.max_seq_len, row.shapes ?? [])
      const run = () =>
        enumerate({
          deploymentModes: [row.mode],
          backends: [row.backend],
          isMoe: isMoe(row.model),
          gpuBudget: row.gpu_budget,
          minGpuBudget: row.min_gpu_budget,
          ruleSet: rules,
          compat: ['aic-0.11'],
        }).branches[0]!.pool
      if (row.error !== undefined) {
        expect(run).toThrow('no viable parallel configuration')
      } else {
        const pool = run()
        expect(pool.size).toBe(row.n)
        const tuples = [...pool].map(configTuple)
        if (row.configs !== undefined) expect(tuples).toEqual(row.configs)
        const shapes = new Set(
          tuples.flatMap((tuple) => [nameOf(tuple), ...(tuple.length > 5 ? [nameOf(tuple.slice(5))] : [])]),
        )
        expect([...shapes].sort()).toEqual(row.shapes!.map(nameOf).sort())
      }
      if (rules.unknown.size === 0) decidedByCapacity++
    }
    const total = golden.parallel_configs_for.length
    console.log(`parallel_configs_for: ${total} of ${total}, ${decidedByCapacity} with every shape's capacity known`)
  })

  it('gives every whole branch: sizes, support, parameters and constants', () => {
    for (const row of golden.enumerate_branches) {
      const { search_space: space } = row
      const everyShape = [1, 2, 4, 8, 16].flatMap((g) => [
        [g, 1, 1, 1],
        ...(space.model_name.includes('GLM') && g >= 8
          ? [
              [g, 1, 1, g],
              [g, 1, g, 1],
              [1, g, 1, g],
              [1, g, g, 1],
            ]
          : []),
      ])
      const run = () =>
        enumerate({
          deploymentModes: space.deployment_mode ?? ['disagg', 'agg'],
          backends: space.backend ?? ['vllm'],
          isMoe: isMoe(space.model_name),
          gpuBudget: space.gpu_budget,
          pins: space.parallel_configs ?? [],
          ruleSet: ruleSet(space.model_name, space.hardware_sku, space.context_length, everyShape),
          compat: ['aic-0.11', 'dynamo-1.4'],
        })
      if (row.error !== undefined) {
        expect(run).toThrow(expect.objectContaining({ code: 'no-viable-parallel-config', kind: 'empty' }))
        continue
      }
      const branches = run().branches.map(({ deploymentMode, pool }) => {
        const latent = createLatentSpace(pool)
        return {
          mode: deploymentMode,
          n: pool.size,
          support_counts: Object.fromEntries(
            (['vllm', 'sglang', 'trtllm'] as const).map((one) => [one, pool.supportCount(one)]),
          ),
          parameters: latent.all.map(goldenParameter),
          constants: latent.constants,
        }
      })
      const expected = row.branches!.map(({ mode, n, support_counts, parameters, constants }) => {
        return { mode, n, support_counts, parameters, constants }
      })
      expect(branches).toEqual(expected)
    }
    console.log(`enumerate_branches: ${golden.enumerate_branches.length} of ${golden.enumerate_branches.length}`)
  })
})
