import type { ExecutorOutcome, ExecutorRunOptions, ExecutorTask } from '@spica/schema'

/** Runs one task to its outcome; null when `signal` ended it. Never rejects. */
export type RunOne = (task: ExecutorTask, signal: AbortSignal) => Promise<ExecutorOutcome | null>

/**
 * Runs `tasks` in order with at most `concurrency` under way, yielding outcomes as they come. Shared by every executor that
 * owns its slots. Leaving the iteration early starts nothing more.
 */
export async function* boundedRun(
  tasks: readonly ExecutorTask[],
  concurrency: number,
  runOne: RunOne,
  signal: AbortSignal,
  options: ExecutorRunOptions = {},
): AsyncGenerator<ExecutorOutcome> {
  const finished: ExecutorOutcome[] = []
  let wake: (() => void) | null = null
  let next = 0
  let active = 0
  let left = false

  const startable = () =>
    !left && next < tasks.length && active < concurrency && !signal.aborted && options.noNewTasks?.aborted !== true
  const launch = () => {
    while (startable()) {
      const task = tasks[next++] as ExecutorTask
      active++
      void runOne(task, signal).then((outcome) => {
        active--
        if (outcome !== null) finished.push(outcome)
        launch()
        wake?.()
      })
    }
  }
  try {
    launch()
    for (;;) {
      while (finished.length > 0) yield finished.shift() as ExecutorOutcome
      if (active === 0) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = null
    }
  } finally {
    left = true
  }
}
