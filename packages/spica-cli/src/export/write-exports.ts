import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SpicaError, type UnrolledSample } from '@spica/schema'
import { isSymbolicLink, writeFileAtomic } from '../io/atomic-write.js'
import { STUDY_FILES } from '../io/output-folder.js'
import { readStudyFile } from '../study/study-file.js'
import type { SweepCandidate } from '../study/sweep-result.js'
import { DEFAULT_DYNAMO_VERSION } from './dynamo-version.js'
import type { ExportResult } from './export-candidate.js'
import { exporterOf } from './export-study.js'

/** Candidates of a ranking that a sweep exports by itself; a front is exported whole, up to as many. */
export const EXPORTED_AFTER_SWEEP = { ranking: 5, front: 100 } as const
/** Folder of the best candidate so far, refreshed while a sweep runs. */
export const INCUMBENT_FOLDER = 'incumbent'

/** One candidate of an export run. */
export interface Exported {
  readonly candidate: number
  readonly files: readonly string[]
  readonly warnings: readonly string[]
  readonly error: { readonly code: string; readonly message: string } | null
}

/** Writes one result into `export/<name>/` of a study folder; links are never followed. */
export function writeExport(folder: string, name: string, candidate: number, result: ExportResult): Exported {
  if (!result.ok) return { candidate, files: [], warnings: [], error: { code: result.code, message: result.message } }
  const target = join(folder, STUDY_FILES.exports, name)
  for (const path of [join(folder, STUDY_FILES.exports), target]) {
    if (isSymbolicLink(path)) {
      throw new SpicaError('environment', 'output-symlink', `${path} is a symbolic link`, {
        hint: 'output never leaves its folder: remove the link',
      })
    }
  }
  mkdirSync(target, { recursive: true })
  const files = result.files.map((file) => {
    writeFileAtomic(join(target, file.name), file.text)
    return join(STUDY_FILES.exports, name, file.name)
  })
  return { candidate, files, warnings: result.warnings, error: null }
}

export function candidateFolder(number: number): string {
  return `candidate-${number}`
}

/** Exports the best candidates of a finished sweep. */
export function exportAfterSweep(
  folder: string,
  candidates: readonly SweepCandidate[],
  kind: 'ranking' | 'front',
): Exported[] {
  const study = readStudyFile(folder)
  if (study === null || candidates.length === 0) return []
  const write = exporterOf(study)
  return candidates.slice(0, EXPORTED_AFTER_SWEEP[kind]).map((candidate, index) => {
    const result = write(candidate.config as UnrolledSample, index + 1, DEFAULT_DYNAMO_VERSION)
    return writeExport(folder, candidateFolder(index + 1), index + 1, result)
  })
}

/**
 * Refreshes the manifest of the best candidate so far after every round, when it has changed. Of a front it is the first point. What
 * cannot be written never stops a sweep.
 */
export function incumbentRefresher(folder: string): (candidates: readonly SweepCandidate[]) => void {
  let last = ''
  let write: ReturnType<typeof exporterOf> | null = null
  return (candidates) => {
    const best = candidates[0]
    if (best === undefined) return
    const key = JSON.stringify(best.config)
    if (key === last) return
    last = key
    try {
      if (write === null) {
        const study = readStudyFile(folder)
        if (study === null) return
        write = exporterOf(study)
      }
      writeExport(folder, INCUMBENT_FOLDER, 1, write(best.config as UnrolledSample, 1, DEFAULT_DYNAMO_VERSION))
    } catch {
      last = ''
    }
  }
}
