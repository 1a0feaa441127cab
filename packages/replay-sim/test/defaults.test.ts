import type { EngineArgs, PerfModel } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { defaultRouterConfig, type ReplayOptions, replay, replayDetailed, syntheticWorkload } from '../src/index.js'
import { outcomeOf, workloadOf } from './engine/random-case.js'

const small: EngineArgs = { engine_type: 'vllm', num_gpu_blocks: 32, block_size: 16 }

function oneOf(own: number, output: number, gapMs = 0) {
  return { gapMs, output, family: 0, shared: 0, own, turns: 1 }
}

const plain = (inputTokens: number, outputTokens: number, requestCount: number, concurrency: number) =>
  syntheticWorkload({ inputTokens, outputTokens, requestCount, concurrency })

describe('impossible requests', () => {
  for (const engine_type of ['vllm', 'sglang', 'trtllm'] as const) {
    it(`are rejected by ${engine_type} and the run goes on`, () => {
      const workload = workloadOf([oneOf(100, 5), oneOf(900, 5), oneOf(100, 5, 10)])
      const { report, rows } = outcomeOf({ workload, load: { kind: 'open' }, engine: { ...small, engine_type } })
      expect(report['completed_requests']).toBe(2)
      expect(rows.map((row) => row.terminal_status)).toEqual(['completed', 'rejected', 'completed'])
    })
  }

  it('whose output outgrows the pool are rejected, others finish', () => {
    const workload = workloadOf([oneOf(100, 2000), oneOf(100, 5, 10)])
    const { rows } = outcomeOf({ workload, load: { kind: 'open' }, engine: small })
    expect(rows.map((row) => row.terminal_status)).toEqual(['rejected', 'completed'])
  })

  it('that exceed the budget without chunking are rejected', () => {
    const workload = workloadOf([oneOf(300, 5), oneOf(100, 5)])
    const engine = { ...small, enable_chunked_prefill: false, max_num_batched_tokens: 256 }
    const { rows } = outcomeOf({ workload, load: { kind: 'open' }, engine })
    expect(rows.map((row) => row.terminal_status)).toEqual(['rejected', 'completed'])
  })

  it('do not stop a disaggregated run', () => {
    const workload = workloadOf([oneOf(100, 5), oneOf(400, 5), oneOf(100, 5)])
    const { rows } = outcomeOf({
      workload,
      load: { kind: 'open' },
      prefill: small,
      decode: { ...small, num_gpu_blocks: 12 },
    })
    expect(rows.map((row) => row.terminal_status)).toEqual(['completed', 'rejected', 'completed'])
  })
})

describe('right by default', () => {
  it('prefill workers generate one token, under compat the whole planned output', () => {
    const workload = workloadOf(Array.from({ length: 6 }, () => oneOf(200, 30)))
    const options: ReplayOptions = {
      workload,
      load: { kind: 'open' },
      prefill: { ...small, engine_type: 'sglang', num_gpu_blocks: 4096, block_size: 1 },
      decode: { ...small, engine_type: 'sglang', num_gpu_blocks: 4096, block_size: 1 },
    }
    const right = replay(options)
    const compat = replay({ ...options, compat: 'dynamo-1.4' })
    expect(right.mean_ttft_ms).toBeLessThan(compat.mean_ttft_ms)
    expect(right.total_output_tokens).toBe(180)
  })

  it('recomputing generated tokens costs time', () => {
    const options: ReplayOptions = { ...plain(100, 200, 6, 6), engine: small }
    expect(replay(options).duration_ms).toBeGreaterThan(replay({ ...options, compat: 'dynamo-1.4' }).duration_ms)
  })

  it('a transfer without a bandwidth takes the documented 64 GB/s', () => {
    const engine = { ...small, kv_bytes_per_token: 1_000_000 }
    const options: ReplayOptions = { ...plain(128, 2, 1, 1), prefill: engine, decode: engine }
    const { rows } = outcomeOf(options)
    expect(rows[0]!.destination_activated_ms! - rows[0]!.source_held_ms!).toBeCloseTo((128 * 1e6 * 1000) / 64e9, 9)
    expect(outcomeOf({ ...options, compat: 'dynamo-1.4' }).rows[0]!.destination_activated_ms).toBe(
      rows[0]!.source_held_ms,
    )
  })

  it('later turns of a closed loop arrive when they are ready, on one worker as on many', () => {
    const shape = { gapMs: 7, output: 4, family: 0, shared: 0, own: 50, turns: 3 }
    const workload = workloadOf([shape, { ...shape, gapMs: 3 }])
    const { rows } = outcomeOf({ workload, load: { kind: 'closed', concurrency: 2 }, engine: small })
    const first = rows.find((row) => row.input_length === 50 && row.turn_index === 0)!
    expect(rows.some((row) => row.turn_index === 1 && row.arrival_time_ms === first.terminal_time_ms + 7)).toBe(true)
  })

  it('kv_router with one target is round robin', () => {
    const options: ReplayOptions = { ...plain(100, 20, 9, 3), engine: small }
    expect(replay({ ...options, routerMode: 'kv_router' })).toEqual(replay(options))
  })

  it('TRT-LLM disaggregation and attention-DP ranks in both pools work', () => {
    for (const dp_size of [1, 3]) {
      const engine: EngineArgs = { engine_type: 'trtllm', num_gpu_blocks: 64, block_size: 16, dp_size }
      const { report } = replayDetailed({ ...plain(100, 20, 12, 6), prefill: engine, decode: engine, decodeWorkers: 2 })
      expect(report.completed_requests).toBe(12)
      expect(report.total_output_tokens).toBe(240)
      expect(report.decode_gpus_per_worker).toBe(dp_size)
    }
  })

  it('the same seed gives the same run, another seed other ties', () => {
    const options: ReplayOptions = { ...plain(100, 20, 40, 12), engine: small, workers: 4, routerMode: 'kv_router' }
    const rows = (seed: number) => outcomeOf({ ...options, seed }).rows.map((row) => row.decode_worker_idx)
    expect(rows(1)).toEqual(rows(1))
    expect(rows(1)).not.toEqual(rows(2))
  })

  it('a router without KV events goes by what it sent in the last two minutes', () => {
    const shapes = [0, 1000, 130_000].map((gapMs) => ({ gapMs, output: 2, family: 0, shared: 6, own: 10, turns: 1 }))
    const disagg: ReplayOptions = {
      workload: workloadOf(shapes),
      load: { kind: 'open' },
      prefill: small,
      decode: small,
      prefillWorkers: 2,
      routerMode: 'kv_router',
    }
    const blind: ReplayOptions = { ...disagg, routerConfig: { ...defaultRouterConfig, useKvEvents: false } }
    const overlaps = (options: ReplayOptions) => outcomeOf(options).rows.map((row) => row.prefill_route_overlap_tokens)
    expect(overlaps(disagg)).toEqual([0, 96, 96])
    expect(overlaps(blind)).toEqual([0, 96, 0])
    expect(overlaps({ ...blind, compat: 'dynamo-1.4' })).toEqual([0, 96, 96])
  })
})

describe('refusals', () => {
  it('names a performance model that returns no number', () => {
    const broken: PerfModel = { name: 'broken', prefillMs: () => Number.NaN, decodeMs: () => 1, explain: () => [] }
    expect(() => replay({ ...plain(10, 2, 1, 1), engine: small, perfModel: broken })).toThrowError(
      expect.objectContaining({ code: 'perf-model-not-finite', kind: 'input' }),
    )
  })

  it('refuses contradicting options', () => {
    const load = plain(10, 2, 1, 1)
    const code = (options: Partial<ReplayOptions>) => {
      try {
        replay({ ...load, ...options })
      } catch (error) {
        return (error as { code: string }).code
      }
      return 'none'
    }
    expect(code({})).toBe('ambiguous-deployment')
    expect(code({ engine: small, prefill: small })).toBe('ambiguous-deployment')
    expect(code({ prefill: small })).toBe('no-engine')
    expect(code({ engine: small, workers: 0 })).toBe('invalid-worker-count')
    expect(code({ engine: small, prefillWorkers: 2 })).toBe('unused-option')
    expect(code({ prefill: small, decode: small, workers: 3 })).toBe('unused-option')
    expect(code({ engine: small, maxSimTimeMs: 0 })).toBe('invalid-time-cap')
    expect(code({ engine: small, sla: { ttftMs: Number.NaN } })).toBe('invalid-sla')
    expect(code({ prefill: small, decode: { ...small, block_size: 32 } })).toBe('block-size-mismatch')
    expect(code({ prefill: small, decode: { ...small, engine_type: 'sglang' } })).toBe('engine-mismatch')
    expect(code({ engine: { ...small, aic_nextn: 2, decode_speedup_ratio: 2 } })).toBe('mtp-with-decode-speedup')
  })
})
