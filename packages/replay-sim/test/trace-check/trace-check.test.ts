import { describe, expect, it } from 'vitest'
import { checkTrace } from '../../src/trace-check/check-trace.js'
import { convertTrace } from '../../src/trace-check/convert-trace.js'
import type { RateProfile } from '../../src/trace-check/synth-options.js'
import { synthesizeTrace } from '../../src/trace-check/synthesize-trace.js'
import { loadTrace } from '../../src/workload/load-trace.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (chunks: Iterable<string>): string => [...chunks].join('')

describe('checkTrace', () => {
  it('counts data rows, reports problems and never throws', () => {
    const broken = checkTrace(bytes('{"timestamp": 0, "input_length": 5, "output_length": 1}\n{"timest\n\n# x\n'))
    expect(broken).toMatchObject({ format: 'mooncake', rows: 2, requests: 1, loads: false })
    expect(broken.problems.map((problem) => `${problem.line} ${problem.code}`)).toEqual([
      '2 truncated-line',
      '3 blank-line',
      '4 comment-line',
    ])
    expect(broken.statistics?.requests).toBe(1)
    expect(checkTrace(bytes('')).statistics).toBeNull()
    expect(checkTrace(bytes('num_prefill_tokens,num_decode_tokens\n3,4\n')).loads).toBe(true)
  })
})

describe('convertTrace', () => {
  it('writes sorted, clamped, zero-based Mooncake rows that check clean', () => {
    const source =
      '\ufeff{"timestamp": 900, "input_length": 700, "output_length": 1, "hash_ids": [9007199254740993]}\r\n' +
      '{"timestamp": 400.25, "input_length": 10, "output_length": 2, "hash_ids": [1, 2], "priority": 3}\r\n'
    const converted = convertTrace(bytes(source))
    const output = text(converted.chunks)
    expect(output).toBe(
      '{"timestamp": 0, "input_length": 10, "output_length": 2, "hash_ids": [1], "priority": 3}\n' +
        '{"timestamp": 499.75, "input_length": 512, "output_length": 1, "hash_ids": [9007199254740993]}\n',
    )
    expect(checkTrace(bytes(output)).problems.filter((problem) => problem.severity !== 'info')).toEqual([])
    expect(converted.problems.map((problem) => problem.code)).toContain('clamped-to-hash-ids')
  })

  it('converts tables, keeping think times and fractions', () => {
    const azure =
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n'
    expect(text(convertTrace(bytes(azure)).chunks)).toBe(
      '{"timestamp": 0, "input_length": 374, "output_length": 44}\n{"timestamp": 4314.579, "input_length": 396, "output_length": 109}\n',
    )
  })

  it('gives the tail of Weka prompts ids of their own and replays alike', () => {
    const weka = bytes(
      '{"id":"c","t":0,"in":130,"out":2,"hash_ids":[1,2]}\n{"id":"c","t":2,"in":192,"out":2,"hash_ids":[1,2,3]}\n',
    )
    const converted = convertTrace(weka)
    expect(converted.traceBlockSize).toBe(64)
    const { workload } = loadTrace(bytes(text(converted.chunks)), { traceBlockSize: 64 })
    const original = loadTrace(weka).workload
    expect(workload.inputTokens).toEqual(original.inputTokens)
    expect(workload.delayMs).toEqual(original.delayMs)
    expect([...workload.runValue]).toEqual([0, 1, 2, 0, 1, 3])
  })

  it('is the identity on its own output', () => {
    const trace = text(
      synthesizeTrace({
        requests: 50,
        ratePerSecond: 5,
        inputTokens: { mean: 2000, p50: 1500 },
        outputTokens: { mean: 50 },
      }).chunks,
    )
    expect(text(convertTrace(bytes(trace)).chunks)).toBe(trace)
  })
})

describe('synthesizeTrace', () => {
  const options = {
    requests: 4000,
    ratePerSecond: 8,
    burstiness: 2,
    inputTokens: { mean: 6000, p50: 4500 },
    outputTokens: { mean: 200, p99: 900 },
    idealPrefixHitRate: 0.4,
    seed: 7,
  }

  it('reaches the statistics asked for', () => {
    const { statistics } = synthesizeTrace(options)
    expect(statistics.ratePerSecond! / 8).toBeCloseTo(1, 0.7)
    expect(statistics.burstiness!).toBeGreaterThan(1.7)
    expect(statistics.burstiness!).toBeLessThan(2.3)
    expect(Math.abs(statistics.inputTokens.mean / 6000 - 1)).toBeLessThan(0.06)
    expect(Math.abs(statistics.inputTokens.p50 / 4500 - 1)).toBeLessThan(0.06)
    expect(Math.abs(statistics.outputTokens.mean / 200 - 1)).toBeLessThan(0.06)
    expect(Math.abs(statistics.outputTokens.p99 / 900 - 1)).toBeLessThan(0.15)
    expect(Math.abs(statistics.idealPrefixHitRate! - 0.4)).toBeLessThan(0.01)
  })

  it('gives the same bytes for the same seed, others for another, and loads clean', () => {
    const trace = text(synthesizeTrace(options).chunks)
    expect(text(synthesizeTrace(options).chunks)).toBe(trace)
    expect(text(synthesizeTrace({ ...options, seed: 8 }).chunks)).not.toBe(trace)
    const loaded = loadTrace(bytes(trace))
    expect(loaded.problems).toEqual([])
    expect(loaded.workload.runValue).toEqual(synthesizeTrace(options).workload.runValue)
  })

  it.each<[RateProfile, (halves: number[]) => boolean]>([
    [{ kind: 'ramp', from: 1, to: 3 }, ([first, , , last]) => last! / first! > 1.8],
    [{ kind: 'sine', periodSeconds: 500, amplitude: 0.8 }, ([first, , , last]) => first! / last! > 1.5],
    [{ kind: 'burst', everySeconds: 500, lengthSeconds: 125, factor: 4 }, ([first, , , last]) => last! / first! > 3],
    [{ kind: 'constant' }, ([first, , , last]) => Math.abs(last! / first! - 1) < 0.15],
  ])('follows the profile %j', (profile, holds) => {
    const { workload } = synthesizeTrace({ ...options, burstiness: 1, profile })
    const quarters = [0, 0, 0, 0]
    for (const arrival of workload.arrivalMs) quarters[Math.min(3, Math.floor(arrival / 125000))]!++
    expect(holds(quarters)).toBe(true)
  })

  it.each([
    [{ ...options, requests: 0 }, /requests/],
    [{ ...options, ratePerSecond: -1 }, /ratePerSecond/],
    [{ ...options, burstiness: Number.NaN }, /burstiness/],
    [{ ...options, idealPrefixHitRate: 2 }, /idealPrefixHitRate/],
    [{ ...options, inputTokens: { mean: 100, p50: 200 } }, /p50/],
    [{ ...options, profile: { kind: 'sine', periodSeconds: 0, amplitude: 1 } as const }, /periodSeconds/],
  ])('refuses %j', (bad, message) => {
    expect(() => synthesizeTrace(bad)).toThrow(message)
  })
})
