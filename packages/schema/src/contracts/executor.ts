/** One unit of work for an executor. `id` is unique in a study; `payload` is JSON. */
export interface ExecutorTask {
  readonly id: string
  readonly payload: unknown
}

export type ExecutorOutcome =
  | {
      readonly id: string
      readonly status: 'done'
      readonly result: unknown
      readonly worker: string
      readonly startedMs: number
      readonly durationMs: number
    }
  | {
      readonly id: string
      readonly status: 'failed' | 'timed-out' | 'out-of-memory' | 'crashed'
      readonly code: string
      readonly message: string
      readonly worker: string
      readonly startedMs: number
      readonly durationMs: number
    }

export interface ExecutorRunOptions {
  /** Once aborted, tasks that have not begun never begin; those that have, finish and yield. */
  readonly noNewTasks?: AbortSignal
}

/**
 * Runs tasks somewhere, yielding outcomes as they finish, in any order. Each task yields exactly one outcome, except those
 * that `noNewTasks` or `signal` kept from finishing, which yield none. Aborting `signal` ends running tasks and the iteration.
 */
export interface Executor {
  run(tasks: readonly ExecutorTask[], signal: AbortSignal, options?: ExecutorRunOptions): AsyncIterable<ExecutorOutcome>
  /** Stops everything still running and frees threads and connections. */
  close(): Promise<void>
}
