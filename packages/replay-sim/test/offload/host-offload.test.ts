import type { EngineArgs, ReplayReport } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  loadTrace,
  parseRouterConfig,
  type RequestRow,
  replay,
  synthesizeTrace,
  type Workload,
} from '../../src/index.js'

const ENGINE: EngineArgs = { engine_type: 'vllm', num_gpu_blocks: 24, block_size: 64, kv_bytes_per_token: 131_072 }

/** Rows [arrival ms, blocks of 64 tokens by id]; every prompt has one further token of its own and 2 output tokens. */
function trace(rows: readonly (readonly [number, readonly number[]])[]): Workload {
  const lines = rows.map(([timestamp, ids], index) =>
    JSON.stringify({
      timestamp,
      input_length: ids.length * 64 + 1,
      output_length: 2,
      hash_ids: [...ids, 1000 + index],
    }),
  )
  return loadTrace(new TextEncoder().encode(lines.join('\n')), { traceBlockSize: 64 }).workload
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index)

function run(workload: Workload, engine: EngineArgs, more: object = {}): { report: ReplayReport; rows: RequestRow[] } {
  const rows: RequestRow[] = []
  const report = replay({ workload, load: { kind: 'open' }, engine, onRequest: (row) => rows.push(row), ...more })
  return { report, rows }
}

/** A: 16 blocks; B: 16 others push A out; A again. */
const RETURNING = trace([
  [0, range(0, 16)],
  [1000, range(100, 16)],
  [2000, range(0, 16)],
])

describe('host offload', () => {
  it('brings evicted prefixes back and reuses them', () => {
    expect(run(RETURNING, ENGINE).rows[2]!.reused_input_tokens).toBeLessThan(16 * 64)
    expect(run(RETURNING, { ...ENGINE, num_g2_blocks: 64 }).rows[2]!.reused_input_tokens).toBe(16 * 64)
  })

  it('takes the time of the copies', () => {
    const blockMs = (64 * 131_072) / 14e6
    const { rows } = run(RETURNING, { ...ENGINE, num_g2_blocks: 64 })
    const cold = run(RETURNING, ENGINE).rows
    // B evicts what the pool lacks and waits until that is copied out
    expect(rows[1]!.first_admit_ms! - 1000).toBeCloseTo(9 * blockMs, 5)
    expect(cold[1]!.first_admit_ms).toBe(1000)
    // A comes back: room is copied out, then A's missing blocks are copied in
    expect(rows[2]!.first_admit_ms!).toBeGreaterThan(2000 + 9 * blockMs)
    const slow = run(RETURNING, {
      ...ENGINE,
      num_g2_blocks: 64,
      bandwidth_g2_to_g1_gbps: 0.5,
      bandwidth_g1_to_g2_gbps: 0.5,
    })
    expect(slow.rows[2]!.ttft_ms!).toBeGreaterThan(rows[2]!.ttft_ms!)
  })

  it('sends blocks that host memory pushes out to disk, and reads them back at the speed of its link', () => {
    const small = { ...ENGINE, num_g2_blocks: 4 }
    expect(run(RETURNING, small).rows[2]!.reused_input_tokens).toBeLessThan(16 * 64)
    const disk = run(RETURNING, { ...small, num_g3_blocks: 64 }).rows[2]!
    expect(disk.reused_input_tokens).toBe(16 * 64)
    const slow = run(RETURNING, { ...small, num_g3_blocks: 64, bandwidth_g3_to_g2_gbps: 0.5 }).rows[2]!
    expect(slow.first_admit_ms!).toBeGreaterThan(disk.first_admit_ms!)
  })

  it('shares one disk among the workers of a pool', () => {
    const workload = trace([
      [0, range(0, 16)],
      [1000, range(200, 16)],
      [2000, range(100, 16)],
      [3000, range(300, 2)],
      [4000, range(400, 16)],
      [5000, range(0, 16)],
    ])
    // round robin: worker 0 serves A and two others that push it out, the last request brings A to worker 1
    const { rows } = run(workload, { ...ENGINE, num_g2_blocks: 4, num_g3_blocks: 64 }, { workers: 2 })
    expect(rows[5]!.reused_input_tokens).toBe(16 * 64)
  })

  it('has no effect when upstream is asked for', () => {
    const compat = { compat: 'dynamo-1.4' as const }
    expect(run(RETURNING, { ...ENGINE, num_g2_blocks: 64 }, compat)).toEqual(run(RETURNING, ENGINE, compat))
  })

  it('refuses tiers it does not simulate and options it lacks', () => {
    const hosted = { ...ENGINE, num_g2_blocks: 64 }
    expect(() => run(RETURNING, { ...hosted, engine_type: 'sglang', block_size: 64 })).toThrow(
      /sglang is not supported/,
    )
    expect(() => run(RETURNING, { ...ENGINE, num_g3_blocks: 64 })).toThrow(/num_g3_blocks without/)
    expect(() => run(RETURNING, { ...hosted, enable_g4_storage: true })).toThrow(/enable_g4_storage/)
    expect(() => run(RETURNING, { ...hosted, kv_bytes_per_token: null })).toThrow(/kv_bytes_per_token/)
  })

  it('steers the kv router by the host weight', () => {
    // worker 0 holds A in host memory only, after B; a light load on worker 0 outweighs that unless the host weight counts
    const { workload } = synthesizeTrace({
      requests: 200,
      ratePerSecond: 6,
      inputTokens: { mean: 1500, p50: 1300, max: 4000 },
      outputTokens: { mean: 20 },
      idealPrefixHitRate: 0.6,
      prefixGroups: 30,
      traceBlockSize: 64,
    })
    const engine = { ...ENGINE, num_gpu_blocks: 100, num_g2_blocks: 3000 }
    const routed = (weight: number): ReplayReport => {
      const routerConfig = parseRouterConfig({ host_cache_hit_weight: weight })
      return run(workload, engine, { workers: 3, routerMode: 'kv_router', routerConfig }).report
    }
    expect(routed(1).prefix_cache_reused_ratio).toBeGreaterThan(routed(0).prefix_cache_reused_ratio)
  })

  it('serves every request that would be served without it, under any pressure', () => {
    const row = fc.record({
      timestamp: fc.integer({ min: 0, max: 3000 }),
      group: fc.integer({ min: 0, max: 4 }),
      shared: fc.integer({ min: 0, max: 5 }),
      own: fc.integer({ min: 0, max: 4 }),
      output: fc.integer({ min: 0, max: 60 }),
    })
    const settings = fc.record({
      engine_type: fc.constantFrom('vllm' as const, 'trtllm' as const),
      num_gpu_blocks: fc.integer({ min: 14, max: 40 }),
      num_g2_blocks: fc.integer({ min: 1, max: 60 }),
      num_g3_blocks: fc.integer({ min: 0, max: 100 }),
      offload_batch_size: fc.integer({ min: 1, max: 32 }),
      bandwidth_g1_to_g2_gbps: fc.constantFrom(0.05, 1, 14),
      bandwidth_g2_to_g1_gbps: fc.constantFrom(0.05, 1, 14),
      max_num_seqs: fc.constantFrom(1, 3, 16),
      max_num_batched_tokens: fc.constantFrom(64, 8192),
      dp_size: fc.constantFrom(1, 2),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 25 }), settings, (rows, args) => {
        let next = 1000
        const lines = rows.map(({ timestamp, group, shared, own, output }) => {
          const ids = [...range(group * 20, shared), ...Array.from({ length: own + 1 }, () => next++)]
          return JSON.stringify({ timestamp, input_length: ids.length * 16 - 3, output_length: output, hash_ids: ids })
        })
        const { workload } = loadTrace(new TextEncoder().encode(lines.join('\n')), { traceBlockSize: 16 })
        const engine: EngineArgs = { ...args, block_size: 16, kv_bytes_per_token: 100_000 }
        const served = run(workload, engine)
        const plain = run(workload, { ...engine, num_g2_blocks: 0, num_g3_blocks: 0 })
        expect(served.report.completed_requests).toBe(plain.report.completed_requests)
        for (const {
          terminal_status,
          output_length,
          requested_output_length,
          first_admit_ms,
          arrival_time_ms,
        } of served.rows) {
          if (terminal_status !== 'completed') continue
          expect(output_length).toBe(requested_output_length)
          expect(first_admit_ms!).toBeGreaterThanOrEqual(arrival_time_ms)
        }
        expect(run(workload, engine)).toEqual(served)
      }),
      { numRuns: 60 },
    )
  })
})
