import type { EngineArgs } from '@spica/schema'
import fc from 'fast-check'
import { defaultRouterConfig, type ReplayOptions, type RequestRow, replay, type Workload } from '../../src/index.js'

interface RequestShape {
  readonly gapMs: number
  readonly output: number
  /** Prefix family, shared leading blocks of 16 tokens, and tokens of its own. */
  readonly family: number
  readonly shared: number
  readonly own: number
  readonly turns: number
}

const BLOCK = 16

/** A workload with prefix families, in the shape that trace loaders produce. */
export function workloadOf(shapes: readonly RequestShape[]): Workload {
  const requests = shapes.flatMap((shape, session) =>
    Array.from({ length: shape.turns }, (_, turn) => ({ ...shape, session, turn })),
  )
  const count = requests.length
  const runValue: number[] = []
  const runLength: number[] = []
  const runOffsets = new Uint32Array(count + 1)
  let nextValue = 1000
  let clockMs = 0
  const arrivalMs = new Float64Array(count).fill(Number.NaN)
  requests.forEach((request, index) => {
    for (let block = 0; block < request.shared; block++) {
      runValue.push(request.family * 50 + block)
      runLength.push(BLOCK)
    }
    let own = request.own
    while (own > 0) {
      runValue.push(nextValue++)
      runLength.push(Math.min(own, BLOCK))
      own -= BLOCK
    }
    runOffsets[index + 1] = runValue.length
    if (request.turn === 0) {
      clockMs += request.gapMs
      arrivalMs[index] = clockMs
    }
  })
  return {
    count,
    inputTokens: Int32Array.from(requests, (request) => request.shared * BLOCK + request.own),
    outputTokens: Int32Array.from(requests, (request) => request.output),
    runOffsets,
    runValue: Int32Array.from(runValue),
    runLength: Int32Array.from(runLength),
    distinctValues: nextValue,
    uniformRunLength: BLOCK,
    arrivalMs,
    session: Int32Array.from(requests, (request) => request.session),
    turn: Int32Array.from(requests, (request) => request.turn),
    delayMs: Float64Array.from(requests, (request) => (request.turn === 0 ? 0 : request.gapMs)),
    nextTurn: Int32Array.from(requests, (request, index) => (request.turn + 1 < request.turns ? index + 1 : -1)),
    dependencyOffsets: null,
    dependencies: null,
    priority: null,
    strictPriority: null,
    sessionIds: null,
    requestIds: null,
    origin: 'trace',
  }
}

const shape = fc.record({
  gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 }), fc.double({ min: 0, max: 50, noNaN: true })),
  output: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 90 })),
  family: fc.integer({ min: 0, max: 2 }),
  shared: fc.integer({ min: 0, max: 8 }),
  own: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 200 }), fc.constant(16)),
  turns: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) }),
})

/** Pools from far too small to ample, small budgets and few slots. */
export function engineArgs(types: readonly ('vllm' | 'trtllm' | 'sglang')[]): fc.Arbitrary<EngineArgs> {
  return fc.record({
    engine_type: fc.constantFrom(...types),
    num_gpu_blocks: fc.oneof(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 30, max: 400 })),
    block_size: fc.constantFrom(16, 16, 8, 4, 24),
    max_num_seqs: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(64)),
    max_num_batched_tokens: fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 30, max: 400 }),
      fc.constant(8192),
    ),
    enable_prefix_caching: fc.oneof(
      { weight: 4, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    enable_chunked_prefill: fc.oneof(
      { weight: 5, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    speedup_ratio: fc.constantFrom(1, 1, 3.7),
    max_model_len: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 20, max: 250 }) },
    ),
  })
}

export interface RandomCase {
  readonly options: ReplayOptions
}

/** Random workload × deployment × load. */
export function randomCase(types: readonly ('vllm' | 'trtllm' | 'sglang')[]): fc.Arbitrary<ReplayOptions> {
  return fc
    .record({
      shapes: fc.array(shape, { minLength: 1, maxLength: 30 }),
      args: engineArgs(types),
      decodeBlocks: fc.integer({ min: 6, max: 200 }),
      decodeSeqs: fc.constantFrom(2, 5, 64),
      workers: fc.integer({ min: 1, max: 3 }),
      ranks: fc.constantFrom(1, 1, 1, 2),
      concurrency: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 12 })),
      isDisagg: fc.boolean(),
      usesKv: fc.boolean(),
      queues: fc.boolean(),
      capMs: fc.oneof(
        { weight: 5, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }) },
      ),
      isCompat: fc.boolean(),
      transfers: fc.boolean(),
      seed: fc.integer({ min: 0, max: 9 }),
    })
    .map((given): ReplayOptions => {
      const args = {
        ...given.args,
        dp_size: given.ranks,
        ...(given.transfers ? { kv_bytes_per_token: 100_000, kv_transfer_bandwidth: 1 } : {}),
      }
      return {
        workload: workloadOf(given.shapes),
        load: given.concurrency === null ? { kind: 'open' } : { kind: 'closed', concurrency: given.concurrency },
        ...(given.isDisagg
          ? {
              prefill: args,
              decode: { ...args, num_gpu_blocks: given.decodeBlocks, max_num_seqs: given.decodeSeqs },
              prefillWorkers: given.workers,
              decodeWorkers: 4 - given.workers,
            }
          : { engine: args, workers: given.workers }),
        ...(given.usesKv
          ? {
              routerMode: 'kv_router',
              routerConfig: { ...defaultRouterConfig, queueThreshold: given.queues ? 0.2 : null },
            }
          : {}),
        ...(given.capMs === null ? {} : { maxSimTimeMs: given.capMs }),
        ...(given.isCompat ? { compat: 'dynamo-1.4' } : {}),
        seed: given.seed,
      }
    })
}

/** Report and rows of one run. */
export function outcomeOf(options: ReplayOptions): { report: Record<string, number | undefined>; rows: RequestRow[] } {
  const rows: RequestRow[] = []
  const report = replay({ ...options, onRequest: (row) => rows.push(row) })
  return { report: { ...report }, rows }
}
