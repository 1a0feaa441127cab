import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type DeploymentOptions,
  deploymentPlan,
  type ParallelConfig,
  shapeStrategy,
  type UnrollOptions,
  unrollSample,
} from '../../src/index.js'

interface Row {
  search_space: object
  selection: UnrollOptions['selection']
  parallel_config: number[]
  load_predictor: UnrollOptions['loadPredictors'] & object
  unrolled: object
  deployment: {
    backend_version: string
    optimization_target: DeploymentOptions['optimizationTarget']
    planner_sla: DeploymentOptions['plannerSla']
    plan: { error?: string }
  }
}

const rows = JSON.parse(readFileSync(new URL('../fixtures/unroll.json', import.meta.url), 'utf8')) as Row[]
const names = { model_name: 'meta-llama/Meta-Llama-3.1-8B', hardware_sku: 'h200_sxm' }

function shape(row: readonly number[]) {
  const [tp, attentionDp, moeTp, moeEp, replicas] = row as [number, number, number, number, number]
  return { tp, attentionDp, moeTp, moeEp, replicas }
}

function parallel(row: readonly number[]): ParallelConfig {
  if (row.length === 5) return { mode: 'agg', agg: shape(row) }
  return { mode: 'disagg', prefill: shape(row.slice(0, 5)), decode: shape(row.slice(5)) }
}

describe('unrollSample and deploymentPlan', () => {
  it.each(rows.map((row, index) => [index, row] as const))('equal golden row %d, key order too', (_, row) => {
    const sample = unrollSample({
      searchSpace: { ...names, ...row.search_space },
      selection: row.selection,
      parallelConfig: parallel(row.parallel_config),
      loadPredictors: row.load_predictor,
    })
    expect(JSON.stringify(sample, null, 1)).toBe(JSON.stringify(row.unrolled, null, 1))
    const { backend_version, optimization_target, planner_sla, plan } = row.deployment
    const result = deploymentPlan(sample, {
      backendVersion: backend_version,
      optimizationTarget: optimization_target,
      plannerSla: planner_sla,
    })
    if (plan.error === undefined) {
      expect(result.ok && JSON.stringify(result.plan, null, 1)).toBe(JSON.stringify(plan, null, 1))
    } else {
      expect(result).toMatchObject({ ok: false, error: { code: 'scaling-needs-ttft-and-itl' } })
    }
  })

  it('leaves predictor fields out where no predictor was chosen', () => {
    const selection = {
      deployment_mode: 'agg',
      backend: 'trtllm',
      router_mode: 'round_robin',
      planner_scaling_policy: 'hybrid_180_5',
      agg_max_num_batched_tokens: 8192,
      agg_max_num_seqs: 256,
    } as const
    const sample = unrollSample({ searchSpace: names, selection, parallelConfig: parallel([1, 1, 1, 1, 1]) })
    expect(sample).not.toHaveProperty('load_predictor')
    expect(sample).toMatchObject({ max_num_fpm_samples: 64, load_min_observations: 5, strategy: 'tp' })
    const options = { backendVersion: null, optimizationTarget: 'sla', plannerSla: { ttft_ms: 1, itl_ms: 2 } } as const
    const result = deploymentPlan(sample, options)
    expect(result.ok && result.plan.planner_config).toMatchObject({ ttft_ms: 1, itl_ms: 2 })
    expect(result.ok && result.plan.planner_config).not.toHaveProperty('load_predictor')
    expect(result.ok && result.plan.agg_engine_args).toMatchObject({ engine_type: 'trtllm', aic_tp_size: 1 })
  })
})

describe('shapeStrategy', () => {
  it.each([
    [[1, 1, 1, 1, 1], 'tp'],
    [[8, 1, 8, 1, 1], 'tp'],
    [[8, 1, 1, 8, 1], 'tep'],
    [[1, 8, 1, 8, 1], 'dep'],
    [[1, 8, 8, 1, 1], 'dtp'],
    [[1, 1, 1, 1, 4], 'tp'],
  ] as const)('of %j is %s', (row, expected) => {
    expect(shapeStrategy(shape(row))).toBe(expected)
  })
})
