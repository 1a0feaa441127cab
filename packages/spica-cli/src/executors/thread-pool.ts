import { MessageChannel } from 'node:worker_threads'
import type { Executor, ExecutorOutcome, ExecutorTask } from '@spica/schema'
import { Piscina } from 'piscina'
import { boundedRun, type RunOne } from './bounded-run.js'
import { classifyFailure, timeoutFailure } from './task-failure.js'
import type { ThreadAnswer } from './thread-answer.js'

export interface ThreadPoolOptions {
  /** Built JavaScript module whose default export answers a `ThreadMessage` with a `ThreadAnswer`. */
  readonly workerFile: string
  /** Handed to every thread once, when it starts; `SharedArrayBuffer`s in it are shared, not copied. */
  readonly workerData: unknown
  /** Most threads at once. */
  readonly threads: number
  /** Longest run of one task, seconds from the moment its thread began it; null = no limit. */
  readonly timeLimitSeconds: number | null
  /** Most memory of one thread's heap, MB; null = Node's own limit. */
  readonly memoryLimitMb: number | null
  /** Longest time a thread may take to come up, seconds. @defaultValue 120 */
  readonly startLimitSeconds?: number
  /** Told when a thread died, in one line without paths of the user. */
  readonly onIncident?: (message: string) => void
}

/** What a worker thread is given for each task. It posts one message on `started` before it begins. */
export interface ThreadMessage {
  readonly payload: unknown
  readonly started: { postMessage(value: unknown): void; close(): void }
}

export interface ThreadPool extends Executor {
  /** Runs one task outside of a batch. */
  readonly runOne: RunOne
}

/**
 * Runs tasks in a pool of worker threads. A task that passes its time or memory limit, or kills its thread, costs only that
 * thread; the pool replaces it.
 */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const pool = new Piscina({
    filename: options.workerFile,
    workerData: options.workerData,
    minThreads: options.threads,
    maxThreads: options.threads,
    idleTimeout: 0x7fffffff,
    atomics: 'disabled',
    execArgv: [],
    ...(options.memoryLimitMb === null
      ? {}
      : {
          resourceLimits: {
            maxOldGenerationSizeMb: options.memoryLimitMb,
            maxYoungGenerationSizeMb: Math.max(8, Math.min(64, options.memoryLimitMb / 4)),
          },
        }),
  })
  let lastIdleDeath: string | null = null
  pool.on('error', (error: Error) => {
    lastIdleDeath = classifyFailure(error).message
    options.onIncident?.(`an idle worker died: ${lastIdleDeath}`)
  })

  const runOne = async (task: ExecutorTask, signal: AbortSignal): Promise<ExecutorOutcome | null> => {
    if (signal.aborted) return null
    const own = new AbortController()
    const { port1, port2 } = new MessageChannel()
    let startedMs = Date.now()
    let start = performance.now()
    let limit = 'none' as 'none' | 'start' | 'run'
    const arm = (seconds: number, kind: 'start' | 'run') =>
      setTimeout(() => {
        limit = kind
        own.abort()
      }, seconds * 1000)
    const startLimit = options.startLimitSeconds ?? 120
    let timer: NodeJS.Timeout | null = arm(startLimit, 'start')
    port1.once('message', () => {
      clearTimeout(timer as NodeJS.Timeout)
      startedMs = Date.now()
      start = performance.now()
      timer = options.timeLimitSeconds === null ? null : arm(options.timeLimitSeconds, 'run')
    })
    const stop = () => own.abort()
    signal.addEventListener('abort', stop, { once: true })
    const timing = () => ({ worker: 'thread', startedMs, durationMs: performance.now() - start })
    try {
      const message: ThreadMessage = { payload: task.payload, started: port2 }
      const answer: ThreadAnswer = await pool.run(message, { signal: own.signal, transferList: [port2] })
      if (answer.ok) return { id: task.id, status: 'done', result: answer.result, ...timing() }
      return { id: task.id, status: 'failed', code: answer.code, message: answer.message, ...timing() }
    } catch (error) {
      if (signal.aborted) return null
      const failure =
        limit === 'run' && options.timeLimitSeconds !== null
          ? timeoutFailure(options.timeLimitSeconds)
          : limit === 'start'
            ? ({
                status: 'crashed',
                code: 'worker-start',
                message: `no worker came up within ${startLimit} s`,
              } as const)
            : classifyFailure(error)
      if (failure.status === 'crashed' || failure.status === 'out-of-memory')
        options.onIncident?.(`task ${task.id}: ${failure.message}; the worker was replaced`)
      return { id: task.id, ...failure, ...timing() }
    } finally {
      if (timer !== null) clearTimeout(timer)
      port1.close()
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    runOne,
    run: (tasks, signal, runOptions) => boundedRun(tasks, options.threads, runOne, signal, runOptions),
    close: () => pool.destroy(),
  }
}
