import { frontHypervolume, OBJECTIVE_NAMES, type ObjectiveName, referencePointFor } from '@spica/scorer'
import type { ReportObjective } from './report-data.js'

/** The best found after each of some trials. */
export interface ProgressCurve {
  readonly label: string
  readonly unit: string
  /** Trials finished, and the best value or hypervolume by then. */
  readonly points: readonly (readonly [trials: number, value: number])[]
}

export interface FinishedTrial {
  readonly id: number
  readonly gpus: number
  readonly objectives: Readonly<Record<string, number>> | null
}

/** Moments at which a hypervolume is computed. */
const CHECKPOINTS = 60

/** Best value so far under a scalar goal, hypervolume so far under a Pareto goal; null without a feasible trial. */
export function progressCurve(
  trials: readonly FinishedTrial[],
  objectives: readonly ReportObjective[],
  kind: 'ranking' | 'front',
): ProgressCurve | null {
  if (!trials.some((trial) => trial.objectives !== null)) return null
  return kind === 'ranking' ? bestSoFar(trials, objectives[0] as ReportObjective) : hypervolumeSoFar(trials, objectives)
}

function bestSoFar(trials: readonly FinishedTrial[], objective: ReportObjective): ProgressCurve {
  const points: [number, number][] = []
  let best: number | null = null
  for (const trial of trials) {
    const value = trial.objectives?.[objective.name]
    if (value === undefined) continue
    if (best !== null && (objective.direction === 'maximize' ? value <= best : value >= best)) continue
    best = value
    points.push([trial.id, value])
  }
  const last = trials[trials.length - 1] as FinishedTrial
  if (best !== null && points[points.length - 1]?.[0] !== last.id) points.push([last.id, best])
  return { label: `${objective.label}, best so far`, unit: objective.unit, points }
}

function hypervolumeSoFar(
  trials: readonly FinishedTrial[],
  objectives: readonly ReportObjective[],
): ProgressCurve | null {
  const names = objectives.map(({ name }) => name) as ObjectiveName[]
  if (names.some((name) => !OBJECTIVE_NAMES.includes(name))) return null
  const scored = trials.map(({ gpus, objectives: values }) =>
    values === null ? null : { usedGpus: gpus, score: null, objectives: values as Record<ObjectiveName, number> },
  )
  const feasible = scored.filter((candidate) => candidate !== null)
  const reference = referencePointFor(feasible, names)
  const step = Math.max(1, Math.ceil(trials.length / CHECKPOINTS))
  const points: [number, number][] = []
  for (let done = step; ; done += step) {
    const upTo = Math.min(done, trials.length)
    const seen = scored.slice(0, upTo).filter((candidate) => candidate !== null)
    points.push([upTo, seen.length === 0 ? 0 : frontHypervolume(seen, names, reference)])
    if (upTo === trials.length) break
  }
  return { label: 'Hypervolume of the front so far', unit: objectives.map(({ unit }) => unit).join(' · '), points }
}
