import { findHardware, findModel } from '@spica/catalog'
import type { Backend, ShapeContext, WorkerShape } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { backendRule, createKvFitRule, divisibilityRule, quantisationRule } from '../src/index.js'

interface PoolRow {
  readonly model: string
  readonly sku: string
  readonly backend: Backend
  readonly mode: 'agg' | 'disagg'
  readonly gpu_budget: number
  readonly min_gpu_budget: number | null
  readonly max_seq_len: number | null
  readonly shapes?: readonly (readonly number[])[]
  readonly error?: string
}

/** The shapes that upstream considers: powers of two, one kind of split each. */
function pureShapes(gpuBudget: number, isMoe: boolean): WorkerShape[] {
  const sizes = [1, 2, 4, 8, 16].filter((size) => size <= gpuBudget)
  if (!isMoe) return sizes.map((tp) => ({ tp, attentionDp: 1, moeTp: 1, moeEp: 1 }))
  return sizes
    .filter((size) => size > 1)
    .flatMap((g) => [
      { tp: 1, attentionDp: g, moeTp: 1, moeEp: g },
      { tp: 1, attentionDp: g, moeTp: g, moeEp: 1 },
      { tp: g, attentionDp: 1, moeTp: 1, moeEp: g },
      { tp: g, attentionDp: 1, moeTp: g, moeEp: 1 },
    ])
}

describe.skipIf(!hasGolden)('shapes kept for aggregated pools under aic-0.11', () => {
  it('equal the golden ones', () => {
    const { parallel_configs_for: rows } = readGoldenJson<{ parallel_configs_for: PoolRow[] }>(
      'parallel/enumerations.json.gz',
    )
    const rules = [divisibilityRule, quantisationRule, backendRule, createKvFitRule({ compat: 'aic-0.11' })]
    const wrong: string[] = []
    const checked = rows.filter((row) => row.mode === 'agg' && (row.shapes !== undefined || row.error !== undefined))
    for (const row of checked) {
      const model = findModel(row.model)
      const context: ShapeContext = {
        model,
        hardware: findHardware(row.sku),
        backend: row.backend,
        role: 'agg',
        maxSequenceTokens: row.max_seq_len ?? model.contextLength,
        engineSettings: [],
      }
      const kept = pureShapes(row.gpu_budget, model.moe !== null).filter((shape) =>
        rules.every((rule) => rule.check(shape, context).ok),
      )
      const ours = kept.map((shape) => [shape.tp, shape.attentionDp, shape.moeTp, shape.moeEp].join()).sort()
      const theirs = (row.shapes ?? []).map((shape) => shape.join()).sort()
      if (JSON.stringify(ours) !== JSON.stringify(theirs))
        wrong.push(`${JSON.stringify(row)} gave ${JSON.stringify(ours)}`)
    }
    console.log(`aggregated pools: ${checked.length - wrong.length} of ${checked.length}`)
    expect(wrong.slice(0, 3)).toEqual([])
  })
})
