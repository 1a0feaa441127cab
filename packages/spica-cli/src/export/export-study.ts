import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadHardware, loadModel } from '@spica/catalog/node'
import { deploymentPlan, plannerTarget, SpicaError, type UnrolledSample } from '@spica/schema'
import { z } from 'zod'
import { STUDY_FILES } from '../io/output-folder.js'
import { readStudyFile, type StudyFile } from '../study/study-file.js'
import { type ExportResult, exportCandidate } from './export-candidate.js'

const candidatesSchema = z.array(z.looseObject({ config: z.record(z.string(), z.unknown()), used_gpus: z.number() }))

/** A finished (or running) study with what its manifests need besides the candidates. */
export interface ExportableStudy {
  readonly candidates: readonly UnrolledSample[]
  /** @param number of the candidate in `candidates.json`, from 1 */
  export(sample: UnrolledSample, number: number, dynamoVersion: string): ExportResult
}

/** Model and GPU facts of a study, ready to write manifests of its samples. */
export function exporterOf(study: Pick<StudyFile, 'config' | 'config_folder'>): ExportableStudy['export'] {
  const { search_space: space, goal } = study.config
  const hardware = loadHardware(space.hardware_sku, { baseDir: study.config_folder })
  const model = loadModel(space.model_name, { baseDir: study.config_folder })
  return (sample, number, dynamoVersion) => {
    const plan = deploymentPlan(sample, {
      backendVersion: sample.backend_version ?? null,
      optimizationTarget: plannerTarget(goal.target),
      plannerSla: goal.sla,
    })
    if (!plan.ok) return { ok: false, code: plan.error.code, message: plan.error.message }
    const facts = {
      candidate: number,
      gpusPerNode: hardware.node.gpusPerNode,
      modelContextTokens: model.contextLength,
      plannerConfig: plan.plan.planner_config,
    }
    return exportCandidate(sample, facts, dynamoVersion)
  }
}

/**
 * Reads a study folder.
 * @throws SpicaError `no-study`, `no-candidates` or `broken-study`
 */
export function openExportableStudy(folder: string): ExportableStudy {
  const study = readStudyFile(folder)
  const path = join(folder, STUDY_FILES.candidates)
  if (study === null || !existsSync(path)) {
    throw new SpicaError('input', study === null ? 'no-study' : 'no-candidates', `${folder} holds no finished study`, {
      hint: 'name the --out folder of a sweep',
      location: { file: folder },
    })
  }
  let candidates: z.infer<typeof candidatesSchema>
  try {
    candidates = candidatesSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new SpicaError('input', 'broken-study', `${path} is not a list of candidates`, {
      location: { file: path },
      cause,
    })
  }
  return { candidates: candidates.map(({ config }) => config as unknown as UnrolledSample), export: exporterOf(study) }
}
