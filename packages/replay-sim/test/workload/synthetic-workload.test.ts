import { describe, expect, it } from 'vitest'
import { loadTrace } from '../../src/workload/load-trace.js'
import { workloadFromShared, workloadToShared } from '../../src/workload/shared-workload.js'
import { syntheticWorkload } from '../../src/workload/synthetic-workload.js'

const base = { inputTokens: 130, outputTokens: 8, requestCount: 6 }

describe('syntheticWorkload', () => {
  it('spaces arrivals evenly, by Poisson, or leaves them to the closed loop', () => {
    expect([
      ...syntheticWorkload({ ...base, arrivalIntervalMs: 50, arrivalSpeedupRatio: 2 }).workload.arrivalMs,
    ]).toEqual([0, 25, 50, 75, 100, 125])
    const poisson = syntheticWorkload({ ...base, requestRatePerSecond: 20 })
    expect(poisson.workload.arrivalMs[1]).toBe(37.38623088203482)
    expect(syntheticWorkload({ ...base, concurrency: 3 }).load).toEqual({ kind: 'closed', concurrency: 3 })
  })

  it('makes requests = sessions · turns that share only their group’s prefix', () => {
    const { workload } = syntheticWorkload({
      ...base,
      concurrency: 2,
      turnsPerSession: 2,
      interTurnDelayMs: 30,
      sharedPrefixRatio: 0.5,
      numPrefixGroups: 4,
      blockSize: 64,
    })
    expect(workload.count).toBe(12)
    expect([...workload.nextTurn.subarray(0, 4)]).toEqual([1, -1, 3, -1])
    expect([...workload.delayMs.subarray(0, 4)]).toEqual([0, 30, 0, 30])
    // ceil(130/64) = 3 blocks, round(1.5) = 2 shared; the first groups drawn from seed 42 are 0, 2, 0
    expect([...workload.runValue.subarray(0, 12)]).toEqual([0, 1, 0, 1, 4, 5, 4, 5, 0, 1, 0, 1])
  })

  it('shares nothing without groups', () => {
    const { workload } = syntheticWorkload({ ...base, concurrency: 1, sharedPrefixRatio: 0.5 })
    expect(workload.runValue).toHaveLength(0)
  })

  it.each([
    [{ ...base }, /exactly one|no load/],
    [{ ...base, concurrency: 1, requestRatePerSecond: 2 }, /2 ways/],
    [{ ...base, concurrency: 0 }, /concurrency/],
    [{ ...base, requestRatePerSecond: Number.NaN }, /request rate/],
    [{ ...base, inputTokens: 0, concurrency: 1 }, /input tokens/],
    [{ ...base, outputTokens: 1.5, concurrency: 1 }, /output tokens/],
    [{ ...base, concurrency: 1, sharedPrefixRatio: 1.5 }, /ratio/],
    [{ ...base, requestCount: 1e9, concurrency: 1 }, /more than/],
  ])('refuses %j', (options, message) => {
    expect(() => syntheticWorkload(options)).toThrow(message)
  })
})

describe('workloadToShared', () => {
  it('keeps every column and name, in shared memory', () => {
    const rows = ['a', null, 'b', 'a'].map((session, index) =>
      JSON.stringify({
        timestamp: index,
        input_length: 20,
        output_length: 1,
        hash_ids: [index],
        priority: index,
        ...(session === null ? {} : { session_id: session }),
        ...(index === 2 ? { request_id: 'é' } : {}),
      }),
    )
    const { workload } = loadTrace(new TextEncoder().encode(rows.join('\n')))
    const packed = workloadToShared(workload)
    expect(packed.columns.runValue.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(workloadFromShared(packed)).toEqual(workload)
  })
})
