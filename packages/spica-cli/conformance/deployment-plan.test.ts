import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { buildDeploymentPlan, type DeploymentContext } from '../src/evaluation/deployment-plan.js'

interface Row {
  unrolled: Record<string, unknown>
  deployment: {
    backend_version: string
    optimization_target: DeploymentContext['optimizationTarget']
    planner_sla: DeploymentContext['plannerSla']
    plan: Record<string, unknown>
  }
}

describe.skipIf(!hasGolden)('deployment plans of config/unroll.json', () => {
  const rows = hasGolden ? readGoldenJson<Row[]>('config/unroll.json') : []
  const contextOf = ({ deployment }: Row): DeploymentContext => ({
    backendVersion: deployment.backend_version,
    optimizationTarget: deployment.optimization_target,
    plannerSla: deployment.planner_sla,
  })

  it(`equal upstream's, ${rows.length} of ${rows.length}`, () => {
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      if ('error' in row.deployment.plan) {
        expect(() => buildDeploymentPlan(row.unrolled, contextOf(row))).toThrow(/needs ttft_ms and itl_ms/)
      } else {
        expect(buildDeploymentPlan(row.unrolled, contextOf(row))).toEqual(row.deployment.plan)
      }
    }
  })
})
