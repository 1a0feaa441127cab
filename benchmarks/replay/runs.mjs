import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

const shared = resolve(process.env.SPICA_SHARED ?? join(import.meta.dirname, '..', '..', '..', 'shared'))
const engine = { engine_type: 'vllm', num_gpu_blocks: 16384, block_size: 64 }
const sglang = { ...engine, engine_type: 'sglang' }
const wide = { ...engine, num_gpu_blocks: 65536, max_num_seqs: 1024 }

const closed = (inputTokens, outputTokens, requestCount, concurrency) => ({
  flags: [
    '--input-tokens',
    inputTokens,
    '--output-tokens',
    outputTokens,
    '--request-count',
    requestCount,
    '--replay-concurrency',
    concurrency,
  ],
  load: ({ syntheticWorkload }) => syntheticWorkload({ inputTokens, outputTokens, requestCount, concurrency }),
})
const prefixHeavy = {
  flags: ['TRACE'],
  load: ({ loadTrace }) => ({
    workload: loadTrace(gunzipSync(readFileSync(tracePath))).workload,
    load: { kind: 'open' },
  }),
}

/** The trace of runs b and b'. */
export const tracePath = join(shared, 'traces', 'prefix-heavy-23k.jsonl.gz')

const agg = (args, workers = 1, routerMode = 'round_robin') => ({
  flags: ['--extra-engine-args', JSON.stringify(args), '--num-workers', workers, '--router-mode', routerMode],
  options: { engine: args, workers, routerMode },
})
const disagg = (prefill, decode, workers) => ({
  flags: [
    '--prefill-engine-args',
    JSON.stringify({ ...prefill, worker_type: 'prefill' }),
    '--decode-engine-args',
    JSON.stringify({ ...decode, worker_type: 'decode' }),
    '--num-prefill-workers',
    workers,
    '--num-decode-workers',
    workers,
  ],
  options: { prefill, decode, prefillWorkers: workers, decodeWorkers: workers },
})

/** Runs by name: how to load them, options of `replay`, and the peer's flags. */
export const runs = {
  a: [closed(1024, 1024, 2560, 256), agg(engine)],
  "a'": [closed(1024, 1024, 2560, 256), agg(sglang)],
  b: [prefixHeavy, agg(engine, 8, 'kv_router')],
  "b'": [prefixHeavy, agg(engine, 8)],
  c: [closed(1024, 256, 20000, 2000), disagg(engine, engine, 8)],
  'c"': [closed(1024, 1024, 24000, 6000), disagg(engine, wide, 8)],
  'a, doubled outputs': [closed(1024, 2048, 2560, 256), agg({ ...engine, num_gpu_blocks: 32768 })],
  'a, doubled concurrency': [
    closed(1024, 1024, 5120, 512),
    agg({ ...engine, num_gpu_blocks: 32768, max_num_seqs: 512 }),
  ],
  'GLM-5-like, 119,400 requests': [
    closed(1024, 1024, 119400, 11940),
    disagg({ ...engine, num_gpu_blocks: 65536 }, { ...wide, num_gpu_blocks: 262144, max_num_seqs: 2048 }, 6),
  ],
}
