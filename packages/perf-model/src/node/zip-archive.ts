import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

/** One file inside a zip archive. */
export interface ArchiveEntry {
  readonly name: string
  readonly method: number
  readonly compressedSize: number
  readonly offset: number
}

/** Makes the error for an archive that cannot be used, from the reason. */
export type ArchiveError = (reason: string) => Error

const END_RECORD = 0x06054b50
const DIRECTORY_RECORD = 0x02014b50
const LOCAL_RECORD = 0x04034b50

/** Directory of a zip archive; nothing is unpacked. */
export function readArchiveDirectory(path: string, fail: ArchiveError): readonly ArchiveEntry[] {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = readBytes(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
    let end = tail.length - 22
    while (end >= 0 && tail.readUInt32LE(end) !== END_RECORD) end--
    if (end < 0) throw fail('it is no zip archive, or a truncated one')
    const count = tail.readUInt16LE(end + 10)
    const directory = readBytes(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
    const entries: ArchiveEntry[] = []
    let at = 0
    for (let index = 0; index < count; index++) {
      if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY_RECORD) {
        throw fail('its directory is damaged')
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

/** Unpacks one entry. */
export function readArchiveEntry(path: string, entry: ArchiveEntry, fail: ArchiveError): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const header = readBytes(file, entry.offset, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_RECORD) throw fail(`${entry.name} is damaged`)
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = readBytes(file, start, entry.compressedSize)
    if (packed.length < entry.compressedSize) throw fail(`${entry.name} is cut short`)
    if (entry.method === 0) return packed
    if (entry.method === 8) return inflateRawSync(packed)
    throw fail(`${entry.name} uses compression method ${entry.method}`)
  } finally {
    closeSync(file)
  }
}

function readBytes(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const read = readSync(file, bytes, 0, length, position)
  return bytes.subarray(0, read)
}
