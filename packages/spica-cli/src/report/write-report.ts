import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { goalObjectives, SpicaError } from '@spica/schema'
import { writeFileAtomic } from '../io/atomic-write.js'
import { openOutputFolder, STUDY_FILES } from '../io/output-folder.js'
import { readInputText } from '../io/read-input.js'
import { parseLedger } from '../study/ledger.js'
import { mergeTrials } from '../study/merge-trials.js'
import { readStudyFile, type StudyFile } from '../study/study-file.js'
import type { TrialRecord } from '../study/trial-record.js'
import { VERSION } from '../version.js'
import { buildReportData } from './build-report-data.js'
import { parseOverlayCsv } from './overlay-csv.js'
import { renderReport } from './render-report.js'
import type { Overlay, ReportData } from './report-data.js'
import { manifestsOf } from './study-manifests.js'

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

/** The study of a folder and its finished trials. A folder without a study is an `input` error. */
export function readStudy(folder: string): { study: StudyFile; trials: readonly TrialRecord[] } {
  const study = readStudyFile(folder)
  if (study === null)
    throw new SpicaError('input', 'no-study', `${folder} holds no study: there is no ${STUDY_FILES.study}`, {
      hint: 'give the folder that a sweep wrote (its --out)',
    })
  const path = join(folder, STUDY_FILES.ledger)
  if (!existsSync(path)) return { study, trials: [] }
  const trials = parseLedger(path, readFileSync(path)).records
  const names = goalObjectives(study.config.goal)
  for (const trial of trials) if (trial.status === 'feasible') checkObjectives(path, trial, names)
  return { study, trials }
}

/** A feasible trial has a value of every objective of its study; without, the ledger is of another study or was edited. */
function checkObjectives(path: string, trial: TrialRecord, names: readonly string[]): void {
  const missing = names.find((name) => !Number.isFinite(trial.objectives?.[name]))
  if (missing === undefined) return
  throw new SpicaError('input', 'broken-ledger', `${path}: trial ${trial.id} is feasible but has no ${missing}`, {
    hint: 'restore the file, or start the sweep again in another folder',
    location: { file: path },
  })
}

/** Points of a CSV file, or the candidates of another study's folder. */
function readOverlay(path: string, objectives: readonly string[]): Overlay {
  if (!isFolder(path)) return parseOverlayCsv(path, readInputText(path, MAX_OVERLAY_BYTES), objectives)
  const { study, trials } = readStudy(path)
  const { candidates } = mergeTrials(trials, study.config.goal)
  const points = candidates.flatMap((candidate, index) => {
    const values = Object.fromEntries(
      Object.entries(candidate.objectives).filter(([name]) => objectives.includes(name)),
    )
    return Object.keys(values).length === 0 ? [] : [{ label: `candidate ${index + 1}`, values }]
  })
  if (points.length === 0)
    throw new SpicaError(
      'input',
      'no-objective-column',
      `the study in ${path} has no candidate with ${objectives.join(' or ')}`,
      {
        hint: 'lay over a study with an objective in common',
      },
    )
  return { label: path, points }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
