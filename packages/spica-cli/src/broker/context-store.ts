import { SpicaError } from '@spica/schema'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { bytesHash, contentHash } from '../study/canonical-json.js'
import {
  type Column,
  type ContextManifest,
  columnFromBytes,
  describeContext,
  type StudyContext,
} from '../study/study-context.js'
import { KEY_PREFIX } from './connection.js'

/** Unused contexts leave the broker after this long, seconds. */
const KEEP_SECONDS = 7 * 24 * 3600

const manifestKey = (hash: string) => `${KEY_PREFIX}:context:${hash}`
const blobKey = (hash: string) => `${KEY_PREFIX}:blob:${hash}`

const manifestSchema: z.ZodType<ContextManifest> = z.strictObject({
  settings: z.unknown(),
  columns: z.record(
    z.string(),
    z.strictObject({
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      type: z.enum(['Int32Array', 'Uint32Array', 'Float64Array', 'Float32Array', 'Uint8Array']),
      length: z.int().min(0),
    }),
  ),
})

/** Puts a context on the broker, sending only what is not there yet. Returns its hash. */
export async function publishContext(redis: Redis, context: StudyContext): Promise<string> {
  const { manifest, hash, blobs } = describeContext(context)
  for (const [blob, bytes] of blobs) {
    if ((await redis.expire(blobKey(blob), KEEP_SECONDS)) === 1) continue
    await redis.set(blobKey(blob), Buffer.from(bytes), 'EX', KEEP_SECONDS)
  }
  if ((await redis.expire(manifestKey(hash), KEEP_SECONDS)) !== 1)
    await redis.set(manifestKey(hash), JSON.stringify(manifest), 'EX', KEEP_SECONDS)
  return hash
}

/** True when the broker still holds the context. */
export async function hasContext(redis: Redis, hash: string): Promise<boolean> {
  return (await redis.exists(manifestKey(hash))) === 1
}

/** Fetches a context and checks every byte against its hash; null when the broker does not hold it. */
export async function fetchContext(redis: Redis, hash: string): Promise<StudyContext | null> {
  const text = await redis.get(manifestKey(hash))
  if (text === null) return null
  const manifest = manifestSchema.safeParse(JSON.parse(text))
  if (!manifest.success || contentHash(manifest.data) !== hash) throw tampered(hash)
  const columns: Record<string, Column> = {}
  for (const [name, { hash: blob, type }] of Object.entries(manifest.data.columns)) {
    const bytes = await redis.getBuffer(blobKey(blob))
    if (bytes === null) return null
    if (bytesHash(bytes) !== blob) throw tampered(blob)
    columns[name] = columnFromBytes(type, bytes)
  }
  return { settings: manifest.data.settings, columns }
}

function tampered(hash: string): SpicaError {
  return new SpicaError(
    'environment',
    'context-mismatch',
    `what the broker holds under ${hash.slice(0, 12)} has another content`,
  )
}
