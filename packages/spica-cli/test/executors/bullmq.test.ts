import type { ExecutorOutcome } from '@spica/schema'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BrokerWorker, startBrokerWorker } from '../../src/broker/broker-worker.js'
import { KEY_PREFIX, QUEUE_NAME } from '../../src/broker/connection.js'
import { createBullmqExecutor } from '../../src/executors/bullmq.js'
import { EXECUTOR_CONTRACT } from '../../src/executors/contract/executor-contract.js'
import type { StudyContext } from '../../src/study/study-context.js'
import { HAZARD_FILE } from '../support/hazard-file.js'
import { hasRedis, startRedis, type TestRedis } from '../support/redis-server.js'

const VERSION = '9.9.9-test'
const context = (slowStartMs = 0): StudyContext => ({
  settings: { slowStartMs },
  columns: { tokens: Int32Array.from([1, 2, 3]) },
})

describe.skipIf(!hasRedis)('bullmq executor', () => {
  let redis: TestRedis
  let client: Redis
  let worker: BrokerWorker | null = null

  const serve = async (threads: number, version = VERSION) => {
    worker = await startBrokerWorker({
      brokerUrl: redis.url,
      version,
      threads,
      workerFile: HAZARD_FILE,
      memoryLimitMb: null,
      lockMs: 2000,
    })
  }
  const executor = (
    options: { timeLimitSeconds?: number | null; memoryLimitMb?: number | null; slowStartMs?: number } = {},
  ) =>
    createBullmqExecutor({
      brokerUrl: redis.url,
      context: context(options.slowStartMs),
      version: VERSION,
      timeLimitSeconds: options.timeLimitSeconds ?? null,
      memoryLimitMb: options.memoryLimitMb ?? null,
      reconcileMs: 500,
    })

  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.url, { maxRetriesPerRequest: null, retryStrategy: () => 100 })
    client.on('error', () => {})
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })
  beforeEach(async () => {
    await client.flushall()
    return async () => {
      await worker?.abort()
      worker = null
    }
  })

  for (const { name, run } of EXECUTOR_CONTRACT) {
    it(name, () =>
      run(async ({ workers, ...options }) => {
        await serve(workers)
        return executor(options)
      }),
    )
  }

  it('waits for a worker that comes later', async () => {
    const late = await executor()
    const outcomes = collect(late.run([{ id: 'a', payload: { do: 'echo', value: 4 } }], new AbortController().signal))
    await serve(1)
    expect((await outcomes).map(({ status }) => status)).toEqual(['done'])
    await late.close()
  })

  it('survives a broker that restarts and forgets everything', async () => {
    await serve(1)
    const queue = await executor()
    const tasks = Array.from({ length: 5 }, (_, i) => ({ id: `t${i}`, payload: { do: 'sleep', ms: 300, value: i } }))
    const outcomes: ExecutorOutcome[] = []
    for await (const outcome of queue.run(tasks, new AbortController().signal)) {
      outcomes.push(outcome)
      if (outcomes.length === 1) await redis.restart()
    }
    expect(outcomes.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id))
    await queue.close()
  })

  it('refuses to start when all workers run another version', async () => {
    await serve(1, '1.0.0-other')
    await expect(executor()).rejects.toMatchObject({ kind: 'environment', code: 'version-mismatch' })
  })

  it('gives up on a worker of another version that answers', async () => {
    const queue = await executor()
    const run = collect(queue.run([{ id: 'a', payload: { do: 'echo' } }], new AbortController().signal))
    const failure = expect(run).rejects.toMatchObject({ kind: 'environment', code: 'version-mismatch' })
    await serve(1, '1.0.0-other')
    await failure
    await queue.close()
  })

  it('answers a poisoned job with a refusal and goes on', async () => {
    await serve(1)
    const queue = new Queue(QUEUE_NAME, { connection: client, prefix: KEY_PREFIX })
    for (const [index, data] of [
      null,
      'x',
      { format: 1, payload: { path: { deep: { er: 1 } } } },
      { code: 'process.exit()' },
    ].entries())
      await queue.add('evaluate', data, { jobId: `poison${index}` })
    const served = await executor()
    const [outcome] = await collect(
      served.run([{ id: 'good', payload: { do: 'echo', value: 1 } }], new AbortController().signal),
    )
    expect(outcome).toMatchObject({ status: 'done' })
    expect(await (await queue.getJob('poison0'))?.returnvalue).toMatchObject({ status: 'refused', code: 'invalid-job' })
    await served.close()
  })

  it('takes the result of a job that finished while nobody listened', async () => {
    await serve(1)
    const first = await executor()
    await collect(first.run([{ id: 'same', payload: { do: 'echo', value: 7 } }], new AbortController().signal))
    await first.close()
    await worker?.abort()
    worker = null
    const second = await executor()
    const [outcome] = await collect(
      second.run([{ id: 'same', payload: { do: 'echo', value: 7 } }], new AbortController().signal),
    )
    expect(outcome).toMatchObject({ status: 'done', result: { value: 7 } })
    await second.close()
  })

  it('sends each column once, by content hash, and no paths', async () => {
    await serve(1)
    for (let turn = 0; turn < 2; turn++) {
      const queue = await executor()
      await collect(queue.run([{ id: `t${turn}`, payload: { do: 'echo' } }], new AbortController().signal))
      await queue.close()
    }
    expect(await client.keys('spica:blob:*')).toHaveLength(1)
    expect(await client.keys('spica:context:*')).toHaveLength(1)
  })
})

describe.skipIf(!hasRedis)('broker addresses', () => {
  it('connects with a password and never shows it', async () => {
    const redis = await startRedis(['--requirepass', 's3cret'])
    const messages: string[] = []
    const worker = await startBrokerWorker({
      brokerUrl: redis.url.replace('redis://', 'redis://:s3cret@'),
      version: VERSION,
      threads: 1,
      workerFile: HAZARD_FILE,
      memoryLimitMb: null,
      onLog: (message) => messages.push(message),
    })
    await worker.abort()
    const wrong = createBullmqExecutor({
      brokerUrl: redis.url.replace('redis://', 'redis://:wr0ng@'),
      context: context(),
      version: VERSION,
      timeLimitSeconds: null,
      memoryLimitMb: null,
      connectMs: 1500,
    })
    const error: Error = await wrong.then(
      () => new Error('connected'),
      (failure: Error) => failure,
    )
    expect(error).toMatchObject({ kind: 'environment', code: 'broker-unreachable' })
    expect(`${messages.join()}${error.message}${JSON.stringify(error)}`).not.toMatch(/s3cret|wr0ng/)
    await redis.stop()
  })
})

async function collect(outcomes: AsyncIterable<ExecutorOutcome>): Promise<ExecutorOutcome[]> {
  const all: ExecutorOutcome[] = []
  for await (const outcome of outcomes) all.push(outcome)
  return all
}
