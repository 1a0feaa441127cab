import { SpicaError } from '@spica/schema'
import type { Redis, RedisOptions } from 'ioredis'

/** Queue and key names; one queue for all studies, so that workers serve whoever asks. */
export const QUEUE_NAME = 'spica-evaluations'
export const KEY_PREFIX = 'spica'

/** A broker address without its password, for messages and logs. */
export function redactBrokerUrl(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.password !== '') parsed.password = '***'
    if (parsed.username !== '') parsed.username = '***'
    parsed.search = ''
    return parsed.toString()
  } catch {
    return '(unreadable address)'
  }
}

/** Checks a broker address: `redis://` or, with TLS, `rediss://`. */
export function checkBrokerUrl(url: string): string {
  let protocol: string
  try {
    protocol = new URL(url).protocol
  } catch {
    protocol = ''
  }
  if (protocol === 'redis:' || protocol === 'rediss:') return url
  throw new SpicaError('input', 'invalid-broker-url', '--broker must be a redis:// or rediss:// address', {
    hint: 'for example redis://localhost:6379 or, with TLS, rediss://host:6380/0',
  })
}

/** The address with the password of `SPICA_BROKER_PASSWORD`, unless it has one of its own. */
export function withEnvironmentPassword(url: string): string {
  const password = process.env['SPICA_BROKER_PASSWORD']
  if (password === undefined || password === '') return url
  const parsed = new URL(checkBrokerUrl(url))
  if (parsed.password === '') parsed.password = encodeURIComponent(password)
  return parsed.toString()
}

/** The queue library and its client, loaded only when a broker is used. */
export async function loadBrokerLibraries(): Promise<{
  bullmq: typeof import('bullmq')
  Redis: typeof Redis
}> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, Redis: ioredis.Redis }
  } catch (error) {
    throw new SpicaError('environment', 'broker-library-missing', 'the packages bullmq and ioredis are not installed', {
      hint: 'npm install bullmq@6.7.0 ioredis@6.0.0',
      cause: error,
    })
  }
}

/** Options under which a connection outlives broker restarts. */
const PERSISTENT: RedisOptions = {
  maxRetriesPerRequest: null,
  retryStrategy: (attempt: number) => Math.min(2000, 100 * attempt),
}

type RedisConstructor = new (url: string, options: RedisOptions) => Redis

/** Opens a connection and waits until it answers; an `environment` error without secrets after `waitMs`. */
export async function connectBroker(redis: RedisConstructor, url: string, waitMs: number): Promise<Redis> {
  const client = new redis(url, { ...PERSISTENT, lazyConnect: true } satisfies RedisOptions)
  let lastProblem = 'no answer'
  client.on('error', (error: Error) => {
    lastProblem = (error as NodeJS.ErrnoException).code ?? error.name
  })
  client.connect().catch(() => {})
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      client.ping(),
      new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('timeout')), waitMs)
      }),
    ])
    return client
  } catch {
    client.disconnect()
    throw new SpicaError(
      'environment',
      'broker-unreachable',
      `no broker answers at ${redactBrokerUrl(url)} (${lastProblem})`,
      {
        hint: 'is Redis or Valkey running there, and do user, password and TLS fit?',
      },
    )
  } finally {
    clearTimeout(timer)
  }
}
