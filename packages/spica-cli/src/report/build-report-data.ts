import { goalObjectives } from '@spica/schema'
import { mergeTrials } from '../study/merge-trials.js'
import type { StudyFile } from '../study/study-file.js'
import { countTrial, emptyTally } from '../study/tally.js'
import type { TrialRecord } from '../study/trial-record.js'
import { candidateDetail, timeSources } from './candidate-detail.js'
import { summariseFailures } from './failure-summary.js'
import { knobImportance } from './knob-importance.js'
import { presentMeasures, reportObjective } from './measures.js'
import { progressCurve } from './progress-curve.js'
import type { CandidateDetail, FeasibleTrial, Manifest, Overlay, ReportData, ReportTrial } from './report-data.js'
import { shapeLabel } from './shape-label.js'
import { isClosedLoop, studyFactRows } from './study-facts.js'

/** Deployments whose details are gathered; the page keeps as many of them as fit. */
const MOST_DETAILS = 250
/** Candidates with a manifest on their page. */
const MOST_MANIFESTS = 100

export interface ReportSources {
  readonly study: StudyFile
  readonly trials: readonly TrialRecord[]
  /** Files to copy of a candidate: its number, from 1, and its unrolled sample. Null when there are none. */
  manifestOf(candidate: number, sample: Readonly<Record<string, unknown>>): readonly Manifest[] | null
  readonly overlay: Overlay | null
  readonly version: string
}

/** Everything a report shows, from a study and its trials. Pure. */
export function buildReportData(sources: ReportSources): ReportData {
  const { study } = sources
  const { config } = study
  const records = [...sources.trials].sort((a, b) => a.id - b.id)
  const objectives = goalObjectives(config.goal).map(reportObjective)
  const names = objectives.map(({ name }) => name)
  const { kind, candidates } = mergeTrials(records, config.goal)
  const tally = emptyTally()
  for (const record of records) countTrial(tally, record)
  const feasible = records.flatMap((record) => feasibleTrial(record) ?? [])
  const measures = presentMeasures(
    feasible.map(({ metrics }) => metrics),
    names,
  )
  const trials = records.map(reportTrial)
  const closedLoop = isClosedLoop(config.workload)
  const byId = new Map(records.map((record) => [record.id, record]))
  const details = new Map<number, CandidateDetail>()
  const ranks = new Map(candidates.map(({ trial }, index) => [trial, index + 1]))
  const inOrder = new Set([...ranks.keys(), ...feasible.map(({ trial }) => trial)])
  for (const trial of [...inOrder].slice(0, MOST_DETAILS)) {
    const record = byId.get(trial)
    if (record === undefined) continue
    const rank = ranks.get(trial)
    const manifest =
      rank === undefined || rank > MOST_MANIFESTS || record.config === null
        ? null
        : sources.manifestOf(rank, record.config)
    details.set(trial, candidateDetail(record, { closedLoop, manifest }))
  }
  const perf = study['perf'] as { model?: unknown } | undefined
  return {
    title: `${config.search_space.model_name} on ${config.search_space.hardware_sku}`,
    model: config.search_space.model_name,
    hardware: config.search_space.hardware_sku,
    kind,
    version: sources.version,
    objectives,
    measures,
    facts: studyFactRows(study, tally),
    provenance: {
      perfModel: typeof perf?.model === 'string' ? perf.model : null,
      sources: timeSources(candidates.flatMap(({ trial }) => byId.get(trial) ?? [])),
      compat: study.compat,
    },
    notices: Array.isArray(study['notices']) ? study['notices'].map(String) : [],
    trials,
    feasible,
    candidates: candidates.map(({ trial, alternatives }) => ({ trial, alternatives })),
    details,
    importance: knobImportance(feasible, objectives),
    failures: summariseFailures(
      records.map((record, index) => {
        const { mode, backend, layout } = trials[index] as ReportTrial
        return {
          id: record.id,
          status: record.status,
          mode: mode ?? record.branch,
          backend: backend ?? 'any backend',
          layout: layout ?? 'no shape',
          reason: record.reason,
        }
      }),
    ),
    progress: progressCurve(
      records.map(({ id, used_gpus, objectives: values, status }) => ({
        id,
        gpus: used_gpus ?? 0,
        objectives: status === 'feasible' ? values : null,
      })),
      objectives,
      kind,
    ),
    overlay: sources.overlay,
  }
}

function feasibleTrial(record: TrialRecord): FeasibleTrial | null {
  if (record.status !== 'feasible' || record.objectives === null) return null
  return {
    trial: record.id,
    objectives: record.objectives,
    metrics: record.metrics ?? {},
    config: { ...record.config, ...(record.used_gpus === null ? {} : { used_gpus: record.used_gpus }) },
  }
}

function reportTrial(record: TrialRecord): ReportTrial {
  const config = record.config ?? record.selection
  const text = (key: string) => (typeof config[key] === 'string' ? config[key] : null)
  const label = record.config === null ? null : shapeLabel(record.config)
  return {
    id: record.id,
    round: record.round,
    status: record.status,
    mode: text('deployment_mode') ?? record.branch,
    backend: text('backend'),
    shape: label?.shape ?? null,
    layout: label?.layout ?? null,
    gpus: record.used_gpus,
    reason: record.reason?.message ?? null,
  }
}
