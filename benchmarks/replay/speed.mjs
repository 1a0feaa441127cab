/**
 * Replay beside the Rust mocker: CPU time of the simulation in a fresh process and of the best of ten in one process, and
 * peak memory. Run after a build: `node benchmarks/replay/speed.mjs [--peer PYTHON]`. PYTHON is one with the peer installed; it is
 * then measured in the same run, else its published figures are used.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { install, published } from './peer-figures.mjs'
import { runs, tracePath } from './runs.mjs'

const python = process.argv.includes('--peer') ? process.argv[process.argv.indexOf('--peer') + 1] : null
const folder = mkdtempSync(join(tmpdir(), 'spica-replay-'))

function ours(name, times) {
  const script = join(import.meta.dirname, 'one-run.mjs')
  return JSON.parse(execFileSync(process.execPath, [script, name, String(times)], { encoding: 'utf8' }))
}

/** Wall time of the peer's core, ms: least of three. */
function peerMs(name) {
  const [input, deployment] = runs[name]
  const trace = join(folder, 'trace.jsonl')
  const flags = [...input.flags, ...deployment.flags].map((flag) => {
    if (flag !== 'TRACE') return String(flag)
    writeFileSync(trace, gunzipSync(readFileSync(tracePath)))
    return trace
  })
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 3; k++) {
    const output = join(folder, 'report.json')
    execFileSync(python, ['-m', 'dynamo.replay', ...flags, '--report-json', output], { stdio: 'ignore' })
    least = Math.min(least, JSON.parse(readFileSync(output, 'utf8')).wall_time_ms)
  }
  return least
}

console.log(
  python === null
    ? `peer: published figures; to measure it here: ${install}, then --peer v/bin/python`
    : 'peer: measured here',
)
console.log('run | peer ms | fresh process ms (ratio, target) | best of 10 ms (ratio, target) | peak MB, fresh (peer)')
for (const name of Object.keys(published)) {
  const figures = published[name]
  const peer = python === null ? figures.cpuSeconds * 1000 : peerMs(name)
  const fresh = [ours(name, 1), ours(name, 1), ours(name, 1)]
  const measured = python === null ? 'Cpu' : 'Wall'
  const cold = Math.min(...fresh.map((run) => run[`first${measured}Ms`]))
  const warm = ours(name, name.startsWith('b') ? 5 : 10)[`best${measured}Ms`]
  const peak = Math.min(...fresh.map((run) => run.peakMb))
  console.log(
    [
      name,
      peer.toFixed(0),
      `${cold.toFixed(0)} (${(peer / cold).toFixed(1)}, ${figures.coldTarget})`,
      `${warm.toFixed(1)} (${(peer / warm).toFixed(0)}, ${figures.warmTarget})`,
      `${peak.toFixed(0)} (${figures.rssMb ?? '–'})`,
    ].join(' | '),
  )
}

console.log('\ncost follows passes and events, not tokens: best of 10, CPU ms')
for (const name of ['a', 'a, doubled outputs', 'a, doubled concurrency', 'GLM-5-like, 119,400 requests']) {
  const run = ours(name, name.startsWith('GLM') ? 3 : 10)
  console.log(`${name}: first ${run.firstCpuMs.toFixed(0)}, best ${run.bestCpuMs.toFixed(1)}, tokens ${run.tokens}`)
}
rmSync(folder, { recursive: true })
