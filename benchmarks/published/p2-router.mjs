#!/usr/bin/env node
// Published experiment P2: one deployment, router settings varied, mean end-to-end latency at 32 requests in flight. Shape to reproduce:
// the KV router beats round robin; a larger prefill_load_scale helps and saturates at 16 to 32; overlap credit 1 and temperature 0 are best.
//   node benchmarks/published/p2-router.mjs [trace.jsonl[.gz] …]
// Without an argument it generates a tool-agent-like trace; give the Mooncake conversation trace to run on real traffic too.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINIMAX_WORKER, markdown, spica, toolAgentTrace, WORKERS } from './replay-cli.mjs'

const DEFAULT = { overlap_score_credit: 1, prefill_load_scale: 1, router_temperature: 0 }
const SETTINGS = [
  ['round robin', null],
  ['kv_router, defaults', DEFAULT],
  ...[0, 0.5].map((credit) => [`overlap ${credit}`, { ...DEFAULT, overlap_score_credit: credit }]),
  ...[0, 4, 8, 16, 32].map((scale) => [`prefill_load_scale ${scale}`, { ...DEFAULT, prefill_load_scale: scale }]),
  ...[0.2, 0.5, 1].map((t) => [`temperature ${t}`, { ...DEFAULT, router_temperature: t }]),
  ['overlap 1, scale 32, temperature 0', { ...DEFAULT, prefill_load_scale: 32 }],
]

function run(trace, router) {
  const routing =
    router === null
      ? ['--router-mode', 'round_robin']
      : ['--router-mode', 'kv_router', '--router-config', JSON.stringify(router)]
  return spica([
    'replay',
    trace,
    '--replay-concurrency',
    '32',
    '--num-workers',
    String(WORKERS),
    '--extra-engine-args',
    JSON.stringify(MINIMAX_WORKER),
    ...routing,
    '--json',
  ])
}

const traces = process.argv.slice(2)
if (traces.length === 0) {
  const path = join(mkdtempSync(join(tmpdir(), 'spica-p2-')), 'tool-agent.jsonl')
  toolAgentTrace(path)
  traces.push(path)
}
for (const trace of traces) {
  const rows = SETTINGS.map(([name, router]) => {
    const report = run(trace, router)
    const {
      mean_e2e_latency_ms: e2e,
      mean_ttft_ms: ttft,
      mean_tpot_ms: tpot,
      output_throughput_tok_s: rate,
      prefix_cache_reused_ratio: reuse,
    } = report
    return [name, e2e.toFixed(0), ttft.toFixed(0), tpot.toFixed(2), rate.toFixed(0), reuse.toFixed(3)]
  })
  process.stdout.write(
    `\n${trace.split('/').at(-1)}\n\n${markdown(['router', 'e2e ms', 'TTFT ms', 'TPOT ms', 'tok/s', 'reuse'], rows)}\n`,
  )
}
