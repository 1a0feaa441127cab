import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PerfRows, TextColumn } from '../table/perf-rows.js'

/** First bytes of a cache file; a change of layout changes the digit. */
const MAGIC = 'spicacol1\n'

interface CacheHeader {
  readonly length: number
  readonly numbers: readonly string[]
  readonly texts: readonly { readonly name: string; readonly dictionary: readonly string[] }[]
}

function cachePath(folder: string, source: Uint8Array): string {
  return join(folder, `${createHash('sha256').update(source).digest('hex').slice(0, 40)}.columns`)
}

/** Decoded columns of a table file with exactly this content, or null when they are not cached or the cache is damaged. */
export function readCachedTable(folder: string, source: Uint8Array): PerfRows | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(cachePath(folder, source))
  } catch {
    return null
  }
  const headerEnd = MAGIC.length + 8
  if (bytes.length < headerEnd || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null
  const headerLength = bytes.readUInt32LE(MAGIC.length)
  try {
    const header = JSON.parse(bytes.toString('utf8', headerEnd, headerEnd + headerLength)) as CacheHeader
    return unpack(header, bytes, headerEnd + headerLength)
  } catch {
    return null
  }
}

function unpack(header: CacheHeader, bytes: Buffer, start: number): PerfRows | null {
  const { length } = header
  if (bytes.length - start !== length * (8 * header.numbers.length + 2 * header.texts.length)) return null
  let at = start
  const take = (size: number): SharedArrayBuffer => {
    const shared = new SharedArrayBuffer(size)
    new Uint8Array(shared).set(bytes.subarray(at, at + size))
    at += size
    return shared
  }
  const numbers: Record<string, Float64Array> = {}
  for (const name of header.numbers) numbers[name] = new Float64Array(take(8 * length))
  const texts: Record<string, TextColumn> = {}
  for (const { name, dictionary } of header.texts)
    texts[name] = { dictionary, codes: new Uint16Array(take(2 * length)) }
  return { length, numbers, texts }
}

/** Keeps decoded columns for the next run. A folder that cannot be written is no error: the next run decodes again. */
export function writeCachedTable(folder: string, source: Uint8Array, rows: PerfRows): void {
  const numbers = Object.entries(rows.numbers)
  const texts = Object.entries(rows.texts)
  const header: CacheHeader = {
    length: rows.length,
    numbers: numbers.map(([name]) => name),
    texts: texts.map(([name, { dictionary }]) => ({ name, dictionary })),
  }
  const text = Buffer.from(JSON.stringify(header))
  const size = Buffer.alloc(8)
  size.writeUInt32LE(text.length)
  const view = (array: Float64Array | Uint16Array): Buffer =>
    Buffer.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  const parts = [...numbers.map(([, column]) => view(column)), ...texts.map(([, column]) => view(column.codes))]
  const path = cachePath(folder, source)
  const partial = `${path}.${process.pid}.partial`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(partial, Buffer.concat([Buffer.from(MAGIC), size, text, ...parts]))
    renameSync(partial, path)
  } catch {
    rmSync(partial, { force: true })
  }
}
