import { join } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.js'
import { STUDY_FILES } from '../io/output-folder.js'
import type { SweepCandidate } from '../study/sweep-result.js'
import { csvText } from './csv.js'

/** Text of `candidates.json`: best first, or along the front. Nothing in it depends on the machine or the clock. */
export function candidatesJson(candidates: readonly SweepCandidate[]): string {
  const entries = candidates.map((candidate) => ({
    config: candidate.config,
    used_gpus: candidate.used_gpus,
    score: candidate.score,
    metrics: candidate.metrics,
    objectives: candidate.objectives,
    trial: candidate.trial,
    alternatives: candidate.alternatives,
  }))
  return JSON.stringify(entries, null, 2) + '\n'
}

/** The same as a table: rank, score, objectives, metrics, then the configuration's keys in order of first appearance. */
export function candidatesCsv(candidates: readonly SweepCandidate[]): string {
  const keysOf = (pick: (candidate: SweepCandidate) => Readonly<Record<string, unknown>>) => [
    ...new Set(candidates.flatMap((candidate) => Object.keys(pick(candidate)))),
  ]
  const objectives = keysOf((candidate) => candidate.objectives)
  const metrics = keysOf((candidate) => candidate.metrics)
  const config = keysOf((candidate) => candidate.config).filter((key) => key !== 'used_gpus')
  const head = ['rank', 'trial', 'score', 'used_gpus', ...objectives, ...metrics, ...config]
  const rows = candidates.map((candidate, index) => [
    index + 1,
    candidate.trial,
    candidate.score,
    candidate.used_gpus,
    ...objectives.map((key) => candidate.objectives[key]),
    ...metrics.map((key) => candidate.metrics[key]),
    ...config.map((key) => candidate.config[key]),
  ])
  return csvText(head, rows)
}

/** Writes both files, each at once. */
export function writeCandidates(folder: string, candidates: readonly SweepCandidate[]): void {
  writeFileAtomic(join(folder, STUDY_FILES.candidates), candidatesJson(candidates))
  writeFileAtomic(join(folder, STUDY_FILES.csv), candidatesCsv(candidates))
}
