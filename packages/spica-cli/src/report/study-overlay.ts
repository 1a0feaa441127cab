import { basename } from 'node:path'
import { SpicaError } from '@spica/schema'
import { type ObjectiveName, objectiveValue, requiredMetric } from '@spica/scorer'
import { mergeTrials } from '../study/merge-trials.js'
import type { SweepCandidate } from '../study/sweep-result.js'
import { readStudy } from './read-study.js'
import type { Overlay } from './report-data.js'

/** Candidates of a ranking that are laid over; a front is laid over whole. */
const BEST_OF_RANKING = 10

/**
 * Candidates of another study as points over this one's plot: values of the objectives it has, and of those that follow
 * from its figures. An `input` error when there are none.
 */
export function studyOverlay(folder: string, objectives: readonly ObjectiveName[]): Overlay {
  const { study, trials } = readStudy(folder)
  const { kind, candidates } = mergeTrials(trials, study.config.goal)
  const shown = kind === 'front' ? candidates : candidates.slice(0, BEST_OF_RANKING)
  const points = shown.flatMap((candidate, index) => {
    const values = Object.fromEntries(objectives.flatMap((name) => objectiveOf(candidate, name)))
    return Object.keys(values).length === 0 ? [] : [{ label: `candidate ${index + 1}`, values }]
  })
  if (points.length === 0)
    throw new SpicaError(
      'input',
      'no-objective-column',
      `the study in ${folder} has no candidate with ${objectives.join(' or ')}`,
      { hint: 'lay over a study with an objective in common' },
    )
  return { label: basename(folder), points }
}

function objectiveOf({ objectives, metrics }: SweepCandidate, name: ObjectiveName): [string, number][] {
  const own = objectives[name]
  if (own !== undefined) return [[name, own]]
  const known = metrics[requiredMetric(name)] !== undefined && Number(metrics['gpu_hours']) > 0
  return known && Number(metrics['duration_ms']) > 0 ? [[name, objectiveValue(metrics, name)]] : []
}
