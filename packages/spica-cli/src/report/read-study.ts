import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goalObjectives, SpicaError } from '@spica/schema'
import { STUDY_FILES } from '../io/output-folder.js'
import { parseLedger } from '../study/ledger.js'
import { readStudyFile, type StudyFile } from '../study/study-file.js'
import type { TrialRecord } from '../study/trial-record.js'

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
