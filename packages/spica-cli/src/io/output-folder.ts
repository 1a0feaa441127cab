import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SpicaError } from '@spica/schema'
import { isSymbolicLink, unwritable } from './atomic-write.js'

/** Files of a sweep's folder. */
export const STUDY_FILES = {
  study: 'study.json',
  ledger: 'trials.jsonl',
  candidates: 'candidates.json',
  csv: 'candidates.csv',
  report: 'report.html',
  exports: 'export',
} as const

/** Half-written files of a run that was killed: each write goes to such a name first. */
const LEFT_BY_A_KILL = /^\.(spica-probe-\d+|(study\.json|candidates\.(json|csv)|report\.html)\.[0-9a-f]{12}\.tmp)$/

export interface OutputFolder {
  /** Absolute. */
  readonly path: string
  /** Takes back the folders that were made for it, as long as they are empty. */
  discard(): void
}

/**
 * Makes `folder` and proves that files can be made in it, before any work is done. Refuses a folder whose own files are
 * symbolic links, since writing must stay inside it.
 */
export function openOutputFolder(folder: string): OutputFolder {
  const path = resolve(folder)
  let firstMade: string | undefined
  const discard = () => {
    if (firstMade === undefined) return
    try {
      for (let at = path; at.length >= firstMade.length; at = dirname(at)) rmdirSync(at)
    } catch {
      // Someone put a file there in the meantime.
    }
  }
  try {
    firstMade = makeFolders(path)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    const probe = join(path, `.spica-probe-${process.pid}`)
    closeSync(openSync(probe, 'wx'))
    rmSync(probe)
    for (const name of readdirSync(path)) if (LEFT_BY_A_KILL.test(name)) rmSync(join(path, name), { force: true })
  } catch (error) {
    discard()
    throw unwritable(path, error)
  }
  for (const name of Object.values(STUDY_FILES)) {
    if (isSymbolicLink(join(path, name)))
      throw new SpicaError('environment', 'output-symlink', `${join(path, name)} is a symbolic link`, {
        hint: 'output never leaves its folder: remove the link, or choose another folder',
      })
  }
  return { path, discard }
}

/**
 * Makes a folder and those above it; returns the topmost one made. Step by step, because Node's own recursive form never
 * returns for a path below a virtual file system such as /proc.
 */
function makeFolders(path: string): string | undefined {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const folder of missing) mkdirSync(folder)
  return missing[0]
}

/** `spica-out/<UTC timestamp>`, e.g. `spica-out/2026-11-30T18-40-12Z`. */
export function defaultOutputFolder(now: Date): string {
  return join(
    'spica-out',
    now
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-'),
  )
}
