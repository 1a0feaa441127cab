import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildReport } from '../../src/report/build-report.js'
import { GapLog } from '../../src/report/gap-log.js'
import { newRecorder, type Recorder, STATUS_COMPLETED, STATUS_REJECTED } from '../../src/report/recorder.js'
import type { RequestRow } from '../../src/report/request-row.js'
import { forEachRequestRow } from '../../src/report/request-rows.js'
import { sortGaps, sortThenMerge } from '../../src/report/sorted-gaps.js'
import { syntheticWorkload } from '../../src/workload/synthetic-workload.js'

/** Request i arrives at 10·i, its tokens come at the given times after arrival. */
function recorded(tokenTimes: readonly (readonly number[])[], rejected: readonly number[] = []): Recorder {
  const { workload } = syntheticWorkload({
    inputTokens: 100,
    outputTokens: 3,
    requestCount: tokenTimes.length,
    arrivalIntervalMs: 10,
  })
  const recorder = newRecorder(workload, false)
  tokenTimes.forEach((times, request) => {
    const arrival = 10 * request
    recorder.arrivedCount++
    recorder.arrivalMs[request] = arrival
    recorder.firstAdmitMs[request] = arrival
    recorder.status[request] = rejected.includes(request) ? STATUS_REJECTED : STATUS_COMPLETED
    recorder.terminalMs[request] = arrival + (times.at(-1) ?? 1)
    recorder.producedTokens[request] = times.length
    if (times.length > 0) recorder.firstTokenMs[request] = arrival + times[0]!
    if (times.length > 1) recorder.secondTokenMs[request] = arrival + times[1]!
    if (times.length > 0) recorder.lastTokenMs[request] = arrival + times.at(-1)!
    for (let token = 1; token < times.length; token++) recorder.gaps.add(times[token]! - times[token - 1]!, 1)
  })
  return recorder
}

describe('buildReport', () => {
  it('is all zeros when nothing completed', () => {
    const report = buildReport(recorded([[]], [0]), { wallTimeMs: 0 })
    expect(report.num_requests).toBe(1)
    for (const [key, value] of Object.entries(report)) if (key !== 'num_requests') expect(value, key).toBe(0)
  })

  it('keeps tokenless requests out of latencies but in the counts', () => {
    const report = buildReport(recorded([[5, 7, 11], []]), { wallTimeMs: 2 })
    expect(report.completed_requests).toBe(2)
    expect(report.mean_ttft_ms).toBe(5)
    expect(report['mean_ttst_ms']).toBe(2)
    expect(report.mean_tpot_ms).toBe(3)
    expect(report.mean_itl_ms).toBe(3)
    expect(report['max_itl_ms']).toBe(4)
    expect(report['std_itl_ms']).toBe(1)
    expect(report['max_output_token_throughput_per_user']).toBe(500)
    expect(report['median_output_token_throughput_per_user']).toBe(500)
    expect(report.duration_ms).toBe(11)
    expect(report.total_output_tokens).toBe(3)
    expect(report.processed_tokens_per_s).toBe(203 / 0.002)
  })

  it('rounds the percentile rank half up and does not interpolate', () => {
    const report = buildReport(recorded([[1], [2], [3], [4]]), { wallTimeMs: 1 })
    expect(report['median_ttft_ms']).toBe(3)
    expect(report['p75_ttft_ms']).toBe(3)
    expect(report['p90_ttft_ms']).toBe(4)
  })

  it('counts goodput only when every threshold holds', () => {
    const recorder = recorded([[5, 7, 9], [50, 52, 54], [5, 55, 105], []])
    const goodput = (sla: object): number =>
      buildReport(recorder, { wallTimeMs: 1, sla })['goodput_completed_requests']!
    expect(goodput({ ttftMs: 10 })).toBe(2)
    expect(goodput({ ttftMs: 10, itlMs: 10 })).toBe(1)
    expect(goodput({ e2eMs: 60 })).toBe(3)
    expect(goodput({ e2eMs: 60, ttftMs: 1000 })).toBe(2)
    expect(buildReport(recorder, { wallTimeMs: 1, sla: {} })).not.toHaveProperty('goodput_completed_requests')
    expect(buildReport(recorder, { wallTimeMs: 1 })).not.toHaveProperty('goodput_completed_requests')
  })
})

describe('forEachRequestRow', () => {
  it('orders rows by arrival and leaves what does not apply null', () => {
    const recorder = recorded([[5, 7, 11], [], [3]], [1])
    recorder.arrivalMs[2] = -1
    const rows: RequestRow[] = []
    forEachRequestRow(recorder, (row) => rows.push(row))
    expect(rows.map((row) => row.arrival_time_ms)).toEqual([-1, 0, 10])
    expect(rows[1]).toMatchObject({ ttft_ms: 5, ttst_ms: 2, itl_ms: 3, terminal_status: 'completed', session_id: null })
    expect(rows[2]).toMatchObject({
      ttft_ms: null,
      e2e_latency_ms: null,
      terminal_status: 'rejected',
      output_length: 0,
    })
    expect(new Set(rows.map((row) => row.uuid)).size).toBe(3)
  })
})

describe('sortGaps', () => {
  it('sorts, merges and does not depend on the order or grouping of records', () => {
    const gap = fc.oneof(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.constantFrom(0, 1, 1.5, 2 ** -1060))
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, fc.integer({ min: 0, max: 5 }))), (pairs) => {
        const log = new GapLog()
        const singles = new GapLog()
        for (const [value, weight] of pairs) {
          log.add(value, weight)
          for (let unit = 0; unit < weight; unit++) singles.add(value, 1)
        }
        const sorted = sortGaps(log)
        const expected = new Map<number, number>()
        for (const [value, weight] of pairs) if (weight > 0) expected.set(value, (expected.get(value) ?? 0) + weight)
        const keys = [...expected.keys()].sort((a, b) => a - b)
        expect([...sorted.gapMs.subarray(0, sorted.count)]).toEqual(keys)
        expect([...sorted.weight.subarray(0, sorted.count)]).toEqual(keys.map((key) => expected.get(key)))
        expect(sortThenMerge(log)).toMatchObject({ count: sorted.count })
        expect(sortThenMerge(log).gapMs.subarray(0, sorted.count)).toEqual(sorted.gapMs.subarray(0, sorted.count))
        expect(sortThenMerge(log).weight.subarray(0, sorted.count)).toEqual(sorted.weight.subarray(0, sorted.count))
        const other = sortGaps(singles)
        expect(other.gapMs.subarray(0, other.count)).toEqual(sorted.gapMs.subarray(0, sorted.count))
        expect(other.weight.subarray(0, other.count)).toEqual(sorted.weight.subarray(0, sorted.count))
      }),
      { numRuns: 300 },
    )
  })
})
