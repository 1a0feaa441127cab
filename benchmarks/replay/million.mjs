/**
 * A trace of a million requests, generated, loaded and replayed: time and peak memory of each step.
 * `node benchmarks/replay/million.mjs [REQUESTS]` after a build.
 */
import { loadTrace, replay } from '../../packages/replay-sim/dist/index.js'

const count = Number(process.argv[2] ?? 1_000_000)
const peakMb = () => (process.resourceUsage().maxRSS / 1024).toFixed(0)

function traceBytes() {
  const encoder = new TextEncoder()
  const chunks = []
  let lines = []
  let state = 1
  const next = (below) => (state = (state * 48271) % 2147483647) % below
  for (let k = 0; k < count; k++) {
    const family = next(2000)
    const ids = [family, 2000 + family * 8 + next(8), 20_000 + k * 2, 20_001 + k * 2].join(',')
    const input = 1537 + next(511)
    lines.push(`{"timestamp":${k * 20},"input_length":${input},"output_length":${50 + next(200)},"hash_ids":[${ids}]}`)
    if (lines.length === 20_000) {
      chunks.push(encoder.encode(`${lines.join('\n')}\n`))
      lines = []
    }
  }
  chunks.push(encoder.encode(lines.join('\n')))
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function timed(label, run) {
  const before = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(before)
  console.log(`${label}: ${((user + system) / 1e6).toFixed(1)} CPU s, peak ${peakMb()} MB`)
  return result
}

let bytes = timed(`generate ${count} rows`, traceBytes)
console.log(`trace: ${(bytes.length / 1e6).toFixed(0)} MB`)
const { workload } = timed('load', () => loadTrace(bytes))
bytes = null
const engine = { engine_type: 'vllm', num_gpu_blocks: 16384, block_size: 64 }
const report = timed('replay on 64 workers', () => replay({ workload, load: { kind: 'open' }, engine, workers: 64 }))
console.log(
  `completed ${report.completed_requests}, reuse ${report.prefix_cache_reused_ratio.toFixed(3)}, mean TTFT ${report.mean_ttft_ms.toFixed(0)} ms`,
)
