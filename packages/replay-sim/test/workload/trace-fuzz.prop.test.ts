import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTrace, convertTrace, loadTrace, replay, SpicaTraceError } from '../../src/index.js'

const SEEDS: readonly string[] = [
  '{"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [0, 18446744073709551615]}\n{"timestamp": 12.5, "session_id": "a", "delay": 3, "input_length": 20, "output_length": 1, "hash_ids": []}\n',
  '{"request_id": "a", "timestamp": 0, "input_length": 6, "output_length": 5, "hash_ids": [0]}\n{"request_id": "b", "wait_for": ["a"], "delay": 2, "input_length": 6, "output_length": 5}\n',
  'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44\r\n2023-11-16 18:15:50.9951690,396,109\r\n',
  'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,1,10.2,"Chat,GPT",472,18,490,x\n45,,3.1,GPT-4,1087,230,1317,API log\n',
  'arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n4.314579,396,109\n',
  '{"id":"c1","block_size":64,"requests":[{"t":0.0,"in":130,"out":20,"hash_ids":[1,2]},{"t":2.5,"in":260,"out":2,"hash_ids":[1,2,3,4]}]}\n',
]

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\n',
  '\r\n',
  '-1',
  '1e999',
  'null',
  'NaN',
  '0',
  '\u0000',
  '\ufeff',
  'é',
  '9999999999999999999999',
]

/** A seed with pieces cut out, inserted, doubled and bytes changed. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
        fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), text: fc.constantFrom(...TOKENS) }),
        fc.record({ kind: fc.constant('byte' as const), at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([seed, edits]) => {
    let bytes = [...new TextEncoder().encode(seed)]
    for (const edit of edits) {
      const at = edit.at % (bytes.length + 1)
      if (edit.kind === 'cut') bytes.splice(at, edit.length)
      else if (edit.kind === 'insert') bytes.splice(at, 0, ...new TextEncoder().encode(edit.text))
      else if (at < bytes.length) bytes = bytes.map((byte, index) => (index === at ? edit.value : byte))
    }
    return Uint8Array.from(bytes)
  })

describe('mutated traces', () => {
  it('load or are refused with lines, check never throws, and what loads converts to the same requests', () => {
    fc.assert(
      fc.property(mutated, fc.boolean(), (bytes, dropBrokenRows) => {
        const options = { dropBrokenRows, allowNoTimestamps: true }
        const check = checkTrace(bytes, options)
        for (const problem of check.problems) expect(problem.line).toBeGreaterThanOrEqual(1)
        if (!check.loads) {
          expect(() => loadTrace(bytes, options)).toThrow(SpicaTraceError)
          return
        }
        const { workload, format } = loadTrace(bytes, options)
        expect(workload.count).toBe(check.requests)
        for (let request = 0; request < workload.count; request++) {
          expect(workload.inputTokens[request]).toBeGreaterThanOrEqual(1)
          expect(workload.delayMs[request]).toBeGreaterThanOrEqual(0)
        }
        const converted = convertTrace(bytes, options)
        const text = [...converted.chunks].join('')
        const again = loadTrace(new TextEncoder().encode(text), {
          allowNoTimestamps: true,
          format: converted.format,
          traceBlockSize: converted.traceBlockSize,
        }).workload
        const sorted = (column: Int32Array): number[] => [...column].sort((a, b) => a - b)
        expect(sorted(again.outputTokens)).toEqual(sorted(workload.outputTokens))
        if (format !== 'weka') expect(again.distinctValues).toBeLessThanOrEqual(workload.distinctValues)
      }),
      { numRuns: 800 },
    )
  })

  it('that load can be replayed to the end', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        const check = checkTrace(bytes)
        if (
          !check.loads ||
          (check.statistics?.inputTokens.max ?? 0) > 20_000 ||
          check.statistics!.outputTokens.max > 2000
        )
          return
        const { workload } = loadTrace(bytes, { allowNoTimestamps: true })
        const report = replay({
          workload,
          load: { kind: 'open' },
          engine: { engine_type: 'vllm', num_gpu_blocks: 64, block_size: 64 },
        })
        expect(report.num_requests).toBe(workload.count)
      }),
      { numRuns: 200 },
    )
  })
})
