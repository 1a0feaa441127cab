import type { Executor, ExecutorOutcome, ExecutorTask } from '@spica/schema'
import { boundedRun } from './bounded-run.js'
import { classifyFailure } from './task-failure.js'

/** Answers one task in this thread; `deadlineMs` is a `performance.now()` value it must not pass, or infinity. */
export type TaskHandler = (payload: unknown, deadlineMs: number) => unknown | Promise<unknown>

export interface InProcessOptions {
  readonly handler: TaskHandler
  /** Longest run of one task, seconds from its own start; null = no limit. The handler has to watch the deadline itself. */
  readonly timeLimitSeconds: number | null
}

/** Runs tasks one after another in the calling thread, letting timers and signals through between them. */
export function createInProcessExecutor(options: InProcessOptions): Executor {
  const limitMs = options.timeLimitSeconds === null ? Number.POSITIVE_INFINITY : options.timeLimitSeconds * 1000
  const runOne = async (task: ExecutorTask, signal: AbortSignal): Promise<ExecutorOutcome | null> => {
    await new Promise((resolve) => setImmediate(resolve))
    if (signal.aborted) return null
    const startedMs = Date.now()
    const start = performance.now()
    const timing = () => ({ worker: 'main', startedMs, durationMs: performance.now() - start })
    try {
      const result = await untilAborted(options.handler(task.payload, start + limitMs), signal)
      if (signal.aborted) return null
      return { id: task.id, status: 'done', result, ...timing() }
    } catch (error) {
      if (signal.aborted) return null
      return { id: task.id, ...classifyFailure(error), ...timing() }
    }
  }
  return {
    run: (tasks, signal, runOptions) => boundedRun(tasks, 1, runOne, signal, runOptions),
    close: () => Promise.resolve(),
  }
}

/** Settles with `work`, or with undefined as soon as `signal` aborts. */
function untilAborted(work: unknown, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
