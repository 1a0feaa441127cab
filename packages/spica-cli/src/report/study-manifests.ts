import { SpicaError, type UnrolledSample } from '@spica/schema'
import { DEFAULT_DYNAMO_VERSION } from '../export/dynamo-version.js'
import { exporterOf } from '../export/export-study.js'
import { readManifest } from '../export/read-manifest.js'
import type { StudyFile } from '../study/study-file.js'
import { readManifests } from './exported-manifests.js'
import type { Manifest } from './report-data.js'

const MANIFEST = 'deployment.yaml'
/** Files of an export that are worth copying. */
const SHOWN = [MANIFEST, 'commands.sh'] as const

/**
 * Files to copy of a study's candidates. What `export/` holds for a candidate is shown when it still describes that
 * candidate, so that another Dynamo version of one's choice stays; otherwise they are written afresh. Null for what
 * cannot be deployed, and where neither the model's facts nor an export are at hand.
 */
export function manifestsOf(
  study: StudyFile,
  exportFolder: string,
): (candidate: number, sample: Readonly<Record<string, unknown>>) => readonly Manifest[] | null {
  const exported = readManifests(exportFolder)
  const write = exporterOrNull(study)
  return (candidate, sample) => {
    const saved = exported.get(candidate) ?? null
    const fresh = write === null ? null : freshFiles(write, candidate, sample)
    if (fresh === null) return write === null ? saved : null
    return saved !== null && describesSame(saved, fresh) ? saved : fresh
  }
}

type Write = ReturnType<typeof exporterOf>

/** Null when the model or the GPU of the study is not known here, e.g. because its file was moved. */
function exporterOrNull(study: StudyFile): Write | null {
  try {
    return exporterOf(study)
  } catch (error) {
    if (error instanceof SpicaError) return null
    throw error
  }
}

/** Null for what cannot be deployed, which an edited ledger may ask for in ways that no exporter foresees. */
function freshFiles(write: Write, candidate: number, sample: Readonly<Record<string, unknown>>): Manifest[] | null {
  let result: ReturnType<Write>
  try {
    result = write(sample as UnrolledSample, candidate, DEFAULT_DYNAMO_VERSION)
  } catch {
    return null
  }
  if (!result.ok) return null
  const { files } = result
  return SHOWN.flatMap((name) => {
    const file = files.find((one) => one.name === name)
    return file === undefined ? [] : [{ name: `candidate-${candidate}/${name}`, text: file.text }]
  })
}

/** True when both manifests read back to the same pools, router and planner. */
function describesSame(saved: readonly Manifest[], fresh: readonly Manifest[]): boolean {
  const [before, now] = [saved, fresh].map((files) => files.find(({ name }) => name.endsWith(MANIFEST))?.text)
  if (before === undefined || now === undefined) return false
  if (before === now) return true
  try {
    return JSON.stringify(readManifest(before, false)) === JSON.stringify(readManifest(now, false))
  } catch {
    return false
  }
}
