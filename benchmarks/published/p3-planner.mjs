#!/usr/bin/env node
// Published experiment P3: one deployment, scaling policy varied, goodput per GPU under TTFT 2000 ms and ITL 50 ms over about an hour of
// bursty traffic. Shape to reproduce: static < throughput < hybrid < load.
//   node benchmarks/published/p3-planner.mjs [trace.jsonl[.gz] …]
// Without an argument it generates two hours of traffic with the lengths of the published trace: bursts and waves. SPICA_SKU names another GPU.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINIMAX_WORKER, markdown, spica, WORKERS } from './replay-cli.mjs'

const BASE = { mode: 'agg', optimization_target: 'sla', ttft_ms: 2000, itl_ms: 50, max_gpu_budget: 32, min_endpoint: 1 }
const sla = (throughput, load, T, L) => ({
  ...BASE,
  enable_throughput_scaling: throughput,
  enable_load_scaling: load,
  throughput_adjustment_interval_seconds: T,
  load_adjustment_interval_seconds: L,
  load_predictor: 'constant',
})
const POLICIES = [
  ['static 8 workers', null],
  ['throughput_180_5', sla(true, false, 180, 5)],
  ['throughput_600_5', sla(true, false, 600, 5)],
  ['hybrid_180_5', sla(true, true, 180, 5)],
  ['hybrid_600_5', sla(true, true, 600, 5)],
  ['load_180_5', sla(false, true, 180, 5)],
  ['load_180_10', sla(false, true, 180, 10)],
]

/** An hour of requests with the lengths of the published trace, arriving in bursts or in waves. */
const PROFILES = {
  bursts: ['--profile', 'burst', '--burst-every', '600', '--burst-length', '200', '--burst-factor', '3'],
  waves: ['--profile', 'sine', '--period', '1800', '--amplitude', '0.7', '--burstiness', '1.5'],
}

function generatedHour(profile, path) {
  return spica([
    ...['trace', 'synth', '--requests', '23608', '--rate', '6.6', ...PROFILES[profile]],
    ...['--isl', '8596', '--isl-max', '120000', '--osl', '182', '--prefix-hit-rate', '0.5', '--prefix-groups', '600'],
    ...['--zipf', '0.9', '--seed', '5', '--json', '--out', path],
  ])
}

function run(trace, policy) {
  const planner = policy === null ? [] : ['--planner-config', JSON.stringify(policy)]
  return spica([
    'replay',
    trace,
    '--num-workers',
    String(WORKERS),
    '--router-mode',
    'kv_router',
    '--extra-engine-args',
    JSON.stringify(MINIMAX_WORKER),
    '--sla-ttft-ms',
    '2000',
    '--sla-itl-ms',
    '50',
    ...planner,
    '--json',
  ])
}

const traces = process.argv.slice(2)
if (traces.length === 0) {
  const folder = mkdtempSync(join(tmpdir(), 'spica-p3-'))
  for (const profile of Object.keys(PROFILES)) {
    const path = join(folder, `${profile}.jsonl`)
    generatedHour(profile, path)
    traces.push(path)
  }
}
for (const trace of traces) {
  const rows = POLICIES.map(([name, policy]) => {
    const report = run(trace, policy)
    const gpus = report.gpu_hours / (report.duration_ms / 3.6e6)
    const goodput = report.goodput_output_throughput_tok_s
    return [
      name,
      (goodput / gpus).toFixed(1),
      gpus.toFixed(2),
      goodput.toFixed(0),
      report.mean_ttft_ms.toFixed(0),
      report.mean_tpot_ms.toFixed(1),
    ]
  })
  process.stdout.write(
    `\n${trace.split('/').at(-1)}\n\n${markdown(['policy', 'goodput/GPU', 'avg GPUs', 'goodput tok/s', 'TTFT ms', 'TPOT ms'], rows)}\n`,
  )
}
