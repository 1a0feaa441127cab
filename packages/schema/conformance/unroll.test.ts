import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import {
  type DeploymentOptions,
  deploymentPlan,
  type ParallelConfig,
  type ReplicatedShape,
  type UnrollOptions,
  unrollSample,
} from '../src/index.js'

interface Row {
  search_space: Record<string, unknown>
  selection: UnrollOptions['selection']
  parallel_config: number[]
  load_predictor: UnrollOptions['loadPredictors'] & object
  unrolled: Record<string, unknown>
  deployment: {
    backend_version: string
    optimization_target: DeploymentOptions['optimizationTarget']
    planner_sla: DeploymentOptions['plannerSla']
    plan: Record<string, unknown>
  }
}

function shape(row: number[]): ReplicatedShape {
  const [tp, attentionDp, moeTp, moeEp, replicas] = row as [number, number, number, number, number]
  return { tp, attentionDp, moeTp, moeEp, replicas }
}

function parallel(row: number[]): ParallelConfig {
  if (row.length === 5) return { mode: 'agg', agg: shape(row) }
  return { mode: 'disagg', prefill: shape(row.slice(0, 5)), decode: shape(row.slice(5)) }
}

describe.skipIf(!hasGolden)('config/unroll.json', () => {
  const rows = hasGolden ? readGoldenJson<Row[]>('config/unroll.json') : []
  const names = { model_name: 'meta-llama/Meta-Llama-3.1-8B', hardware_sku: 'h200_sxm' }
  const unroll = (row: Row) =>
    unrollSample({
      searchSpace: { ...names, ...row.search_space },
      selection: row.selection,
      parallelConfig: parallel(row.parallel_config),
      loadPredictors: row.load_predictor,
    })

  it('unrolls every sample to the same text', () => {
    for (const row of rows) expect(JSON.stringify(unroll(row), null, 1)).toBe(JSON.stringify(row.unrolled, null, 1))
    console.log(`unroll: ${rows.length} of ${rows.length}`)
  })

  it('plans every deployment to the same text, or refuses it', () => {
    for (const { deployment, ...row } of rows) {
      const result = deploymentPlan(unroll(row as Row), {
        backendVersion: deployment.backend_version,
        optimizationTarget: deployment.optimization_target,
        plannerSla: deployment.planner_sla,
      })
      if ('error' in deployment.plan) expect(result.ok).toBe(false)
      else expect(result.ok && JSON.stringify(result.plan, null, 1)).toBe(JSON.stringify(deployment.plan, null, 1))
    }
    console.log(`deployment plans: ${rows.length} of ${rows.length}`)
  })
})
