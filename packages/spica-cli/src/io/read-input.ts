import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { SpicaError } from '@spica/schema'

const GZIP_MAGIC = [0x1f, 0x8b] as const
/** Largest config file read, bytes. */
export const MAX_CONFIG_BYTES: number = 10 * 1024 * 1024
/** Largest unpacked trace, bytes: Node cannot hold a longer buffer as one piece. */
const MAX_UNPACKED_BYTES = 2 ** 32

/**
 * Bytes of a user's input file, unpacked when it is gzip (recognised by content, whatever its name). Every failure is an
 * `input` error that names the file: missing, a directory, a device, unreadable, larger than `maxBytes`, broken gzip.
 */
export function readInputBytes(path: string, maxBytes: number = Number.POSITIVE_INFINITY): Uint8Array {
  let raw: Buffer
  try {
    const file = openSync(path, 'r')
    try {
      const stat = fstatSync(file)
      if (stat.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' })
      if (stat.isCharacterDevice() || stat.isBlockDevice())
        throw Object.assign(new Error('is a device'), { code: 'ENOTFILE' })
      if (stat.size > maxBytes)
        throw new SpicaError('input', 'file-too-large', `${path} has ${stat.size} bytes, more than ${maxBytes}`, {
          hint: 'is this the right file?',
        })
      raw = readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw error instanceof SpicaError ? error : unreadable(path, error)
  }
  if (raw[0] !== GZIP_MAGIC[0] || raw[1] !== GZIP_MAGIC[1]) return raw
  try {
    return gunzipSync(raw, { maxOutputLength: Math.min(maxBytes, MAX_UNPACKED_BYTES) })
  } catch (error) {
    throw new SpicaError('input', 'broken-gzip', `${path}: the gzip stream is broken or too large`, {
      hint: 'fetch or pack the file again',
      cause: error,
    })
  }
}

/** Text of a user's input file; bytes that are not UTF-8 are an `input` error. A byte-order mark is dropped. */
export function readInputText(path: string, maxBytes: number = Number.POSITIVE_INFINITY): string {
  const bytes = readInputBytes(path, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new SpicaError('input', 'not-utf8', `${path} is not UTF-8 text`, {
      hint: 'save the file as UTF-8',
      location: { file: path },
      cause: error,
    })
  }
}

function unreadable(path: string, cause: unknown): SpicaError {
  const code = (cause as NodeJS.ErrnoException).code
  const reason =
    code === 'ENOENT'
      ? 'no such file'
      : code === 'EISDIR'
        ? 'is a directory, not a file'
        : code === 'ENOTFILE'
          ? 'is a device, not a file'
          : code === 'EACCES'
            ? 'permission denied'
            : String(code ?? (cause as Error).message)
  return new SpicaError('input', 'unreadable-file', `cannot read ${path}: ${reason}`, {
    location: { file: path },
    cause,
  })
}

/** True when `path` is a file that can be read. */
export function isReadableFile(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      return fstatSync(file).isFile()
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
