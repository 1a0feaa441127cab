import type { Executor, ExecutorOutcome, ExecutorTask } from '@spica/schema'
import type { HazardPayload } from './hazard-worker.js'

/** Makes an executor whose workers act out `HazardPayload`s. */
export type MakeContractExecutor = (options: ContractExecutorOptions) => Promise<Executor>

export interface ContractExecutorOptions {
  readonly workers: number
  readonly timeLimitSeconds: number | null
  readonly memoryLimitMb: number | null
  /** How long a worker takes to come up, ms. */
  readonly slowStartMs: number
}

export interface ContractCase {
  readonly name: string
  /** True when it harms its worker: only for executors that keep workers apart from the caller. */
  readonly harmful: boolean
  /** Rejects, saying what is wrong, when the executor does not hold the contract. */
  run(make: MakeContractExecutor): Promise<void>
}

const DEFAULTS: ContractExecutorOptions = { workers: 2, timeLimitSeconds: null, memoryLimitMb: null, slowStartMs: 0 }

/** What every executor has to hold, for tests of ours and of others. */
export const EXECUTOR_CONTRACT: readonly ContractCase[] = [
  contractCase('yields one outcome for each task, whatever order they finish in', DEFAULTS, async (executor) => {
    const tasks = Array.from({ length: 12 }, (_, i) => task(i, { do: 'sleep', ms: ((i * 7) % 5) * 10, value: i }))
    const outcomes = await collect(executor, tasks)
    for (const { id } of tasks) {
      const found = outcomes.filter((outcome) => outcome.id === id)
      must(found.length === 1, `task ${id} gave ${found.length} outcomes`)
      must(resultOf(found[0]) === Number(id.split('-')[1]), `task ${id} gave another task's result`)
    }
  }),
  contractCase('does nothing for no tasks', DEFAULTS, async (executor) => {
    must((await collect(executor, [])).length === 0, 'outcomes came from nowhere')
  }),
  contractCase('reports a task that fails, every time, and goes on', DEFAULTS, async (executor) => {
    for (let turn = 0; turn < 2; turn++) {
      const outcomes = await collect(executor, [task(1, { do: 'throw' }), task(2, { do: 'echo', value: 2 })])
      const failed = outcomes.find((outcome) => outcome.id === 'task-1')
      must(
        failed?.status === 'failed' && failed.code === 'told-to-fail',
        `the failure came as ${JSON.stringify(failed)}`,
      )
      must(resultOf(outcomes.find((outcome) => outcome.id === 'task-2')) === 2, 'the other task did not finish')
    }
  }),
  contractCase('runs the same task again when it is asked again', DEFAULTS, async (executor) => {
    for (let turn = 0; turn < 3; turn++) {
      const outcomes = await collect(executor, [task(5, { do: 'echo', value: 5 })])
      must(outcomes.length === 1 && resultOf(outcomes[0]) === 5, `turn ${turn} gave ${JSON.stringify(outcomes)}`)
    }
  }),
  contractCase('serves two batches at once', DEFAULTS, async (executor) => {
    const [first, second] = await Promise.all([
      collect(executor, [task(1, { do: 'sleep', ms: 30, value: 1 }), task(2, { do: 'echo', value: 2 })]),
      collect(executor, [task(3, { do: 'sleep', ms: 10, value: 3 })]),
    ])
    must(first.length === 2 && second.length === 1, 'a batch lost an outcome to the other')
  }),
  contractCase(
    'measures the time limit from the own start of a task',
    { ...DEFAULTS, workers: 1, timeLimitSeconds: 0.6 },
    async (executor) => {
      const tasks = Array.from({ length: 5 }, (_, i) => task(i, { do: 'sleep', ms: 250, value: i }))
      const outcomes = await collect(executor, [...tasks, task(9, { do: 'hang' })])
      for (const { id } of tasks)
        must(
          outcomes.find((outcome) => outcome.id === id)?.status === 'done',
          `${id} was charged for its time in the queue`,
        )
      const hung = outcomes.find((outcome) => outcome.id === 'task-9')
      must(hung?.status === 'timed-out', `a hanging task came back as ${JSON.stringify(hung)}`)
      must(hung.durationMs >= 500, `it was stopped after ${hung.durationMs} ms of 600`)
    },
  ),
  contractCase(
    'starts nothing new once told so, and finishes what runs',
    { ...DEFAULTS, workers: 1 },
    async (executor) => {
      const stop = new AbortController()
      const tasks = Array.from({ length: 6 }, (_, i) => task(i, { do: 'sleep', ms: 80, value: i }))
      const outcomes: ExecutorOutcome[] = []
      for await (const outcome of executor.run(tasks, new AbortController().signal, { noNewTasks: stop.signal })) {
        outcomes.push(outcome)
        stop.abort()
      }
      must(outcomes.length >= 1 && outcomes.length < tasks.length, `${outcomes.length} of ${tasks.length} tasks ran`)
      must(
        outcomes.every((outcome) => outcome.status === 'done'),
        'a running task was cut off',
      )
    },
  ),
  contractCase('ends at once when aborted', { ...DEFAULTS, workers: 2 }, async (executor) => {
    const abort = new AbortController()
    const tasks = Array.from({ length: 8 }, (_, i) => task(i, { do: 'sleep', ms: 200, value: i }))
    const outcomes: ExecutorOutcome[] = []
    for await (const outcome of executor.run(tasks, abort.signal)) {
      outcomes.push(outcome)
      abort.abort()
    }
    must(outcomes.length < tasks.length, 'everything ran in spite of the abort')
    must(new Set(outcomes.map((outcome) => outcome.id)).size === outcomes.length, 'an outcome came twice')
  }),
  harmfulCase('stops a task that hangs when aborted', { ...DEFAULTS, workers: 1 }, async (executor) => {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), 500)
    const begun = performance.now()
    for await (const outcome of executor.run([task(1, { do: 'hang' })], abort.signal))
      must(false, `an aborted task gave ${outcome.status}`)
    clearTimeout(timer)
    must(performance.now() - begun < 10_000, 'the abort took more than ten seconds')
    const [after] = await collect(executor, [task(2, { do: 'echo', value: 2 })])
    must(resultOf(after) === 2, 'the worker was not given back')
  }),
  harmfulCase('replaces a worker that crashes', { ...DEFAULTS, workers: 1 }, async (executor) => {
    const outcomes = await collect(executor, [task(1, { do: 'crash' }), task(2, { do: 'echo', value: 2 })])
    const crashed = outcomes.find((outcome) => outcome.id === 'task-1')
    must(crashed?.status === 'crashed', `a crash came back as ${JSON.stringify(crashed)}`)
    must(resultOf(outcomes.find((outcome) => outcome.id === 'task-2')) === 2, 'no worker came after the crash')
  }),
  harmfulCase(
    'replaces a worker that runs out of memory',
    { ...DEFAULTS, workers: 1, memoryLimitMb: 64 },
    async (executor) => {
      const outcomes = await collect(executor, [task(1, { do: 'exhaust-memory' }), task(2, { do: 'echo', value: 2 })])
      const starved = outcomes.find((outcome) => outcome.id === 'task-1')
      must(starved?.status === 'out-of-memory', `it came back as ${JSON.stringify(starved)}`)
      must(resultOf(outcomes.find((outcome) => outcome.id === 'task-2')) === 2, 'no worker came after it')
    },
  ),
  harmfulCase(
    'does not charge a slow start to the task',
    { ...DEFAULTS, workers: 1, timeLimitSeconds: 0.4, slowStartMs: 900 },
    async (executor) => {
      const [outcome] = await collect(executor, [task(1, { do: 'echo', value: 1 })])
      must(resultOf(outcome) === 1, `it came back as ${JSON.stringify(outcome)}`)
    },
  ),
]

function contractCase(
  name: string,
  options: ContractExecutorOptions,
  check: (executor: Executor) => Promise<void>,
  harmful = false,
): ContractCase {
  return {
    name,
    harmful,
    async run(make) {
      const executor = await make(options)
      try {
        await check(executor)
      } finally {
        await executor.close()
      }
    },
  }
}

function harmfulCase(...[name, options, check]: Parameters<typeof contractCase>): ContractCase {
  return contractCase(name, options, check, true)
}

function task(number: number, payload: HazardPayload): ExecutorTask {
  return { id: `task-${number}`, payload }
}

async function collect(executor: Executor, tasks: readonly ExecutorTask[]): Promise<ExecutorOutcome[]> {
  const outcomes: ExecutorOutcome[] = []
  for await (const outcome of executor.run(tasks, new AbortController().signal)) outcomes.push(outcome)
  return outcomes
}

function resultOf(outcome: ExecutorOutcome | undefined): unknown {
  return outcome?.status === 'done' ? (outcome.result as { value: unknown }).value : undefined
}

function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`the executor contract is broken: ${message}`)
}
