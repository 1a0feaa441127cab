#!/usr/bin/env node
// Cost of an evaluation beyond its own work, and how two worker processes scale. Needs redis-server for the distributed part.
//   node benchmarks/study/executors.mjs [--tasks 300] [--scaling 16]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createBullmqExecutor, createInProcessExecutor, createThreadPool } from '../../packages/spica-cli/dist/index.js'

const { values } = parseArgs({ options: { tasks: { type: 'string' }, scaling: { type: 'string' } } })
const taskCount = Number(values.tasks ?? 300)
const scalingCount = Number(values.scaling ?? 16)
const dist = fileURLToPath(new URL('../../packages/spica-cli/dist/', import.meta.url))
const workerFile = join(dist, 'executors/contract/hazard-worker.js')
const context = { settings: {}, columns: {} }
const limits = { timeLimitSeconds: 600, memoryLimitMb: null }

const echo = (count) =>
  Array.from({ length: count }, (_, i) => ({ id: `e${i}-${process.pid}`, payload: { do: 'echo', value: i } }))
async function drain(executor, tasks) {
  let done = 0
  for await (const outcome of executor.run(tasks, new AbortController().signal)) if (outcome.status === 'done') done++
  if (done !== tasks.length) throw new Error(`${done} of ${tasks.length} tasks finished`)
}
async function cpuPerTask(executor, label, target, extraCpuMs = () => 0) {
  await drain(
    executor,
    echo(20).map((task) => ({ ...task, id: `warm-${label}-${task.id}` })),
  )
  const extra = extraCpuMs()
  const before = process.cpuUsage()
  await drain(
    executor,
    echo(taskCount).map((task) => ({ ...task, id: `${label}-${task.id}` })),
  )
  const used = process.cpuUsage(before)
  const ms = ((used.user + used.system) / 1000 + extraCpuMs() - extra) / taskCount
  console.log(`${label.padEnd(34)} ${ms.toFixed(3)} ms CPU per evaluation (target <= ${target})`)
}

const inProcess = createInProcessExecutor({ handler: (payload) => ({ value: payload.value }), timeLimitSeconds: 600 })
await cpuPerTask(inProcess, 'in-process', 3)
const pool = createThreadPool({ workerFile, workerData: context, threads: 2, ...limits })
await cpuPerTask(pool, 'thread pool, 2 threads', 3)
await pool.close()

if (spawnSync('redis-server', ['--version']).status !== 0) {
  console.log('distributed part skipped: no redis-server')
  process.exit(0)
}
const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const found = probe.address().port
    probe.close(() => resolve(found))
  })
})
const folder = mkdtempSync(join(tmpdir(), 'spica-bench-'))
const redis = spawn('redis-server', ['--port', String(port), '--dir', folder, '--save', ''], { stdio: 'ignore' })
const brokerUrl = `redis://127.0.0.1:${port}`
const children = []
const startWorker = () => {
  const source = `
    import { startBrokerWorker } from ${JSON.stringify(join(dist, 'broker/broker-worker.js'))}
    await startBrokerWorker({ brokerUrl: ${JSON.stringify(brokerUrl)}, version: 'bench', threads: 1, workerFile: ${JSON.stringify(workerFile)}, memoryLimitMb: null })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' })
  children.push(child)
  return child
}
/** CPU time of a process so far, ms (Linux). */
const cpuOf = (child) => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
const worker = startWorker()
const queue = await createBullmqExecutor({ brokerUrl, context, version: 'bench', ...limits })
await cpuPerTask(queue, 'bullmq, sweep + worker + broker', 6, () => cpuOf(worker) + cpuOf(redis))

const busy = (label) =>
  Array.from({ length: scalingCount }, (_, i) => ({ id: `${label}${i}`, payload: { do: 'sleep', ms: 500, value: i } }))
const seconds = async (label) => {
  const begun = performance.now()
  await drain(queue, busy(label))
  return (performance.now() - begun) / 1000
}
const one = await seconds('one')
startWorker()
const workersThere = () =>
  spawnSync('redis-cli', ['-p', String(port), 'keys', 'spica:worker:*'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n').length
while (workersThere() < 2) await new Promise((resolve) => setTimeout(resolve, 200))
await drain(
  queue,
  echo(8).map((task) => ({ ...task, id: `warm-two-${task.id}` })),
)
const two = await seconds('two')
console.log(
  `${scalingCount} evaluations of 0.5 s: ${one.toFixed(2)} s with one worker process, ${two.toFixed(2)} s with two, ratio ${(one / two).toFixed(2)} (target >= 1.8)`,
)
await queue.close()
for (const child of [...children, redis]) child.kill('SIGKILL')
rmSync(folder, { recursive: true, force: true })
