import type { Backend, DeploymentMode } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { configTuple, createProjector, type LatentValues, poolFromConfigs } from '../src/index.js'
import { configFromTuple, type GoldenParameter, goldenParameter } from '../test/golden-rows.js'

interface ProjectionBranch {
  name: string
  deployment_mode: DeploymentMode
  gpu_budget: number
  configs: number[][]
  supported_backends: ['all same', Backend[]] | Backend[][]
  parameters: GoldenParameter[]
  tests: {
    request: Record<string, number | string>
    backend: Backend
    index: number
    config: number[]
    distance: number
    mode_projected: boolean
    actual: LatentValues
  }[]
}

describe.skipIf(!hasGolden)('projection.json.gz', () => {
  const { branches } = readGoldenJson<{ branches: ProjectionBranch[] }>('parallel/projection.json.gz')

  it.each(branches.map((branch) => [branch.name, branch] as const))('%s', (name, branch) => {
    const backends: Backend[] = ['vllm', 'sglang', 'trtllm']
    const shared = branch.supported_backends[0] === 'all same' ? (branch.supported_backends[1] as Backend[]) : null
    const pool = poolFromConfigs(
      branch.deployment_mode,
      branch.gpu_budget,
      backends,
      branch.configs.map((tuple, i) => ({
        config: configFromTuple(tuple),
        backends: shared ?? (branch.supported_backends[i] as Backend[]),
      })),
    )
    const projector = createProjector(pool)
    expect(projector.space.all.map(goldenParameter)).toEqual(branch.parameters)
    for (const test of branch.tests) {
      const result = projector.project(test.request, test.backend)
      expect(result?.index).toBe(test.index)
      expect(configTuple(result!.config)).toEqual(test.config)
      expect(Math.abs(result!.distance - test.distance)).toBeLessThanOrEqual(1e-9)
      expect(result!.modeMismatches > 0).toBe(test.mode_projected)
      expect(result!.actual).toEqual(test.actual)
    }
    console.log(`projection ${name}: ${branch.tests.length} of ${branch.tests.length}`)
  })
})
