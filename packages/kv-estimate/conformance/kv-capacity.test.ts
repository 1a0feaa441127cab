import { findHardware, findModel } from '@spica/catalog'
import type { Backend, HardwareSpec, ModelSpec } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { estimateKv, weightsByOperator } from '../src/index.js'

interface KvGoldenRow {
  readonly model: string
  readonly sku: string
  readonly backend: Backend
  readonly tp: number
  readonly dp: number
  readonly moe_tp: number
  readonly moe_ep: number
  readonly max_num_tokens?: number
  readonly max_batch_size?: number
  readonly memory_fraction?: number
  readonly weights_bytes?: number
  readonly activations_bytes?: number
  readonly runtime_overhead_bytes?: number
  readonly comm_overhead_bytes?: number
  readonly kv_size_per_token_bytes?: number
  readonly total_kv_size_tokens?: number | null
  readonly error?: string
  readonly error_stage?: string
}

describe.skipIf(!hasGolden)('kv-capacity under aic-0.11', () => {
  const models = new Map<string, ModelSpec>()
  const skus = new Map<string, HardwareSpec>()
  const modelOf = (name: string) => models.get(name) ?? models.set(name, findModel(name)).get(name)!
  const skuOf = (name: string) => skus.get(name) ?? skus.set(name, findHardware(name)).get(name)!

  it('equals every row', () => {
    const { rows } = readGoldenJson<{ rows: KvGoldenRow[] }>('kv-capacity/kv-capacity.json.gz')
    const wrong: string[] = []
    let exact = 0
    for (const row of rows) {
      const estimate = estimateKv({
        model: modelOf(row.model),
        hardware: skuOf(row.sku),
        backend: row.backend,
        shape: { tp: row.tp, attentionDp: row.dp, moeTp: row.moe_tp, moeEp: row.moe_ep },
        settings: {
          maxNumBatchedTokens: row.max_num_tokens ?? 8192,
          maxNumSeqs: row.max_batch_size ?? 256,
          memoryFraction: row.memory_fraction ?? 0.9,
        },
        compat: 'aic-0.11',
      })
      const expected = row.error === undefined ? row.total_kv_size_tokens! : null
      const tokens = estimate.totalKvSizeTokens
      const parts: readonly (readonly [number, number | undefined])[] = [
        [estimate.weightsBytes, row.weights_bytes],
        [estimate.activationsBytes, row.activations_bytes],
        [estimate.runtimeOverheadBytes, row.runtime_overhead_bytes],
        [estimate.commOverheadBytes, row.comm_overhead_bytes],
        [estimate.kvSizePerTokenBytes, row.kv_size_per_token_bytes],
      ]
      const partsRight = parts.every(
        ([ours, theirs]) => theirs === undefined || Math.abs(ours - theirs) <= 0.005 * theirs,
      )
      const tokensRight =
        expected === null ? tokens === null : tokens !== null && Math.abs(tokens - expected) <= 0.01 * expected
      const stageRight = (row.error_stage === 'build') === (estimate.reason?.code === 'quantised-split')
      if (tokens === expected) exact++
      if (!(partsRight && tokensRight && stageRight))
        wrong.push(`${JSON.stringify(row)} gave ${tokens} ${JSON.stringify(parts)}`)
    }
    console.log(`kv-capacity: ${rows.length - wrong.length} of ${rows.length} rows, ${exact} exact`)
    expect(wrong.slice(0, 3)).toEqual([])
  })

  it('equals every operator weight', () => {
    const rows = readGoldenJson<(KvGoldenRow & { weights_by_op: Record<string, number> })[]>(
      'kv-capacity/weights-by-op.json.gz',
    )
    const wrong: string[] = []
    for (const row of rows) {
      const shape = { tp: row.tp, attentionDp: row.dp, moeTp: row.moe_tp, moeEp: row.moe_ep }
      const ours = weightsByOperator(modelOf(row.model), shape, { compat: 'aic-0.11' })
      const names = new Set([
        ...Object.keys(row.weights_by_op).map((name) => name.replace('context_', '')),
        ...Object.keys(ours),
      ])
      for (const name of names) {
        const theirs = row.weights_by_op[`context_${name}`] ?? 0
        if (Math.abs((ours[name] ?? 0) - theirs) > 0.005 * theirs) {
          wrong.push(`${row.model} ${JSON.stringify(shape)} ${name}: ${ours[name]} for ${theirs}`)
        }
      }
    }
    console.log(`weights-by-op: ${rows.length} shapes, ${wrong.length} operators wrong`)
    expect(wrong.slice(0, 5)).toEqual([])
  })
})
