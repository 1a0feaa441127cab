#!/usr/bin/env node
// Published experiment P1: the seven published deployments of GLM-5-FP8 on B200 (SGLang, disaggregated, 1k tokens in and out), replayed at
// their concurrency, beside the published figures. Batching is published for the first one only (prefill 32768/256, decode 8192/1024) and
// used for all.
//   node benchmarks/published/p1-deployments.mjs [--perf-db PATH] [--compat aic-0.11]
import { markdown, spica } from './replay-cli.mjs'

const SHAPES = {
  TP: (g) => ({ aic_tp_size: g, aic_attention_dp_size: 1, aic_moe_tp_size: g, aic_moe_ep_size: 1 }),
  TEP: (g) => ({ aic_tp_size: g, aic_attention_dp_size: 1, aic_moe_tp_size: 1, aic_moe_ep_size: g }),
  DEP: (g) => ({ aic_tp_size: 1, aic_attention_dp_size: g, aic_moe_tp_size: 1, aic_moe_ep_size: g }),
  DTP: (g) => ({ aic_tp_size: 1, aic_attention_dp_size: g, aic_moe_tp_size: g, aic_moe_ep_size: 1 }),
}
/** Pools as [workers, kind, GPUs], concurrency, then published tokens per second and user, and per GPU. */
const PUBLISHED = [
  [[2, 'DEP', 8], [6, 'DTP', 8], 11940, 23.56, 1788.4],
  [[1, 'DEP', 8], [6, 'DTP', 8], 14803, 30.42, 1045.4],
  [[1, 'DEP', 8], [8, 'DTP', 8], 18325, 35.04, 815.4],
  [[1, 'TP', 8], [6, 'DTP', 8], 20237, 41.56, 452.7],
  [[1, 'DTP', 16], [5, 'DTP', 8], 4163, 45.57, 247.1],
  [[1, 'DEP', 8], [7, 'DEP', 8], 7038, 50.3, 115.3],
  [[1, 'TEP', 8], [2, 'TP', 8], 1, 87.79, 3.6],
]
const BASE = {
  engine_type: 'sglang',
  aic_backend: 'sglang',
  aic_system: 'b200_sxm',
  aic_model_path: 'zai-org/GLM-5-FP8',
  block_size: 64,
  gpu_memory_utilization: 0.9,
}
const extra = process.argv.slice(2)

function replay([prefill, decode, concurrency]) {
  const engine = ([, kind, gpus], role, tokens, seqs) =>
    JSON.stringify({
      ...BASE,
      ...SHAPES[kind](gpus),
      worker_type: role,
      max_num_batched_tokens: tokens,
      max_num_seqs: seqs,
      enable_prefix_caching: role === 'prefill',
    })
  return spica([
    'replay',
    '--input-tokens',
    '1024',
    '--output-tokens',
    '1024',
    '--request-count',
    String(10 * concurrency),
    '--replay-concurrency',
    String(concurrency),
    '--prefill-engine-args',
    engine(prefill, 'prefill', 32768, 256),
    '--decode-engine-args',
    engine(decode, 'decode', 8192, 1024),
    '--num-prefill-workers',
    String(prefill[0]),
    '--num-decode-workers',
    String(decode[0]),
    '--json',
    ...extra,
  ])
}

const rows = PUBLISHED.map((row) => {
  const [prefill, decode, concurrency, user, gpu] = row
  const report = replay(row)
  const gpus = prefill[0] * prefill[2] + decode[0] * decode[2]
  const name = [prefill, decode].map(([n, kind, size]) => `${n}×${kind}${size}`).join(' + ')
  const ourUser = report.mean_output_token_throughput_per_user
  const ourGpu = report.output_throughput_tok_s / gpus
  return [name, concurrency, user, ourUser.toFixed(2), gpu, ourGpu.toFixed(1), (ourGpu / gpu).toFixed(2)]
})
process.stdout.write(
  `${markdown(['deployment', 'concurrency', 'tok/s/user published', 'here', 'tok/s/GPU published', 'here', 'ratio'], rows)}\n`,
)
