import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ReplayOptions, type RequestRow, replay } from '../../src/index.js'
import { argsOf, compat, sglangEngine as engine, format, load, rows, workloadOf } from './random-runs.js'

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
