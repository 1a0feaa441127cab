#!/usr/bin/env node
// A 2,000-trial sweep over Redis whose worker processes are killed at random and replaced, against an undisturbed one in this process:
// the same bytes must come out, and the sweep's memory must be flat after warm-up.
//   node benchmarks/scale/soak.mjs [trials]        default 2000; needs redis-server
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN, run } from './measure.mjs'

const trials = Number(process.argv[2] ?? 2000)
const port = 20_000 + (process.pid % 20_000)
const url = `redis://127.0.0.1:${port}`
const folder = mkdtempSync(join(tmpdir(), 'spica-soak-'))
const path = join(folder, 'sweep.yaml')
writeFileSync(
  path,
  `search_space:
  model_name: meta-llama/Meta-Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 32
  context_length: 8192
  deployment_mode: [agg, disagg]
  backend: [vllm, sglang]
  planner_scaling_policy: [disabled]
workload: { isl: 1024, osl: 64, kv_load_ratio: [0, 1], num_request_ratio: 0.2 }
goal: { target: pareto }
sweep: { max_rounds: ${Math.ceil(trials / 32)}, parallel_evals: 16, optimizer: quasi-random }
`,
)

let seed = 12345
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed / 2 ** 31
}
const sha = (name) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name, 'candidates.json')))
    .digest('hex')

const calm = await run(['sweep', '--config', path, '--out', join(folder, 'calm'), '--quiet'])
const redis = spawn(
  'redis-server',
  ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'],
  { stdio: 'ignore' },
)
await new Promise((resolve) => setTimeout(resolve, 1000))
let stopping = false
let killed = 0
const startWorker = () => {
  const worker = spawn(process.execPath, [MAIN, 'worker', '--broker', url, '--workers', '1', '--quiet'], {
    stdio: 'ignore',
  })
  worker.on('exit', () => {
    if (!stopping) workers.splice(workers.indexOf(worker), 1, startWorker())
  })
  return worker
}
const workers = []
workers.push(startWorker(), startWorker())
const killer = setInterval(() => {
  killed++
  workers[Math.floor(random() * workers.length)].kill('SIGKILL')
}, 4000)
const samples = []
const started = performance.now()
const soaked = await run(
  ['sweep', '--config', path, '--out', join(folder, 'soaked'), '--quiet', '--executor', 'bullmq', '--broker', url],
  {
    onSample(child) {
      try {
        const rss = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
        if (samples.length === 0 || performance.now() - samples.at(-1).at > 1000)
          samples.push({ at: performance.now(), rss })
      } catch {
        // The sweep has just ended.
      }
    },
  },
)
stopping = true
clearInterval(killer)
for (const worker of workers) worker.kill('SIGKILL')
redis.kill()
const total = performance.now() - started
const mean = (from, to) => {
  const inside = samples.filter(({ at }) => at - started >= from * total && at - started < to * total)
  return inside.reduce((sum, { rss }) => sum + rss, 0) / Math.max(1, inside.length)
}
const same = sha('calm') === sha('soaked')
const lines = readFileSync(join(folder, 'soaked', 'trials.jsonl'), 'utf8')
  .trim()
  .split('\n').length
process.stdout.write(
  `${trials} trials, ${killed} workers killed: ${same ? 'the same bytes' : 'DIFFERENT bytes'}; ${lines} records\n` +
    `undisturbed ${calm.seconds.toFixed(0)} s on threads, ${soaked.seconds.toFixed(0)} s over Redis with killings\n` +
    `memory of the sweep, MB: second quarter ${mean(0.25, 0.5).toFixed(0)}, third ${mean(0.5, 0.75).toFixed(0)}, last ${mean(0.75, 1).toFixed(0)}\n`,
)
rmSync(folder, { recursive: true, force: true })
process.exit(same ? 0 : 1)
