import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { SpicaError } from '@spica/schema'
import type { DatabaseFiles } from './database-folder.js'

interface ArchiveEntry {
  readonly name: string
  readonly method: number
  readonly compressedSize: number
  readonly offset: number
}

const END_RECORD = 0x06054b50
const DIRECTORY_RECORD = 0x02014b50
const LOCAL_RECORD = 0x04034b50

/**
 * Files of a database inside a Python wheel (a zip archive): only the directory and the entries that are asked for are read.
 *
 * @throws SpicaError `perf-db-unreadable` when the file is no zip archive or holds no tables.
 */
export function wheelFiles(path: string): DatabaseFiles {
  const entries = readDirectory(path)
  const prefix = systemsPrefix(entries)
  if (prefix === null) throw unreadable(path, 'it is an archive without systems/data/*.parquet')
  const byPath = new Map<string, ArchiveEntry>()
  for (const entry of entries) {
    const name = entry.name.startsWith(prefix) ? entry.name.slice(prefix.length) : null
    if (name !== null && /\.parquet$|\.yaml$/.test(name)) byPath.set(name, entry)
  }
  return {
    description: path,
    paths: [...byPath.keys()],
    read(name) {
      const entry = byPath.get(name)
      if (entry === undefined) throw unreadable(path, `it has no ${name}`)
      return readEntry(path, entry)
    },
  }
}

function systemsPrefix(entries: readonly ArchiveEntry[]): string | null {
  for (const { name } of entries) {
    const match = /^(.*?)data\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/[^/]+\.parquet$/.exec(name)
    if (match !== null) return match[1]!
  }
  return null
}

function readDirectory(path: string): readonly ArchiveEntry[] {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = readBytes(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
    let end = tail.length - 22
    while (end >= 0 && tail.readUInt32LE(end) !== END_RECORD) end--
    if (end < 0) throw unreadable(path, 'it is no zip archive, or a truncated one')
    const count = tail.readUInt16LE(end + 10)
    const directory = readBytes(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
    const entries: ArchiveEntry[] = []
    let at = 0
    for (let index = 0; index < count; index++) {
      if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY_RECORD) {
        throw unreadable(path, 'its directory is damaged')
      }
      const nameLength = directory.readUInt16LE(at + 28)
      entries.push({
        name: directory.toString('utf8', at + 46, at + 46 + nameLength),
        method: directory.readUInt16LE(at + 10),
        compressedSize: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      })
      at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    }
    return entries
  } finally {
    closeSync(file)
  }
}

function readEntry(path: string, entry: ArchiveEntry): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const header = readBytes(file, entry.offset, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_RECORD)
      throw unreadable(path, `${entry.name} is damaged`)
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = readBytes(file, start, entry.compressedSize)
    if (packed.length < entry.compressedSize) throw unreadable(path, `${entry.name} is cut short`)
    if (entry.method === 0) return packed
    if (entry.method === 8) return inflateRawSync(packed)
    throw unreadable(path, `${entry.name} uses compression method ${entry.method}`)
  } finally {
    closeSync(file)
  }
}

function readBytes(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = readSync(file, bytes, 0, length, position)
  return bytes.subarray(0, read)
}

function unreadable(path: string, reason: string): SpicaError {
  return new SpicaError(
    'environment',
    'perf-db-unreadable',
    `${path} cannot be used as a performance database: ${reason}`,
    {
      hint: 'give the folder that holds data/, its parent, or an aiconfigurator-core wheel',
      location: { file: path },
    },
  )
}
