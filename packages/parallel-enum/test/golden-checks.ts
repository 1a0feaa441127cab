import type { Backend, DeploymentMode } from '@spica/schema'
import {
  configTuple,
  createProjector,
  type EnumerateOptions,
  enumerate,
  type LatentValues,
  type MoeBackend,
  poolFromConfigs,
  shapeStrategy,
  workerShapes,
} from '../src/index.js'
import { configFromTuple, type GoldenParameter, goldenParameter } from './golden-rows.js'

export interface ShapeRow {
  is_moe: boolean
  backend: Backend
  g: number
  moe_backend: MoeBackend | null
  allow_moe_pure_tp: boolean
  shapes: { tp: number; dp: number; moe_tp: number; moe_ep: number; pp: number; strategy: string }[]
}

export interface ConfigRow {
  is_moe: boolean
  backend: Backend
  gpu_budget: number
  min_gpu_budget: number | null
  n_agg: number
  n_disagg: number
  /** Absent when long, as is `disagg`. */
  agg?: number[][]
  disagg?: number[][]
  disagg_first5?: number[][]
  disagg_last5?: number[][]
}

export interface ProjectionBranch {
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

export function shapesOfRow(row: ShapeRow): ShapeRow['shapes'] {
  const options = {
    isMoe: row.is_moe,
    backend: row.backend,
    moeBackend: row.moe_backend,
    allowMoePureTp: row.allow_moe_pure_tp,
    singleGpuMoe: false,
  }
  return workerShapes(row.g, options).map((shape) => ({
    tp: shape.tp,
    dp: shape.attentionDp,
    moe_tp: shape.moeTp,
    moe_ep: shape.moeEp,
    pp: 1,
    strategy: shapeStrategy(shape),
  }))
}

/** All tuples of one mode, empty where nothing is viable. */
function tuples(options: EnumerateOptions): number[][] {
  try {
    return [...enumerate(options).branches[0]!.pool].map(configTuple)
  } catch (error) {
    if ((error as { code?: string }).code === 'no-viable-parallel-config') return []
    throw error
  }
}

/** What this package says where the row says something. */
export function configsOfRow(row: ConfigRow): ConfigRow {
  const base = {
    backends: [row.backend],
    isMoe: row.is_moe,
    gpuBudget: row.gpu_budget,
    minGpuBudget: row.min_gpu_budget,
    compat: ['aic-0.11'] as const,
  }
  const agg = tuples({ ...base, deploymentModes: ['agg'] })
  const disagg = tuples({ ...base, deploymentModes: ['disagg'] })
  return {
    ...row,
    n_agg: agg.length,
    n_disagg: disagg.length,
    ...(row.agg === undefined ? {} : { agg }),
    ...(row.disagg === undefined ? {} : { disagg }),
    ...(row.disagg_first5 === undefined ? {} : { disagg_first5: disagg.slice(0, 5) }),
    ...(row.disagg_last5 === undefined ? {} : { disagg_last5: disagg.slice(-5) }),
  }
}

/** Parameters of the branch, and the requests that are answered differently. */
export function projectBranch(branch: ProjectionBranch): { parameters: GoldenParameter[]; wrong: unknown[] } {
  const backends: Backend[] = ['vllm', 'sglang', 'trtllm']
  const shared = branch.supported_backends[0] === 'all same' ? (branch.supported_backends[1] as Backend[]) : null
  const entries = branch.configs.map((tuple, i) => ({
    config: configFromTuple(tuple),
    backends: shared ?? (branch.supported_backends[i] as Backend[]),
  }))
  const projector = createProjector(poolFromConfigs(branch.deployment_mode, branch.gpu_budget, backends, entries))
  const sorted = (values: LatentValues): string => JSON.stringify(Object.entries(values).sort())
  const wrong = branch.tests.filter((test) => {
    const result = projector.project(test.request, test.backend)
    return !(
      result?.index === test.index &&
      configTuple(result.config).join() === test.config.join() &&
      Math.abs(result.distance - test.distance) <= 1e-9 &&
      result.modeMismatches > 0 === test.mode_projected &&
      sorted(result.actual) === sorted(test.actual)
    )
  })
  return { parameters: projector.space.all.map(goldenParameter), wrong }
}
