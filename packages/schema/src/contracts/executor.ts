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

/** Runs tasks somewhere, yielding outcomes as they finish, in any order; each task yields exactly one. */
export interface Executor {
  run(tasks: readonly ExecutorTask[], signal: AbortSignal): AsyncIterable<ExecutorOutcome>
  close(): Promise<void>
}
