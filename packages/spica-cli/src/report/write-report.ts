import { statSync } from 'node:fs'
import { join } from 'node:path'
import { goalObjectives } from '@spica/schema'
import type { ObjectiveName } from '@spica/scorer'
import { writeFileAtomic } from '../io/atomic-write.js'
import { openOutputFolder, STUDY_FILES } from '../io/output-folder.js'
import { readInputText } from '../io/read-input.js'
import { VERSION } from '../version.js'
import { buildReportData } from './build-report-data.js'
import { parseOverlayCsv } from './overlay-csv.js'
import { readStudy } from './read-study.js'
import { renderReport } from './render-report.js'
import type { Overlay, ReportData } from './report-data.js'
import { manifestsOf } from './study-manifests.js'
import { studyOverlay } from './study-overlay.js'

/** Largest overlay file read, bytes. */
const MAX_OVERLAY_BYTES = 10 * 1024 * 1024

export interface WriteReportOptions {
  /** CSV of points, or the folder of another study, to lay over the plot. */
  readonly overlay?: string
}

export interface WrittenReport {
  readonly path: string
  readonly bytes: number
  readonly data: ReportData
}

/** Writes `report.html` into the folder of a study, from what is saved there. */
export function writeReport(folder: string, options: WriteReportOptions = {}): WrittenReport {
  const { study, trials } = readStudy(folder)
  const objectives = goalObjectives(study.config.goal)
  const data = buildReportData({
    study,
    trials,
    manifestOf: manifestsOf(study, join(folder, STUDY_FILES.exports)),
    overlay: options.overlay === undefined ? null : readOverlay(options.overlay, objectives),
    version: VERSION,
  })
  const html = renderReport(data)
  const path = join(openOutputFolder(folder).path, STUDY_FILES.report)
  writeFileAtomic(path, html)
  return { path, bytes: Buffer.byteLength(html), data }
}

/** Points of a CSV file, or the candidates of another study's folder. */
function readOverlay(path: string, objectives: readonly ObjectiveName[]): Overlay {
  if (isFolder(path)) return studyOverlay(path, objectives)
  return parseOverlayCsv(path, readInputText(path, MAX_OVERLAY_BYTES), objectives)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
