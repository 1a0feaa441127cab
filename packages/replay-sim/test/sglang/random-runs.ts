import type { EngineArgs } from '@spica/schema'
import fc from 'fast-check'
import { type LoadMode, loadTrace, type Workload } from '../../src/index.js'

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

export type Row = typeof row extends fc.Arbitrary<infer T> ? T : never

export function workloadOf(rows: readonly Row[], format: 'mooncake' | 'mooncake-delta'): Workload {
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

export const sglangEngine = fc.record({
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

type Engine = typeof sglangEngine extends fc.Arbitrary<infer T> ? T : never

export function argsOf({ page, capacity, chunkPages, ...rest }: Engine): EngineArgs {
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

export const load = fc.oneof(
  fc.constant<LoadMode>({ kind: 'open' }),
  fc.integer({ min: 1, max: 8 }).map<LoadMode>((concurrency) => ({ kind: 'closed', concurrency })),
)
export const compat = fc.constantFrom(undefined, 'dynamo-1.4' as const)
export const rows = fc.array(row, { minLength: 1, maxLength: 24 })
export const format = fc.constantFrom('mooncake' as const, 'mooncake' as const, 'mooncake-delta' as const)
