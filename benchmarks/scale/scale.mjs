#!/usr/bin/env node
// Cost against trials, requests, pool size and workers, each as a table with its growth exponent.
//   node benchmarks/scale/scale.mjs [trials] [requests] [pool] [workers]      default: all
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exponent, MAIN, run, table } from './measure.mjs'

const folder = mkdtempSync(join(tmpdir(), 'spica-scale-'))
const wanted = process.argv.slice(2)
const wants = (name) => wanted.length === 0 || wanted.includes(name)

function config(name, change) {
  const base = {
    search_space: {
      model_name: 'meta-llama/Meta-Llama-3.1-8B',
      hardware_sku: 'h200_sxm',
      gpu_budget: 32,
      context_length: 8192,
      deployment_mode: ['disagg'],
      backend: ['vllm'],
      planner_scaling_policy: ['disabled'],
    },
    workload: { isl: 1024, osl: 128, kv_load_ratio: [0, 1], num_request_ratio: 1 },
    goal: { target: 'pareto' },
    sweep: { max_rounds: 10, parallel_evals: 8 },
  }
  const merged = Object.fromEntries(Object.keys(base).map((key) => [key, { ...base[key], ...(change[key] ?? {}) }]))
  const path = join(folder, `${name}.yaml`)
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(merged))
  return path
}

const sweep = (path, name, ...more) =>
  run(['sweep', '--config', path, '--out', join(folder, name), '--quiet', '--seed', '3', ...more])
const print = (title, head, rows, growth) => process.stdout.write(`\n${title}\n\n${table(head, rows)}\n\n${growth}\n`)

if (wants('trials')) {
  const points = []
  for (const trials of [100, 250, 500, 1000, 2000]) {
    const path = config(`trials-${trials}`, {
      workload: { isl: 512, osl: 16, kv_load_ratio: [0, 1], num_request_ratio: 0.02 },
      sweep: { max_rounds: Math.ceil(trials / 8), parallel_evals: 8 },
    })
    const { seconds, peakMb } = await sweep(path, `trials-${trials}`, '--workers', '1')
    points.push([trials, seconds, peakMb])
  }
  const rows = points.map(([n, s, mb]) => [n, s.toFixed(1), ((1000 * s) / n).toFixed(0), mb.toFixed(0)])
  print(
    'Trials (two objectives, one worker)',
    ['trials', 'seconds', 'ms a trial', 'peak MB'],
    rows,
    `growth exponent ${exponent(points).toFixed(2)}`,
  )
}

if (wants('requests')) {
  const points = []
  for (const requests of [1e3, 1e4, 1e5, 1e6]) {
    const args = [
      '--input-tokens',
      '1024',
      '--output-tokens',
      '128',
      '--request-count',
      String(requests),
      '--replay-concurrency',
      '512',
    ]
    const engine = '{"engine_type":"vllm","num_gpu_blocks":16384,"block_size":64}'
    const { seconds, peakMb } = await run([
      'replay',
      ...args,
      '--num-workers',
      '4',
      '--extra-engine-args',
      engine,
      '--json',
    ])
    points.push([requests, seconds, peakMb])
  }
  const rows = points.map(([n, s, mb]) => [n, s.toFixed(2), mb.toFixed(0)])
  print(
    'Requests of one replay',
    ['requests', 'seconds', 'peak MB'],
    rows,
    `growth exponent ${exponent(points.slice(1)).toFixed(2)} (from 10⁴ on, where start-up no longer dominates)`,
  )
}

if (wants('pool')) {
  const points = []
  for (const budget of [8, 16, 32, 64, 128, 256]) {
    const path = config(`pool-${budget}`, {
      search_space: {
        model_name: 'Qwen/Qwen3-30B-A3B',
        hardware_sku: 'h200_sxm',
        gpu_budget: budget,
        context_length: 8192,
        deployment_mode: ['agg', 'disagg'],
        backend: ['vllm', 'sglang'],
        planner_scaling_policy: ['disabled'],
      },
    })
    const { seconds, peakMb, out } = await run(['enumerate', '--config', path, '--json'])
    const pairs = JSON.parse(out).branches.reduce((sum, branch) => sum + branch.configs.length, 0)
    points.push([pairs, seconds, peakMb, budget])
  }
  const rows = points.map(([pairs, s, mb, budget]) => [budget, pairs, s.toFixed(2), mb.toFixed(0)])
  print(
    'Pool size (enumeration of a MoE model, written as JSON)',
    ['GPUs', 'configurations', 'seconds', 'peak MB'],
    rows,
    `growth exponent ${exponent(points.slice(2)).toFixed(2)} over configurations (from 32 GPUs on)`,
  )
}

if (wants('workers')) {
  const path = config('workers', {
    workload: { isl: 4096, osl: 512, concurrency: 400, num_request_ratio: 40 },
    goal: { target: 'throughput_per_gpu' },
    sweep: { max_rounds: 4, parallel_evals: 8 },
  })
  const one = await sweep(path, 'workers-1', '--workers', '1')
  const two = await sweep(path, 'workers-2', '--workers', '2')
  const rows = [
    ['1 thread', one.seconds.toFixed(1), '1.00', one.peakMb.toFixed(0)],
    ['2 threads', two.seconds.toFixed(1), (one.seconds / two.seconds).toFixed(2), two.peakMb.toFixed(0)],
  ]
  const redis = await startRedis()
  if (redis !== null) {
    const workers = [1, 2].map(() =>
      spawn(process.execPath, [MAIN, 'worker', '--broker', redis.url, '--workers', '1', '--quiet'], {
        stdio: 'ignore',
      }),
    )
    const far = await sweep(path, 'workers-redis', '--executor', 'bullmq', '--broker', redis.url)
    for (const worker of workers) worker.kill('SIGKILL')
    redis.stop()
    rows.push([
      '2 processes over Redis',
      far.seconds.toFixed(1),
      (one.seconds / far.seconds).toFixed(2),
      far.peakMb.toFixed(0),
    ])
  }
  print(
    'Workers (the same sweep)',
    ['executor', 'seconds', 'speed-up', 'peak MB of the sweep'],
    rows,
    'on as many cores as this machine has; wall time',
  )
}

rmSync(folder, { recursive: true, force: true })

async function startRedis() {
  try {
    execFileSync('redis-server', ['--version'])
  } catch {
    process.stdout.write('\nredis-server is not installed: the distributed row is left out\n')
    return null
  }
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'],
    { stdio: 'ignore' },
  )
  await new Promise((resolve) => setTimeout(resolve, 800))
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill() }
}
