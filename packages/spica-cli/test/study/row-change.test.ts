import { estimateRow } from '@spica/kv-estimate'
import { describe, expect, it } from 'vitest'
import { holdsSequence, rowChanges, sequenceShortfallBytes } from '../../src/study/row-change.js'
import { workspace } from '../support/run-spica.js'

const ROW = { model_name: 'meta-llama/Meta-Llama-3.1-70B', hardware_sku: 'l40s', backend: 'vllm', tp: 4 }

/** The row that a change in words spells. */
function applied(row: object, words: string): Record<string, unknown> {
  const [, flag, value] = /^--([\w-]+) (\S+)/.exec(words) as unknown as [string, string, string]
  const number = Number(value)
  return { ...row, [flag.replaceAll('-', '_')]: Number.isNaN(number) ? value : number }
}

describe('changes of a kv row', () => {
  it.each([
    ROW,
    { ...ROW, tp: 2 },
    { ...ROW, tp: 4, memory_fraction: 0.7, context_length: 8192 },
    { ...ROW, model_name: 'Qwen/Qwen3-32B-FP8', tp: 1, max_num_batched_tokens: 32768, context_length: 8000 },
    { ...ROW, model_name: 'deepseek-ai/DeepSeek-V3', hardware_sku: 'h100_sxm', tp: 8 },
  ])('each make one sequence fit, alone: %o', (row) => {
    expect(holdsSequence(estimateRow(row))).toBe(false)
    expect(sequenceShortfallBytes(estimateRow(row))).toBeGreaterThan(0)
    const changes = rowChanges(row, {})
    expect(changes.length).toBeGreaterThan(0)
    for (const change of changes)
      expect([change, holdsSequence(estimateRow(applied(row, change)))]).toEqual([change, true])
    const context = changes.find((change) => change.startsWith('--context-length'))
    if (context !== undefined) {
      const longer = Number(applied(row, context)['context_length']) + 1
      expect(holdsSequence(estimateRow({ ...row, context_length: longer }))).toBe(false)
    }
  })

  it('are none for a row that fits', () => {
    expect(rowChanges({ ...ROW, tp: 8 }, {})).toEqual([])
    expect(sequenceShortfallBytes(estimateRow({ ...ROW, tp: 8 }))).toBe(0)
  })

  it('end the answer of spica kv', async () => {
    const at = workspace()
    const flags = ['--model-name', ROW.model_name, '--hardware-sku', 'l40s', '--backend', 'vllm']
    const short = await at.spica('kv', ...flags, '--tp', '4')
    expect(short.code).toBe(0)
    expect(short.stdout).toMatch(
      /one sequence of 131072 tokens lacks 6.87 GiB per GPU; any one of these is enough\n {2}--context-length 40967/,
    )
    expect(short.stdout).toMatch(/\n {2}--tp 8\n/)
    expect((await at.spica('kv', ...flags, '--tp', '8')).stdout).not.toMatch(/lacks/)
    at.remove()
  })
})
