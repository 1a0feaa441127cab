import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRooflineModel, latencyRow } from '../src/index.js'
import { llama } from './support/subjects.js'

const ROW = { model_name: 'meta-llama/Meta-Llama-3.1-8B', hardware_sku: 'h200_sxm', backend: 'vllm', tp: 1 }
const PREFILL = { ...ROW, phase: 'prefill', batch: 1, isl: 1024 }

const codeOf = async (row: unknown): Promise<string | undefined> => {
  const answer = await latencyRow(row)
  return 'error' in answer ? answer.error.code : undefined
}

describe('latencyRow', () => {
  it('answers the sum of its operators', async () => {
    const answer = await latencyRow(PREFILL)
    if ('error' in answer) throw new Error(answer.error.message)
    expect(answer.ms).toBeCloseTo(createRooflineModel(llama).prefillMs(1, 1024, 0), 9)
    expect(answer.ms).toBeCloseTo(
      answer.operators.reduce((sum, { ms }) => sum + ms, 0),
      12,
    )
  })

  it('chunks a prompt over an explicit budget only', async () => {
    const long = { ...PREFILL, isl: 20_000 }
    const whole = await latencyRow(long)
    const chunked = await latencyRow({ ...long, max_num_batched_tokens: 8192 })
    if ('error' in whole || 'error' in chunked) throw new Error('both rows have answers')
    expect(chunked.ms).not.toBeCloseTo(whole.ms, 3)
  })

  it('honours the KV format', async () => {
    const decode = { ...ROW, phase: 'decode', batch: 128, context: 16_000 }
    const wide = await latencyRow(decode)
    const narrow = await latencyRow({ ...decode, kv_cache_dtype: 'fp8' })
    if ('error' in wide || 'error' in narrow) throw new Error('both rows have answers')
    expect(narrow.ms).toBeLessThan(0.8 * wide.ms)
  })

  it('says what is wrong with a row', async () => {
    expect(await codeOf(7)).toBe('invalid-row')
    expect(await codeOf({ ...PREFILL, batchsize: 3 })).toBe('unknown-key')
    expect(await codeOf({ ...PREFILL, batch: Number.NaN })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, batch: 0 })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, batch: -4 })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, batch: '1' })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, isl: 1e12 })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, prefix: 1024 })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, context: 5 })).toBe('invalid-value')
    expect(await codeOf({ ...PREFILL, phase: 'warmup' })).toBe('invalid-value')
    expect(await codeOf({ ...PREFILL, backend: 'tgi' })).toBe('invalid-value')
    expect(await codeOf({ ...PREFILL, kv_cache_dtype: 'fp3' })).toBe('unknown-kv-cache-dtype')
    expect(await codeOf({ ...PREFILL, memory_fraction: 1.5 })).toBe('invalid-number')
    expect(await codeOf({ ...PREFILL, tp: 3 })).toBe('invalid-shape')
    expect(await codeOf({ ...ROW, phase: 'decode', batch: 1 })).toBe('missing-key')
    expect(await codeOf({ ...PREFILL, model_name: 'meta-llama/Meta-Lama-3.1-8B' })).toMatch(/unknown-model/)
    const table = await latencyRow(PREFILL, { perfModel: 'table' })
    expect(table).toMatchObject({ error: { code: 'perf-db-not-given' } })
  })

  it('answers anything with a time or an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...Object.keys(PREFILL), 'context', 'x'), fc.anything()),
        async (row) => {
          const answer = await latencyRow({ ...PREFILL, ...row })
          expect('error' in answer || Number.isFinite(answer.ms)).toBe(true)
        },
      ),
    )
  })
})
