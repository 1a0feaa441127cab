import { Worker } from 'node:worker_threads'

/** Ends the process when one case does not finish: a loop that never yields cannot be stopped from its own thread. */
export interface Watchdog {
  /** Says that a case has begun. */
  feed(description: string): void
  close(): Promise<void>
}

const SOURCE = `
const { workerData, parentPort } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const shared = new Int32Array(workerData.shared)
const text = new Uint8Array(workerData.text)
let seen = -1, since = Date.now()
setInterval(() => {
  const now = Atomics.load(shared, 0)
  if (now !== seen) { seen = now; since = Date.now(); return }
  if (Date.now() - since < workerData.limitMs) return
  writeSync(2, '\\nHANG: no end within ' + workerData.limitMs + ' ms: ' + Buffer.from(text.slice(0, Atomics.load(shared, 1))).toString() + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 250)
`

/** @param limitMs longest time one case may take, wall clock */
export function startWatchdog(limitMs: number): Watchdog {
  const shared = new SharedArrayBuffer(8)
  const text = new SharedArrayBuffer(4096)
  const counter = new Int32Array(shared)
  const worker = new Worker(SOURCE, { eval: true, workerData: { shared, text, limitMs } })
  worker.unref()
  return {
    feed(description) {
      const bytes = Buffer.from(description.slice(0, 1000)).subarray(0, 4096)
      new Uint8Array(text).set(bytes)
      Atomics.store(counter, 1, bytes.length)
      Atomics.add(counter, 0, 1)
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
