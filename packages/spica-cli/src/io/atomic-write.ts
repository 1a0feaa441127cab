import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SpicaError } from '@spica/schema'

/**
 * Replaces `path` by `content` so that a reader, or a crash at any instant, sees the old file or the new one, never a part.
 * A symbolic link to a file is replaced, not followed; devices and pipes are refused, links to them too. Throws an `environment` error when the folder cannot be written.
 */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  refuseSpecialFile(path)
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = openSync(temporary, 'wx', 0o644)
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    removeQuietly(temporary)
    throw unwritable(path, error)
  }
}

/**
 * Refuses a path that is, or links to, a device, pipe or socket: replacing it would take it from everyone else. An
 * `environment` error.
 */
export function refuseSpecialFile(path: string): void {
  let found: ReturnType<typeof statSync>
  try {
    found = statSync(path)
  } catch {
    return
  }
  if (found.isFile() || found.isDirectory()) return
  throw new SpicaError(
    'environment',
    'unwritable-output',
    `cannot write ${path}: it is a device or a pipe, not a file`,
    {
      hint: 'name a file',
    },
  )
}

/** Removes a file if it is there; says nothing when that fails, because the error in hand matters more. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // For example a path below a file, which `force` does not cover.
  }
}

/** The `environment` error of a path that cannot be written, with the system's reason. */
export function unwritable(path: string, cause: unknown): SpicaError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
  return new SpicaError('environment', 'unwritable-output', `cannot write ${path}: ${reason}`, {
    hint: 'choose another folder, or free space and check its permissions',
    cause,
  })
}

/** True when `path` itself is a symbolic link. */
export function isSymbolicLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
