import type { Backend } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import {
  configTuple,
  type EnumerateOptions,
  enumerate,
  type MoeBackend,
  shapeStrategy,
  workerShapes,
} from '../src/index.js'

interface ShapeRow {
  is_moe: boolean
  backend: Backend
  g: number
  moe_backend: MoeBackend | null
  allow_moe_pure_tp: boolean
  shapes: { tp: number; dp: number; moe_tp: number; moe_ep: number; pp: number; strategy: string }[]
}
interface ConfigRow {
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

/** All tuples of one mode, empty where nothing is viable. */
function tuples(options: Omit<EnumerateOptions, 'compat'>): number[][] {
  try {
    const { branches } = enumerate({ ...options, compat: ['aic-0.11'] })
    return [...branches[0]!.pool].map(configTuple)
  } catch (error) {
    if ((error as { code?: string }).code === 'no-viable-parallel-config') return []
    throw error
  }
}

describe.skipIf(!hasGolden)('enumerations-pure.json.gz', () => {
  const golden = readGoldenJson<{ worker_shapes: ShapeRow[]; parallel_configs: ConfigRow[] }>(
    'parallel/enumerations-pure.json.gz',
  )

  it('gives every list of worker shapes, in order', () => {
    for (const row of golden.worker_shapes) {
      const shapes = workerShapes(row.g, {
        isMoe: row.is_moe,
        backend: row.backend,
        moeBackend: row.moe_backend,
        allowMoePureTp: row.allow_moe_pure_tp,
        singleGpuMoe: false,
      }).map((shape) => ({
        tp: shape.tp,
        dp: shape.attentionDp,
        moe_tp: shape.moeTp,
        moe_ep: shape.moeEp,
        pp: 1,
        strategy: shapeStrategy(shape),
      }))
      expect(shapes).toEqual(row.shapes)
    }
    console.log(`enumerations-pure worker_shapes: ${golden.worker_shapes.length} of ${golden.worker_shapes.length}`)
  })

  it('gives every list of configurations, in order', () => {
    for (const row of golden.parallel_configs) {
      const base = {
        backends: [row.backend],
        isMoe: row.is_moe,
        gpuBudget: row.gpu_budget,
        minGpuBudget: row.min_gpu_budget,
      }
      const agg = tuples({ ...base, deploymentModes: ['agg'] })
      const disagg = tuples({ ...base, deploymentModes: ['disagg'] })
      expect([agg.length, disagg.length]).toEqual([row.n_agg, row.n_disagg])
      if (row.agg !== undefined) expect(agg).toEqual(row.agg)
      if (row.disagg !== undefined) expect(disagg).toEqual(row.disagg)
      if (row.disagg_first5 !== undefined) expect(disagg.slice(0, 5)).toEqual(row.disagg_first5)
      if (row.disagg_last5 !== undefined) expect(disagg.slice(-5)).toEqual(row.disagg_last5)
    }
    console.log(`enumerations-pure configs: ${golden.parallel_configs.length} of ${golden.parallel_configs.length}`)
  })
})
