import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHardware, findModel } from '@spica/catalog'
import type { Backend } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { estimateKv, type KvEstimate } from '../src/index.js'

interface Row {
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
  readonly error_stage?: string
  readonly infeasible?: boolean
}

const rows = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', 'kv-rows.json'), 'utf8')) as readonly Row[]

function estimate(row: Row, compat: boolean): KvEstimate {
  return estimateKv({
    model: findModel(row.model),
    hardware: findHardware(row.sku),
    backend: row.backend,
    shape: { tp: row.tp, attentionDp: row.dp, moeTp: row.moe_tp, moeEp: row.moe_ep },
    settings: {
      maxNumBatchedTokens: row.max_num_tokens ?? 8192,
      maxNumSeqs: row.max_batch_size ?? 256,
      memoryFraction: row.memory_fraction ?? 0.9,
    },
    ...(compat ? { compat: 'aic-0.11' as const } : {}),
  })
}

describe('estimates under aic-0.11', () => {
  it.each(
    rows.map(
      (row) => [`${row.model} ${row.sku} ${row.backend} ${row.tp}/${row.dp}/${row.moe_tp}/${row.moe_ep}`, row] as const,
    ),
  )('%s', (_name, row) => {
    const found = estimate(row, true)
    if (row.error_stage === 'build') {
      expect(found.reason?.code).toBe('quantised-split')
      return
    }
    expect(found.weightsBytes).toBe(row.weights_bytes)
    expect(Math.abs(found.activationsBytes - row.activations_bytes!)).toBeLessThanOrEqual(1)
    expect(found.runtimeOverheadBytes).toBe(row.runtime_overhead_bytes)
    expect(found.commOverheadBytes).toBe(row.comm_overhead_bytes)
    expect(found.kvSizePerTokenBytes).toBe(row.kv_size_per_token_bytes)
    if (row.infeasible === true) {
      expect(found.totalKvSizeTokens).toBeNull()
      expect(found.reason?.code).toBe('no-kv-budget')
      expect(found.shortfallBytes).toBeGreaterThan(0)
    } else {
      expect(Math.abs(found.totalKvSizeTokens! - row.total_kv_size_tokens!)).toBeLessThanOrEqual(1)
    }
  })

  it('differ from the defaults where a quirk is at work, and only slightly elsewhere', () => {
    const ratios = new Map<string, number[]>()
    for (const row of rows) {
      if (row.error_stage === 'build' || row.infeasible === true || row.backend !== 'vllm') continue
      const ours = estimate(row, false)
      const theirs = estimate(row, true)
      const list = ratios.get(row.model) ?? ratios.set(row.model, []).get(row.model)!
      list.push((ours.totalKvSizeTokens ?? 0) / theirs.totalKvSizeTokens!)
    }
    for (const name of [
      'meta-llama/Meta-Llama-3.1-8B',
      'meta-llama/Meta-Llama-3.1-70B',
      'Qwen/Qwen3-8B',
      'Qwen/Qwen3-32B',
    ]) {
      for (const ratio of ratios.get(name)!) expect(Math.abs(ratio - 1)).toBeLessThan(0.02)
    }
    const oss = rows.find((row) => row.model === 'openai/gpt-oss-120b' && row.infeasible !== true)!
    const [ours, theirs] = [estimate(oss, false), estimate(oss, true)]
    expect(ours.kvSizePerTokenBytes).toBeLessThan(0.6 * theirs.kvSizePerTokenBytes)
  })
})
