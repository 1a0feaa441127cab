import { readFileSync, statSync } from 'node:fs'
import { SpicaError } from '@spica/schema'

/** Reads a UTF-8 file of at most `maxBytes`. Every failure is a `SpicaError` naming the file. */
export function readTextFile(path: string, maxBytes: number): string {
  let bytes: Buffer
  try {
    const status = statSync(path)
    if (status.isDirectory()) throw unreadable(path, 'is a folder')
    if (status.size > maxBytes) throw unreadable(path, `has ${status.size} bytes; at most ${maxBytes} are read`)
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof SpicaError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw unreadable(path, reason)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'is not UTF-8 text')
  }
}

function unreadable(path: string, reason: string): SpicaError {
  return new SpicaError('input', 'unreadable-file', `${path} ${reason}`, { location: { file: path } })
}
