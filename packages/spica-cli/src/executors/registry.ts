import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Executor, SpicaError } from '@spica/schema'
import type { EvaluationSettings } from '../evaluation/evaluation-settings.js'
import { createEvaluator } from '../evaluation/evaluator.js'
import { unpackContext } from '../study/packed-context.js'
import type { StudyContext } from '../study/study-context.js'
import { VERSION } from '../version.js'
import { createBullmqExecutor } from './bullmq.js'
import { createInProcessExecutor } from './in-process.js'
import { createThreadPool } from './thread-pool.js'

export interface ExecutorSetup {
  readonly context: StudyContext
  /** Evaluations at once; null = as many as there is room for. */
  readonly workers: number | null
  readonly timeLimitSeconds: number | null
  readonly memoryLimitMb: number | null
  readonly broker: string | null
  readonly onIncident: (message: string) => void
}

/** Built entry of worker threads; also right when this file runs from source, as tests do. */
export const WORKER_FILE: string = fileURLToPath(new URL('../../dist/executors/worker-entry.js', import.meta.url))

const EXECUTORS: Readonly<Record<string, (setup: ExecutorSetup) => Executor | Promise<Executor>>> = {
  /** In this process for one worker, in a pool of threads for more, or where memory has to be limited. */
  local(setup) {
    const { context, timeLimitSeconds, memoryLimitMb, onIncident } = setup
    const workers = setup.workers ?? availableParallelism()
    if (workers === 1 && memoryLimitMb === null) {
      const evaluator = createEvaluator(unpackContext(context) as EvaluationSettings)
      const handler = (payload: unknown, deadlineMs: number) =>
        evaluator.evaluate(payload as Record<string, unknown>, deadlineMs)
      return createInProcessExecutor({ handler, timeLimitSeconds })
    }
    return createThreadPool({
      workerFile: WORKER_FILE,
      workerData: context,
      threads: workers,
      timeLimitSeconds,
      memoryLimitMb,
      onIncident,
    })
  },
  bullmq(setup) {
    if (setup.broker === null)
      throw new SpicaError('input', 'broker-not-given', 'the bullmq executor needs a broker', {
        hint: 'give --broker redis://host:6379',
      })
    const { context, timeLimitSeconds, memoryLimitMb, onIncident } = setup
    return createBullmqExecutor({
      brokerUrl: setup.broker,
      context,
      version: VERSION,
      timeLimitSeconds,
      memoryLimitMb,
      onIncident,
      ...(setup.workers === null ? {} : { inFlight: setup.workers }),
    })
  },
}

/** Names of the executors. */
export const EXECUTOR_NAMES: readonly string[] = Object.keys(EXECUTORS)

export async function createExecutor(name: string, setup: ExecutorSetup): Promise<Executor> {
  const make = Object.hasOwn(EXECUTORS, name) ? EXECUTORS[name] : undefined
  if (make === undefined)
    throw new SpicaError('input', 'unknown-executor', `there is no executor "${name}"`, {
      hint: `known are ${EXECUTOR_NAMES.join(', ')}`,
    })
  return make(setup)
}
