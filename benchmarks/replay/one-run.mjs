/** One run of `runs.mjs` in this process: `node one-run.mjs NAME TIMES` prints CPU ms of the first and the best, and memory. */
import { runs } from './runs.mjs'

const [name, times] = process.argv.slice(2)
const library = await import('../../packages/replay-sim/dist/index.js')
const [input, deployment] = runs[name]
const options = { ...input.load(library), ...deployment.options }
const cpu = []
const wall = []
let report
for (let k = 0; k < Number(times); k++) {
  const before = process.cpuUsage()
  const startMs = performance.now()
  report = library.replay(options)
  wall.push(performance.now() - startMs)
  const { user, system } = process.cpuUsage(before)
  cpu.push((user + system) / 1000)
}
process.stdout.write(
  JSON.stringify({
    firstCpuMs: cpu[0],
    bestCpuMs: Math.min(...cpu),
    firstWallMs: wall[0],
    bestWallMs: Math.min(...wall),
    peakMb: process.resourceUsage().maxRSS / 1024,
    completed: report.completed_requests,
    tokens: report.total_output_tokens,
  }),
)
