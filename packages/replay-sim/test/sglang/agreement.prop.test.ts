import type { EngineArgs } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LoadMode,
  loadTrace,
  type ReplayOptions,
  type RequestRow,
  replay,
  type Workload,
} from '../../src/index.js'

const PAGE_SIZES = [1, 1, 4, 16]

/** Small traces with shared prefixes, sessions and zero outputs, at a trace block of 8 tokens. */
const row = fc.record({
  timestamp: fc.integer({ min: 0, max: 400 }),
  group: fc.integer({ min: 0, max: 3 }),
  shared: fc.integer({ min: 0, max: 6 }),
  own: fc.integer({ min: 0, max: 4 }),
  cut: fc.integer({ min: 0, max: 7 }),
  output: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 60 })),
  session: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null, freq: 1 }),
})

type Row = typeof row extends fc.Arbitrary<infer T> ? T : never

function workloadOf(rows: readonly Row[], format: 'mooncake' | 'mooncake-delta'): Workload {
  let nextId = 1000
  const lines = rows.map(({ timestamp, group, shared, own, cut, output, session }) => {
    const ids = Array.from({ length: shared }, (_, index) => group * 20 + index)
    for (let index = 0; index < own; index++) ids.push(nextId++)
    const length = Math.max(1, ids.length * 8 - cut)
    return JSON.stringify({
      timestamp,
      input_length: length,
      output_length: output,
      hash_ids: ids,
      ...(session === null ? {} : { session_id: `s${session}`, delay: 10 }),
    })
  })
  return loadTrace(new TextEncoder().encode(lines.join('\n')), { format, traceBlockSize: 8 }).workload
}

const engine = fc.record({
  page: fc.constantFrom(...PAGE_SIZES),
  capacity: fc.oneof(fc.integer({ min: 60, max: 200 }), fc.integer({ min: 100, max: 1000 })),
  max_num_seqs: fc.constantFrom(1, 2, 4, 16),
  chunkPages: fc.constantFrom(1, 4, 50),
  max_prefill_tokens: fc.constantFrom(64, 200, 16384),
  clip_max_new_tokens: fc.constantFrom(4, 20, 4096),
  schedule_conservativeness: fc.constantFrom(0, 0.1, 0.3, 1),
  schedule_policy: fc.constantFrom('fifo', 'fifo', 'lpm'),
  enable_prefix_caching: fc.boolean(),
})

type Engine = typeof engine extends fc.Arbitrary<infer T> ? T : never

function argsOf({ page, capacity, chunkPages, ...rest }: Engine): EngineArgs {
  return {
    engine_type: 'sglang',
    block_size: page,
    num_gpu_blocks: Math.ceil(capacity / page),
    max_num_seqs: rest.max_num_seqs,
    max_num_batched_tokens: null,
    enable_prefix_caching: rest.enable_prefix_caching,
    sglang: {
      chunked_prefill_size: page * chunkPages,
      max_prefill_tokens: rest.max_prefill_tokens,
      clip_max_new_tokens: rest.clip_max_new_tokens,
      schedule_conservativeness: rest.schedule_conservativeness,
      schedule_policy: rest.schedule_policy,
    },
  }
}

function run(options: ReplayOptions): { report: object; rows: RequestRow[] } {
  const rows: RequestRow[] = []
  const report = replay({ ...options, onRequest: (entry) => rows.push(entry) })
  return { report, rows }
}

function expectAgreement(options: ReplayOptions): void {
  const fast = run(options)
  const plain = run({ ...options, engineKind: 'pass-by-pass' })
  expect(fast.rows).toEqual(plain.rows)
  expect(fast.report).toEqual(plain.report)
}

const load = fc.oneof(
  fc.constant<LoadMode>({ kind: 'open' }),
  fc.integer({ min: 1, max: 8 }).map<LoadMode>((concurrency) => ({ kind: 'closed', concurrency })),
)
const compat = fc.constantFrom(undefined, 'dynamo-1.4' as const)
const rows = fc.array(row, { minLength: 1, maxLength: 24 })
const format = fc.constantFrom('mooncake' as const, 'mooncake' as const, 'mooncake-delta' as const)
const runs = Number(process.env['SPICA_PROPERTY_RUNS'] ?? 120)

describe('the coalescing SGLang engine equals the pass-by-pass one bit for bit', () => {
  it('aggregated, one or more workers and ranks, either router', () => {
    const kind = fc.constantFrom('round_robin' as const, 'kv_router' as const)
    const shape = fc.record({ workers: fc.integer({ min: 1, max: 3 }), ranks: fc.integer({ min: 1, max: 2 }) })
    const cap = fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined })
    fc.assert(
      fc.property(
        rows,
        format,
        engine,
        load,
        compat,
        kind,
        shape,
        cap,
        (r, f, e, mode, quirks, routerMode, s, maxMs) => {
          expectAgreement({
            workload: workloadOf(r, f),
            load: mode,
            engine: { ...argsOf(e), dp_size: s.ranks },
            workers: s.workers,
            routerMode,
            ...(quirks === undefined ? {} : { compat: quirks }),
            ...(maxMs === undefined ? {} : { maxSimTimeMs: maxMs }),
          })
        },
      ),
      { numRuns: runs },
    )
  })

  it('with a pool so tight that sequences are retracted and prefixes evicted all the time', () => {
    const busy = fc.array(
      fc.record({
        timestamp: fc.integer({ min: 0, max: 100 }),
        group: fc.integer({ min: 0, max: 1 }),
        shared: fc.integer({ min: 0, max: 4 }),
        own: fc.integer({ min: 0, max: 2 }),
        cut: fc.integer({ min: 0, max: 7 }),
        output: fc.integer({ min: 1, max: 50 }),
        session: fc.constant(null),
      }),
      { minLength: 6, maxLength: 40 },
    )
    const tight = fc.record({
      page: fc.constantFrom(1, 2, 4, 8),
      capacity: fc.integer({ min: 90, max: 200 }),
      max_num_seqs: fc.constantFrom(4, 16),
      chunkPages: fc.constantFrom(2, 20),
      max_prefill_tokens: fc.constant(16384),
      clip_max_new_tokens: fc.constantFrom(2, 4096),
      schedule_conservativeness: fc.constantFrom(0, 0.05, 0.2),
      schedule_policy: fc.constant('fifo'),
      enable_prefix_caching: fc.constant(true),
    })
    fc.assert(
      fc.property(busy, tight, load, compat, (r, e, mode, quirks) => {
        expectAgreement({
          workload: workloadOf(r, 'mooncake'),
          load: mode,
          engine: argsOf(e),
          ...(quirks === undefined ? {} : { compat: quirks }),
        })
      }),
      { numRuns: runs },
    )
  })

  it('disaggregated, destination first', () => {
    const transfer = fc.constantFrom({}, { kv_bytes_per_token: 100_000, kv_transfer_bandwidth: 1 })
    fc.assert(
      fc.property(rows, format, engine, engine, load, compat, transfer, (r, f, source, target, mode, quirks, link) => {
        const page = source.page
        expectAgreement({
          workload: workloadOf(r, f),
          load: mode,
          prefill: { ...argsOf(source), ...link },
          decode: argsOf({ ...target, page }),
          prefillWorkers: 2,
          decodeWorkers: 2,
          ...(quirks === undefined ? {} : { compat: quirks }),
        })
      }),
      { numRuns: runs },
    )
  })
})
