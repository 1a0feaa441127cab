import { describe, expect, it } from 'vitest'
import { type KvRowAnswer, type KvRowError, kvRow } from '../../src/index.js'

const ROW = { model_name: 'Qwen/Qwen3-32B', hardware_sku: 'h200_sxm', backend: 'vllm', tp: 2 }
const MOE_ROW = { model_name: 'deepseek-ai/DeepSeek-V3', hardware_sku: 'h200_sxm', backend: 'sglang', tp: 8 }

function answer(row: unknown): KvRowAnswer {
  const found = kvRow(row)
  if ('error' in found) throw new Error(found.error.message)
  return found
}

function errorOf(row: unknown): KvRowError['error'] {
  const found = kvRow(row)
  if (!('error' in found)) throw new Error('the row was answered')
  return found.error
}

describe('kvRow', () => {
  it('answers with the keys of the command', () => {
    const found = answer(ROW)
    expect(found).toMatchObject({ feasible: true, reason: null, shortfall_bytes: 0, kv_size_per_token_bytes: 131_072 })
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining([
        'total_kv_size_tokens',
        'weights_bytes',
        'activations_bytes',
        'runtime_overhead_bytes',
        'comm_overhead_bytes',
      ]),
    )
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  })

  it('fills defaults and the missing expert number', () => {
    expect(answer({ ...ROW, max_num_batched_tokens: 8192, max_num_seqs: 256, memory_fraction: 0.9 })).toEqual(
      answer(ROW),
    )
    expect(answer({ ...ROW, backend: null, kv_cache_dtype: 'auto', backend_version: '0.24.0' })).toEqual(answer(ROW))
    expect(answer({ ...MOE_ROW, moe_ep: 8 })).toEqual(answer({ ...MOE_ROW, moe_ep: 8, moe_tp: 1 }))
    expect(answer({ ...MOE_ROW, moe_ep: 2 })).toEqual(answer({ ...MOE_ROW, moe_ep: 2, moe_tp: 4 }))
    expect(answer(MOE_ROW)).toEqual(answer({ ...MOE_ROW, moe_ep: 1, moe_tp: 8 }))
    expect(answer({ ...MOE_ROW, moe_tp: 8 })).toEqual(answer({ ...MOE_ROW, moe_ep: 1, moe_tp: 8 }))
  })

  it('answers what does not fit with a reason and the bytes missing', () => {
    const found = answer({ ...MOE_ROW, tp: 1, moe_ep: 1 })
    expect(found).toMatchObject({ feasible: false, total_kv_size_tokens: null, reason_code: 'no-kv-budget' })
    expect(found.reason).toContain('GiB')
    expect(found.shortfall_bytes).toBeGreaterThan(500e9)
    expect(found.weights_bytes).toBeGreaterThan(600e9)
    const split = answer({ ...MOE_ROW, model_name: 'MiniMaxAI/MiniMax-M2.5', moe_tp: 8 })
    expect(split).toMatchObject({ feasible: false, total_kv_size_tokens: null, reason_code: 'quantised-split' })
    expect(split.reason).toContain('192')
  })

  it.each([
    ['NaN', { tp: Number.NaN }, 'invalid-number'],
    ['infinity', { max_num_seqs: Number.POSITIVE_INFINITY }, 'invalid-number'],
    ['zero', { tp: 0 }, 'invalid-number'],
    ['negative', { max_num_batched_tokens: -8192 }, 'invalid-number'],
    ['huge', { max_num_batched_tokens: 1e300 }, 'invalid-number'],
    ['fractions of a GPU', { tp: 1.5 }, 'invalid-number'],
    ['text for a number', { tp: '2' }, 'invalid-number'],
    ['true for a number', { tp: true }, 'invalid-number'],
    ['zero memory', { memory_fraction: 0 }, 'invalid-number'],
    ['too much memory', { memory_fraction: 1.7 }, 'invalid-number'],
    ['NaN memory', { memory_fraction: Number.NaN }, 'invalid-number'],
    ['a tp that does not divide', { tp: 3 }, 'heads-not-divisible'],
    ['experts of a dense model', { moe_ep: 2 }, 'not-a-moe-model'],
    ['an unknown dtype', { kv_cache_dtype: 'fp3' }, 'unknown-kv-cache-dtype'],
    ['a name that objects inherit', { kv_cache_dtype: 'constructor' }, 'unknown-kv-cache-dtype'],
    ['a dtype that is no text', { kv_cache_dtype: 8 }, 'unknown-kv-cache-dtype'],
    ['an unknown backend', { backend: 'tgi' }, 'unknown-backend'],
    ['an unknown model', { model_name: 'Qwen/Qwen3-33B' }, 'unknown-model'],
    ['an unknown SKU', { hardware_sku: 'a40' }, 'unknown-hardware'],
    ['a missing model', { model_name: undefined }, 'missing-key'],
    ['a misspelt key', { max_num_sequences: 8 }, 'unknown-key'],
    ['a wrong page kind', { window_pages: 'both' }, 'invalid-value'],
  ])('refuses %s', (_name, fields, code) => {
    const error = errorOf({ ...ROW, ...fields })
    expect(error.code).toBe(code)
    expect(error.message.length).toBeGreaterThan(10)
    expect(error.message).not.toContain('\n')
  })

  it('refuses what is no object', () => {
    for (const row of [null, 3, 'x', [], undefined]) expect(errorOf(row).code).toBe('invalid-row')
  })

  it('names the equation when the experts use other GPUs', () => {
    expect(errorOf({ ...MOE_ROW, tp: 4, moe_ep: 3 })).toMatchObject({ code: 'gpus-differ' })
    expect(errorOf({ ...MOE_ROW, tp: 4, moe_ep: 3 }).message).toMatch(/4 GPUs.*3/)
    expect(errorOf({ ...MOE_ROW, moe_tp: 1, moe_ep: 1 }).code).toBe('gpus-differ')
  })
})
