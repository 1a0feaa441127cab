import { parseModelConfig } from '@spica/catalog'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { kvCurve, parameterCounts } from '../src/index.js'

interface Facts {
  readonly models: Readonly<
    Record<
      string,
      {
        readonly facts: Record<string, unknown>
        readonly hf_quant_config?: Record<string, unknown>
        readonly derived: {
          readonly kv_bytes_per_token_growing_bf16_tp1?: number
          readonly kv_bytes_per_token_windowed_bf16_tp1?: number
          readonly mamba_state_bytes_per_sequence_tp1?: number
          readonly linear_state_bytes_per_sequence_tp1?: number
          readonly params_total_est?: number
          readonly params_active_est?: number | null
        }
      }
    >
  >
}

describe.skipIf(!hasGolden)('derived facts by the estimate itself', () => {
  const entries = hasGolden ? Object.entries(readGoldenJson<Facts>('models/config-facts.json').models) : []

  it('cache bytes and state', () => {
    let checked = 0
    for (const [name, { facts, derived }] of entries) {
      if (derived.kv_bytes_per_token_growing_bf16_tp1 === undefined) continue
      const model = { ...parseModelConfig(facts), indexer: null }
      const curve = kvCurve(model, 1, { kvCacheDtype: 'bfloat16' })
      expect(curve.growingBytesPerToken, name).toBe(derived.kv_bytes_per_token_growing_bf16_tp1)
      const windowed = curve.windows.reduce((sum, window) => sum + window.bytesPerToken, 0)
      expect(windowed, name).toBe(derived.kv_bytes_per_token_windowed_bf16_tp1)
      const state = derived.mamba_state_bytes_per_sequence_tp1 ?? derived.linear_state_bytes_per_sequence_tp1
      if (state !== undefined) expect(curve.stateBytes, name).toBe(state)
      checked++
    }
    console.log(`cache bytes: ${checked} of ${checked} models with figures`)
    expect(checked).toBeGreaterThan(30)
  })

  it('parameters', () => {
    let checked = 0
    const wrong: string[] = []
    for (const [name, { facts, derived }] of entries) {
      if (derived.params_total_est === undefined) continue
      // The data set counts no indexers.
      const { total, active } = parameterCounts({ ...parseModelConfig(facts), indexer: null })
      checked++
      if (total !== derived.params_total_est) wrong.push(`${name} total ${total} for ${derived.params_total_est}`)
      const expected = derived.params_active_est ?? derived.params_total_est
      if (active !== expected) wrong.push(`${name} active ${active} for ${expected}`)
    }
    console.log(`parameters: ${checked - wrong.length} of ${checked} models`)
    expect(wrong).toEqual([])
  })
})
