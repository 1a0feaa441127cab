import type { Executor, ExecutorOutcome, ExecutorRunOptions, ExecutorTask } from '@spica/schema'
import { SpicaError } from '@spica/schema'
import type { Job, Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import { checkBrokerUrl, connectBroker, KEY_PREFIX, loadBrokerLibraries, QUEUE_NAME } from '../broker/connection.js'
import { hasContext, publishContext } from '../broker/context-store.js'
import { type EvaluationAnswer, type EvaluationJob, evaluationAnswerSchema, JOB_FORMAT } from '../broker/job.js'
import { CANCEL_CHANNEL, checkWorkerVersions } from '../broker/worker-registry.js'
import { contentHash } from '../study/canonical-json.js'
import type { StudyContext } from '../study/study-context.js'

export interface BullmqOptions {
  readonly brokerUrl: string
  readonly context: StudyContext
  readonly version: string
  readonly timeLimitSeconds: number | null
  readonly memoryLimitMb: number | null
  /** Most jobs on the queue at once. @defaultValue all of a batch */
  readonly inFlight?: number
  /** Told of remarkable things, in one line. */
  readonly onIncident?: (message: string) => void
  /** How often pending jobs are checked for what events may have missed, ms. @defaultValue 5000 */
  readonly reconcileMs?: number
  /** How long to wait for the broker at the start, ms. @defaultValue 10000 */
  readonly connectMs?: number
}

/** Finished jobs stay this long for a resumed sweep to find, seconds. */
const KEEP_FINISHED = { age: 24 * 3600, count: 100_000 } as const

/** Lets `spica worker` processes, on any machine, run the tasks through a queue on Redis or Valkey. */
export async function createBullmqExecutor(options: BullmqOptions): Promise<Executor> {
  const url = checkBrokerUrl(options.brokerUrl)
  const { bullmq, Redis: redisClass } = await loadBrokerLibraries()
  const redis = await connectBroker(redisClass, url, options.connectMs ?? 10_000)
  try {
    await checkWorkerVersions(redis, options.version, options.onIncident)
    const context = await publishContext(redis, options.context)
    const queue = new bullmq.Queue(QUEUE_NAME, { connection: redis, prefix: KEY_PREFIX })
    const eventClient = redis.duplicate()
    eventClient.on('error', () => {})
    const events = new bullmq.QueueEvents(QUEUE_NAME, { connection: eventClient, prefix: KEY_PREFIX })
    queue.on('error', () => {})
    events.on('error', () => {})
    await events.waitUntilReady()
    const runs = new Set<QueueRun>()
    return {
      run(tasks, signal, runOptions) {
        const run = new QueueRun(options, { redis, queue, events, context }, tasks, signal, runOptions ?? {})
        runs.add(run)
        return run.outcomes(() => runs.delete(run))
      },
      async close() {
        for (const run of runs) await run.abandon()
        await events.close()
        await queue.close()
        eventClient.disconnect()
        redis.disconnect()
      },
    }
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

interface Connections {
  readonly redis: Redis
  readonly queue: Queue
  readonly events: QueueEvents
  readonly context: string
}

/** One batch of tasks on the queue. */
class QueueRun {
  readonly #options: BullmqOptions
  readonly #on: Connections
  readonly #signal: AbortSignal
  readonly #runOptions: ExecutorRunOptions
  /** On the queue, or to be put back there. */
  readonly #pending = new Map<string, ExecutorTask>()
  /** Not on the queue yet. */
  readonly #later: ExecutorTask[]
  readonly #finished: ExecutorOutcome[] = []
  #fatal: unknown = null
  #wake: (() => void) | null = null
  #reconciling = false

  constructor(
    options: BullmqOptions,
    on: Connections,
    tasks: readonly ExecutorTask[],
    signal: AbortSignal,
    runOptions: ExecutorRunOptions,
  ) {
    this.#options = options
    this.#on = on
    this.#signal = signal
    this.#runOptions = runOptions
    this.#later = [...tasks]
  }

  async *outcomes(done: () => void): AsyncGenerator<ExecutorOutcome> {
    const { events } = this.#on
    const completed = ({ jobId, returnvalue }: { jobId: string; returnvalue: unknown }) => {
      if (this.#pending.has(jobId)) void this.#guard(() => this.#answer(jobId, returnvalue))
    }
    const failed = ({ jobId, failedReason }: { jobId: string; failedReason: string }) => {
      if (this.#pending.has(jobId)) this.#settle(jobId, lostJob(failedReason))
    }
    const drop = () => void this.#guard(() => this.#dropWaiting())
    const wake = () => this.#wake?.()
    const timer = setInterval(() => void this.#guard(() => this.#reconcile()), this.#options.reconcileMs ?? 5000)
    events.on('completed', completed)
    events.on('failed', failed)
    this.#runOptions.noNewTasks?.addEventListener('abort', drop, { once: true })
    this.#signal.addEventListener('abort', wake, { once: true })
    try {
      this.#admit()
      for (;;) {
        if (this.#fatal !== null) throw this.#fatal
        if (this.#signal.aborted) return
        while (this.#finished.length > 0) yield this.#finished.shift() as ExecutorOutcome
        if (this.#isDone()) return
        await new Promise<void>((resolve) => {
          this.#wake = resolve
          if (this.#fatal !== null || this.#finished.length > 0 || this.#isDone() || this.#signal.aborted) resolve()
        })
      }
    } finally {
      clearInterval(timer)
      events.off('completed', completed)
      events.off('failed', failed)
      this.#runOptions.noNewTasks?.removeEventListener('abort', drop)
      this.#signal.removeEventListener('abort', wake)
      await this.abandon()
      done()
    }
  }

  /** Takes jobs that have not begun off the queue and cancels those that have. */
  async abandon(): Promise<void> {
    const left = [...this.#pending.keys()]
    this.#pending.clear()
    this.#later.length = 0
    for (const id of left) {
      try {
        const job = await this.#on.queue.getJob(id)
        if (job === undefined) continue
        if (await job.isActive()) await this.#on.redis.publish(CANCEL_CHANNEL, id)
        else await job.remove()
      } catch {
        // A job that a worker took in the meantime finishes there and is found again by a resumed sweep.
      }
    }
  }

  #jobId(task: ExecutorTask): string {
    const { version, timeLimitSeconds, memoryLimitMb } = this.#options
    return contentHash([version, this.#on.context, timeLimitSeconds, memoryLimitMb, task.id]).slice(0, 40)
  }

  #isDone(): boolean {
    return this.#pending.size === 0 && (this.#later.length === 0 || this.#runOptions.noNewTasks?.aborted === true)
  }

  /** Puts as many tasks on the queue as may be there at once. */
  #admit(): void {
    if (this.#signal.aborted || this.#runOptions.noNewTasks?.aborted === true) return
    const room = (this.#options.inFlight ?? Number.POSITIVE_INFINITY) - this.#pending.size
    const admitted = this.#later.splice(0, Math.max(0, Math.min(room, this.#later.length)))
    if (admitted.length === 0) return
    for (const task of admitted) this.#pending.set(this.#jobId(task), task)
    void this.#guard(() => this.#enqueue(admitted.map((task) => this.#jobId(task))))
  }

  async #enqueue(ids: readonly string[]): Promise<void> {
    const { version, timeLimitSeconds, memoryLimitMb } = this.#options
    const jobs = ids.flatMap((id) => {
      const task = this.#pending.get(id)
      if (task === undefined) return []
      const data: EvaluationJob = {
        format: JOB_FORMAT,
        version,
        context: this.#on.context,
        time_limit_s: timeLimitSeconds,
        memory_limit_mb: memoryLimitMb,
        payload: task.payload as EvaluationJob['payload'],
      }
      const opts = { jobId: id, attempts: 1, removeOnComplete: KEEP_FINISHED, removeOnFail: KEEP_FINISHED }
      return [{ name: 'evaluate', data, opts }]
    })
    await this.#on.queue.addBulk(jobs)
    await this.#reconcile()
  }

  /** Looks up every pending job: finds results whose events were missed, and puts lost jobs back. */
  async #reconcile(): Promise<void> {
    if (this.#reconciling) return
    this.#reconciling = true
    try {
      const lost: string[] = []
      for (const id of [...this.#pending.keys()]) {
        const job: Job | undefined = await this.#on.queue.getJob(id)
        if (job === undefined) lost.push(id)
        else if (job.returnvalue !== null && job.returnvalue !== undefined) await this.#answer(id, job.returnvalue)
        else if (await job.isFailed()) this.#settle(id, lostJob(job.failedReason))
      }
      if (lost.length > 0 && this.#runOptions.noNewTasks?.aborted !== true && !this.#signal.aborted) {
        if (!(await hasContext(this.#on.redis, this.#on.context)))
          await publishContext(this.#on.redis, this.#options.context)
        this.#reconciling = false
        await this.#enqueue(lost)
      }
    } finally {
      this.#reconciling = false
    }
  }

  async #answer(id: string, value: unknown): Promise<void> {
    const answer = evaluationAnswerSchema.safeParse(typeof value === 'string' ? JSON.parse(value) : value)
    if (!answer.success) this.#settle(id, lostJob('the worker answered in an unknown form'))
    else if (answer.data.status === 'refused') await this.#refused(id, answer.data)
    else this.#settle(id, answer.data)
  }

  /** A refusal is no result: forget the job, then give up or try again, as its reason demands. */
  async #refused(id: string, answer: Extract<EvaluationAnswer, { status: 'refused' }>): Promise<void> {
    const job = await this.#on.queue.getJob(id)
    await job?.remove().catch(() => {})
    if (answer.code === 'version-mismatch') {
      this.#fatal = new SpicaError('environment', 'version-mismatch', answer.message, {
        hint: 'run the same version of spica on every machine',
      })
      this.#wake?.()
    } else if (answer.code === 'invalid-job') this.#settle(id, lostJob(answer.message))
    else {
      await publishContext(this.#on.redis, this.#options.context)
      if (this.#pending.has(id)) await this.#enqueue([id])
    }
  }

  /** Forgets jobs that no worker has begun. */
  async #dropWaiting(): Promise<void> {
    for (const id of [...this.#pending.keys()]) {
      const job = await this.#on.queue.getJob(id)
      if (job !== undefined && (await job.isActive())) continue
      await job?.remove().catch(() => {})
      this.#pending.delete(id)
    }
    this.#wake?.()
  }

  #settle(id: string, answer: Exclude<EvaluationAnswer, { status: 'refused' }>): void {
    const task = this.#pending.get(id)
    if (task === undefined) return
    this.#pending.delete(id)
    this.#finished.push({ ...answer, id: task.id })
    this.#admit()
    this.#wake?.()
  }

  /** Broker trouble is survived: the next reconciliation tries again. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onIncident?.(`broker: ${(error as Error).name}; trying again`)
    }
  }
}

function lostJob(reason: string | undefined): Exclude<EvaluationAnswer, { status: 'refused' }> {
  return {
    status: 'crashed',
    code: 'worker-lost',
    message: `the worker process was lost: ${reason ?? 'no reason known'}`,
    worker: 'unknown',
    startedMs: 0,
    durationMs: 0,
  }
}
