import { SpicaError } from '@spica/schema'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from './connection.js'

/** Channel on which sweeps name jobs that need not go on. */
export const CANCEL_CHANNEL: string = `${KEY_PREFIX}:cancel`
/** A worker that has not renewed its entry for this long is gone, seconds. */
const ENTRY_SECONDS = 15
const RENEW_MS = 5000

const workerKey = (id: string) => `${KEY_PREFIX}:worker:${id}`

/** Announces a worker process until the returned function is called. */
export async function announceWorker(
  redis: Redis,
  id: string,
  entry: { version: string; threads: number },
): Promise<() => Promise<void>> {
  const renew = () => redis.set(workerKey(id), JSON.stringify(entry), 'EX', ENTRY_SECONDS)
  await renew()
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  return async () => {
    clearInterval(timer)
    await redis.del(workerKey(id)).catch(() => {})
  }
}

/**
 * Refuses to start when workers are connected but none has this version; says so when some differ, and when there is none
 * yet (the sweep then waits for one).
 */
export async function checkWorkerVersions(
  redis: Redis,
  version: string,
  note: ((message: string) => void) | undefined,
): Promise<void> {
  const versions: string[] = []
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', workerKey('*'), 'COUNT', 1000)
    cursor = next
    for (const key of keys) {
      const entry = await redis.get(key)
      const parsed: unknown = entry === null ? null : JSON.parse(entry)
      const found = (parsed as { version?: unknown } | null)?.version
      if (typeof found === 'string') versions.push(found)
    }
  } while (cursor !== '0')
  const others = [...new Set(versions.filter((found) => found !== version))]
  if (versions.length === 0) note?.('no worker is connected to the broker yet; waiting for one')
  else if (others.length > 0 && !versions.includes(version))
    throw new SpicaError(
      'environment',
      'version-mismatch',
      `this is spica ${version}, but the workers on the broker run ${others.join(', ')}`,
      { hint: 'run the same version of spica on every machine' },
    )
  else if (others.length > 0)
    note?.(`some workers run another version (${others.join(', ')}) and will refuse this sweep`)
}
