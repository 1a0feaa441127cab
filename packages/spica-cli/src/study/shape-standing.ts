import type { Backend, GoalConfig, Role, WorkerShape } from '@spica/schema'
import { dominators, goalObjectives, type ObjectiveName, rankCandidates } from '@spica/scorer'
import { rolesOf, shapeOf } from '../evaluation/role-shape.js'
import { mergeTrials, type ScoredTrial, scoredTrial } from './merge-trials.js'
import type { TrialRecord } from './trial-record.js'

/** Which trials of a study are meant. */
export interface ShapeFilter {
  readonly shape: WorkerShape
  readonly backends: readonly Backend[]
  readonly roles: readonly Role[]
}

/** A trial that is better than another one, and by how much. */
export interface BetterTrial {
  readonly trial: number
  readonly config: Readonly<Record<string, unknown>>
  readonly usedGpus: number
  readonly score: number | null
  /** Plain value of each objective. */
  readonly objectives: Readonly<Record<string, number>>
  /** Advantage per objective in its plain unit, never negative. */
  readonly margins: Readonly<Record<string, number>>
  /** The same as a share of the beaten trial's value; null where that is 0. */
  readonly relative: Readonly<Record<string, number | null>>
}

/** One of the best trials of a shape. */
export interface StandingTrial {
  readonly trial: number
  readonly role: Role
  readonly config: Readonly<Record<string, unknown>>
  readonly usedGpus: number
  readonly score: number | null
  readonly objectives: Readonly<Record<string, number>>
  /** Place in the ranking, from 1; null under a Pareto goal. */
  readonly rank: number | null
  /** Under a Pareto goal: whether it is part of the front, or equal to a part of it. */
  readonly onFront: boolean | null
  /** How many of the ranking or of the front are better: outrank or dominate it. */
  readonly betterCount: number
  /** The first of them: by rank, or along the front. */
  readonly better: readonly BetterTrial[]
}

/** What a study found of a shape. */
export interface ShapeStanding {
  readonly objectives: readonly string[]
  /** Trials with the shape by status, repeats left out; empty when it was never tried. */
  readonly statuses: Readonly<Record<string, number>>
  /** Feasible trials of the study; places of the ranking. */
  readonly feasible: number
  /** Members of the front; null under a scalar goal. */
  readonly frontSize: number | null
  /** Commonest reason of the shape's own failures. */
  readonly reason: string | null
  /** Best first; under a Pareto goal the shape's own front. */
  readonly best: readonly StandingTrial[]
}

/** Better trials that are named. */
const NAMED = 3
/** Trials of the shape's own front that are shown. */
const SHOWN = 5

/** Where the trials with a shape stand in their study: their best, and which others outrank or dominate them. */
export function shapeStanding(trials: readonly TrialRecord[], goal: GoalConfig, filter: ShapeFilter): ShapeStanding {
  const own = trials.filter((trial) => trial.status !== 'cache-hit' && roleIn(trial, filter) !== null)
  const statuses: Record<string, number> = {}
  const reasons = new Map<string, number>()
  for (const { status, reason } of own) {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (reason !== null) reasons.set(reason.message, (reasons.get(reason.message) ?? 0) + 1)
  }
  const all = trials.map(scoredTrial).filter((scored) => scored !== null)
  const names = goalObjectives(goal)
  const best = goal.target === 'pareto' ? frontStanding(trials, own, goal, filter) : rankStanding(all, names, filter)
  return {
    objectives: names,
    statuses,
    feasible: all.length,
    frontSize: goal.target === 'pareto' ? mergeTrials(trials, goal).candidates.length : null,
    reason: [...reasons].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null,
    best,
  }
}

/** The role in which a trial has the shape, or null. */
function roleIn({ config }: TrialRecord, { shape, backends, roles }: ShapeFilter): Role | null {
  if (config === null || !backends.includes(config['backend'] as Backend)) return null
  const same = (role: Role) => {
    const { tp, attentionDp, moeTp, moeEp } = shapeOf(config, role)
    return tp === shape.tp && attentionDp === shape.attentionDp && moeTp === shape.moeTp && moeEp === shape.moeEp
  }
  return rolesOf(config).find((role) => roles.includes(role) && same(role)) ?? null
}

function rankStanding(
  all: readonly ScoredTrial[],
  names: readonly ObjectiveName[],
  filter: ShapeFilter,
): StandingTrial[] {
  const ranking = rankCandidates(all)
  const at = ranking.findIndex(({ record }) => roleIn(record, filter) !== null)
  const trial = ranking[at]
  if (trial === undefined) return []
  return [standing(trial, ranking.slice(0, at), names, filter, { rank: at + 1, onFront: null })]
}

function frontStanding(
  trials: readonly TrialRecord[],
  own: readonly TrialRecord[],
  goal: GoalConfig,
  filter: ShapeFilter,
): StandingTrial[] {
  const byId = new Map(trials.map((record) => [record.id, scoredTrial(record)]))
  const front = mergeTrials(trials, goal).candidates
  const members = new Set(front.flatMap(({ trial, alternatives }) => [trial, ...alternatives]))
  const others = front.flatMap(({ trial }) => byId.get(trial) ?? [])
  const found = mergeTrials(own, goal).candidates.flatMap(({ trial }) => byId.get(trial) ?? [])
  return found
    .map((trial) => {
      const better = dominators(trial, others, goalObjectives(goal)).map(({ candidate }) => candidate)
      return standing(trial, better, goalObjectives(goal), filter, {
        rank: null,
        onFront: members.has(trial.record.id),
      })
    })
    .sort((a, b) => a.betterCount - b.betterCount)
    .slice(0, SHOWN)
}

function standing(
  trial: ScoredTrial,
  better: readonly ScoredTrial[],
  names: readonly ObjectiveName[],
  filter: ShapeFilter,
  place: Pick<StandingTrial, 'rank' | 'onFront'>,
): StandingTrial {
  return {
    ...facts(trial),
    role: roleIn(trial.record, filter) as Role,
    ...place,
    betterCount: better.length,
    better: better.slice(0, NAMED).map((other) => betterBy(trial, other, names)),
  }
}

function betterBy(trial: ScoredTrial, other: ScoredTrial, names: readonly ObjectiveName[]): BetterTrial {
  const margins: Record<string, number> = {}
  const relative: Record<string, number | null> = {}
  for (const name of names) {
    const own = trial.objectives[name] as number
    // Along one axis a better trial is larger or smaller, never worse; the sign is the axis's, not the margin's.
    margins[name] = Math.abs((other.objectives[name] as number) - own)
    relative[name] = own === 0 ? null : (margins[name] as number) / Math.abs(own)
  }
  return { ...facts(other), margins, relative }
}

function facts({ record, usedGpus, score, objectives }: ScoredTrial) {
  return { trial: record.id, config: record.config ?? {}, usedGpus, score, objectives }
}
