import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasGolden, sharedFolder } from '../../../conformance/golden.js'
import { checkTrace, convertTrace, loadTrace } from '../src/index.js'

const folder = join(sharedFolder, 'traces')

function readTraceFile(name: string): Uint8Array {
  const bytes = readFileSync(join(folder, name))
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** File → format, data rows and some statistics of its description. */
const REAL: Record<string, { format: string; rows: number; isl?: number; osl?: number; hitRate?: number | null }> = {
  'mooncake_conversation_trace.jsonl.gz': { format: 'mooncake', rows: 12031, isl: 12035, osl: 342.6, hitRate: 0.366 },
  'prefix-heavy-23k.jsonl.gz': { format: 'mooncake', rows: 23000, isl: 6836, osl: 163 },
  'azure_2023_conv.csv.gz': { format: 'azure', rows: 19366, hitRate: null },
  'samples/mooncake_arxiv_trace.sample.jsonl': { format: 'mooncake', rows: 18 },
  'samples/vidur_lengths.csv': { format: 'vidur', rows: 299 },
  'samples/vidur_splitwise_conv.csv': { format: 'vidur', rows: 299 },
}

/** What names the fault of each broken file. */
const DIRTY: Record<string, readonly string[]> = {
  '01_truncated_blank_comment_lines.jsonl': ['2 truncated-line', '3 blank-line', '4 comment-line'],
  '03_timestamps_in_seconds_float.jsonl': ['2 timestamps-maybe-seconds'],
  '05_missing_timestamp_mixed.jsonl': ['1 missing-timestamp'],
  '06_u64_hash_ids_above_2p32_and_2p53.jsonl': ['3 wide-hash-id'],
  '07_mooncake_delta_two_turns.jsonl': ['2 maybe-delta'],
  '09_zero_lengths_osl1.jsonl': ['1 no-output', '2 empty-prompt'],
  '11_burstgpt_v3_bom_failed_row.csv': ['1 byte-order-mark', '4 failed-row'],
  '13_weka_flat_block64.jsonl': ['1 weka-units'],
  '15_longer_than_context_or_kv.jsonl': ['1 clamped-to-hash-ids'],
}
const REFUSED = new Set(['01_truncated_blank_comment_lines.jsonl', '05_missing_timestamp_mixed.jsonl'])

describe.skipIf(!hasGolden)('real traces load', () => {
  for (const [name, expected] of Object.entries(REAL)) {
    it(name, () => {
      const check = checkTrace(readTraceFile(name))
      expect(check).toMatchObject({ format: expected.format, rows: expected.rows, loads: true })
      const { statistics } = check
      if (expected.isl !== undefined)
        expect(Math.abs(statistics!.inputTokens.mean / expected.isl - 1)).toBeLessThan(1e-3)
      if (expected.osl !== undefined)
        expect(Math.abs(statistics!.outputTokens.mean / expected.osl - 1)).toBeLessThan(2e-3)
      if (expected.hitRate === null) expect(statistics!.idealPrefixHitRate).toBeNull()
      else if (expected.hitRate !== undefined) expect(statistics!.idealPrefixHitRate).toBeCloseTo(expected.hitRate, 3)
    })

    it(`${name} converts to the same requests`, () => {
      const bytes = readTraceFile(name)
      const original = loadTrace(bytes, { allowNoTimestamps: true }).workload
      const text = [...convertTrace(bytes).chunks].join('')
      const { workload, problems } = loadTrace(new TextEncoder().encode(text), { allowNoTimestamps: true })
      expect(problems.filter((problem) => problem.severity === 'error')).toEqual([])
      expect(workload.inputTokens).toEqual(original.inputTokens)
      expect(workload.outputTokens).toEqual(original.outputTokens)
      expect(workload.runValue).toEqual(original.runValue)
      expect(
        Math.max(...workload.arrivalMs.map((time, row) => Math.abs(time - original.arrivalMs[row]!))),
      ).toBeLessThan(1e-6)
    })
  }

  it('keeps Azure ticks', () => {
    const { workload } = loadTrace(readTraceFile('azure_2023_conv.csv.gz'))
    expect(workload.arrivalMs[1]).toBeCloseTo(4314.579, 6)
    expect(workload.arrivalMs[2]).toBeCloseTo(4541.877, 6)
  })

  it('keeps 64-bit hash ids apart', () => {
    const { workload, statistics } = loadTrace(readTraceFile('dirty/06_u64_hash_ids_above_2p32_and_2p53.jsonl'))
    expect(workload.distinctValues).toBe(4)
    expect(statistics.idealPrefixHitRate).toBe(0)
  })
})

describe.skipIf(!hasGolden)('broken traces are diagnosed by line', () => {
  for (const name of hasGolden ? readdirSync(join(folder, 'dirty')) : []) {
    it(name, () => {
      const check = checkTrace(readTraceFile(`dirty/${name}`))
      const found = check.problems.map((problem) => `${problem.line} ${problem.code}`)
      for (const expected of DIRTY[name] ?? []) expect(found).toContain(expected)
      expect(check.loads).toBe(!REFUSED.has(name))
      for (const problem of check.problems) if (problem.severity === 'error') expect(problem.hint).toBeTruthy()
    })
  }
})
