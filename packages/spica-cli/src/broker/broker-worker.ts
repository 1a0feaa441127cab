import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Job } from 'bullmq'
import { createThreadPool, type ThreadPool } from '../executors/thread-pool.js'
import { checkBrokerUrl, connectBroker, KEY_PREFIX, loadBrokerLibraries, QUEUE_NAME } from './connection.js'
import { fetchContext } from './context-store.js'
import { type EvaluationAnswer, type EvaluationJob, evaluationJobSchema } from './job.js'
import { PoolCache } from './pool-cache.js'
import { announceWorker, CANCEL_CHANNEL } from './worker-registry.js'

export interface BrokerWorkerOptions {
  readonly brokerUrl: string
  readonly version: string
  /** Evaluations at once. */
  readonly threads: number
  /** Built JavaScript module the threads run; never taken from the queue. */
  readonly workerFile: string
  /** Upper bound on the heap limit a sweep may ask for, MB; null = none. */
  readonly memoryLimitMb: number | null
  readonly onLog?: (message: string) => void
  /** How long a job stays with a worker that went silent, ms. @defaultValue 10000 */
  readonly lockMs?: number
  /** How long to wait for the broker at the start, ms. @defaultValue 10000 */
  readonly connectMs?: number
}

export interface BrokerWorker {
  /** Finishes running jobs, then leaves. */
  close(): Promise<void>
  /** Leaves at once; running jobs go to other workers. */
  abort(): Promise<void>
}

/** Times a job may lose its worker before it counts as the cause. */
const MAX_LOSSES = 3

/**
 * Serves evaluations from the queue. Each job is checked against the schema before anything else; its study's context comes
 * from the broker by hash. Evaluations run in threads, so that the queue's lock is renewed while they compute.
 */
export async function startBrokerWorker(options: BrokerWorkerOptions): Promise<BrokerWorker> {
  const url = checkBrokerUrl(options.brokerUrl)
  const { bullmq, Redis: redisClass } = await loadBrokerLibraries()
  const redis = await connectBroker(redisClass, url, options.connectMs ?? 10_000)
  const subscriber = redis.duplicate()
  subscriber.on('error', () => {})
  const name = `${hostname()}:${process.pid}`
  const running = new Map<string, AbortController>()
  const pools = new PoolCache<ThreadPool>(2)

  const makePool = async (job: EvaluationJob, memoryLimitMb: number | null): Promise<ThreadPool | null> => {
    const context = await fetchContext(redis, job.context)
    if (context === null) return null
    options.onLog?.(`study ${job.context.slice(0, 12)} loaded`)
    return createThreadPool({
      workerFile: options.workerFile,
      workerData: context,
      threads: options.threads,
      timeLimitSeconds: job.time_limit_s,
      memoryLimitMb,
      ...(options.onLog === undefined ? {} : { onIncident: options.onLog }),
    })
  }
  const evaluate = (job: EvaluationJob, id: string, signal: AbortSignal): Promise<EvaluationAnswer> => {
    const limits = [job.memory_limit_mb, options.memoryLimitMb].filter((limit) => limit !== null)
    const memoryLimitMb = limits.length === 0 ? null : Math.min(...limits)
    const key = `${job.context}:${job.time_limit_s}:${memoryLimitMb}`
    return pools.use(
      key,
      () => makePool(job, memoryLimitMb),
      async (pool) => {
        if (pool === null) return missing('the broker no longer holds the study')
        const outcome = await pool.runOne({ id, payload: job.payload }, signal)
        if (outcome === null) return missing('the evaluation was cancelled')
        const { id: _id, ...answer } = outcome
        return { ...answer, worker: name }
      },
    )
  }

  const answer = async (job: Job): Promise<EvaluationAnswer> => {
    const parsed = evaluationJobSchema.safeParse(job.data)
    if (!parsed.success) {
      const theirs = (job.data as { version?: unknown } | null)?.version
      if (typeof theirs === 'string' && theirs !== options.version) return mismatch(theirs, options.version)
      return { status: 'refused', code: 'invalid-job', message: 'the job does not have the form of an evaluation' }
    }
    if (parsed.data.version !== options.version) return mismatch(parsed.data.version, options.version)
    const id = String(job.id)
    const controller = new AbortController()
    running.set(id, controller)
    try {
      return await evaluate(parsed.data, id, controller.signal)
    } finally {
      running.delete(id)
    }
  }

  const lockMs = options.lockMs ?? 10_000
  const worker = new bullmq.Worker(QUEUE_NAME, answer, {
    connection: redis,
    prefix: KEY_PREFIX,
    concurrency: options.threads,
    lockDuration: lockMs,
    stalledInterval: Math.max(500, lockMs / 2),
    maxStalledCount: MAX_LOSSES,
    runRetryDelay: 1000,
  })
  worker.on('error', (error) => options.onLog?.(`broker: ${error.name}`))
  subscriber.on('message', (_channel, id) => running.get(id)?.abort())
  await subscriber.subscribe(CANCEL_CHANNEL)
  const leave = await announceWorker(redis, randomUUID(), { version: options.version, threads: options.threads })
  options.onLog?.(`worker ${name} serves with ${options.threads} threads, spica ${options.version}`)

  const shutDown = async (force: boolean) => {
    await leave()
    await worker.close(force)
    await pools.close()
    subscriber.disconnect()
    redis.disconnect()
  }
  return { close: () => shutDown(false), abort: () => shutDown(true) }
}

function mismatch(theirs: string, ours: string): EvaluationAnswer {
  return {
    status: 'refused',
    code: 'version-mismatch',
    message: `the sweep is spica ${theirs.slice(0, 100)}, but a worker runs ${ours}`,
  }
}

/** The sweep puts such a job back, if it still wants it. */
function missing(message: string): EvaluationAnswer {
  return { status: 'refused', code: 'missing-context', message }
}
