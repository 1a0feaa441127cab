import type { SpicaPlanner } from '@spica/planner'
import type { DetailedReplay, TimelinePoint } from '@spica/replay-sim'
import type { PassTime } from './pass-time.js'

/** What a worker hands back: finite figures of the report, and facts for the candidate's page. JSON. */
export interface EvaluationResult {
  readonly metrics: Readonly<Record<string, number>>
  readonly notes: EvaluationNotes
}

export interface EvaluationNotes {
  /** Load over time per pool, as columns; times in ms, shares 0…1. */
  readonly timeline: Readonly<Record<string, Readonly<Record<TimelineColumn, readonly number[]>>>>
  /** Scaling decisions: time in ms, pool, workers before and after. */
  readonly scaling_events: readonly { time_ms: number; pool: string; from: number; to: number }[]
  /** Where the pass time goes and comes from; null when nothing was completed. */
  readonly pass_time: PassTime | null
  /** Report figures that are no finite numbers; with any, the evaluation cannot count. */
  readonly non_finite: readonly string[]
}

const TIMELINE_COLUMNS = [
  'timeMs',
  'activeWorkers',
  'startingWorkers',
  'drainingWorkers',
  'runningRequests',
  'waitingRequests',
  'kvUtilisation',
  'busyWorkers',
] as const
type TimelineColumn = (typeof TIMELINE_COLUMNS)[number]

/** Points kept of each pool. */
const TIMELINE_POINTS = 40
/** Figures of the machine that ran the replay, not of the deployment. */
const HOST_FIGURES = /^(wall_time_ms|processed_)/

/** Figures and facts of one replay; `passTimeOf` gets the figures. */
export function evaluationResult(
  replayed: DetailedReplay,
  planner: SpicaPlanner | null,
  passTimeOf: (metrics: Readonly<Record<string, number>>) => PassTime | null,
): EvaluationResult {
  const metrics: Record<string, number> = {}
  const nonFinite: string[] = []
  for (const [name, value] of Object.entries(replayed.report)) {
    if (typeof value !== 'number' || HOST_FIGURES.test(name)) continue
    if (Number.isFinite(value)) metrics[name] = value
    else nonFinite.push(name)
  }
  if (planner !== null) metrics['planner_total_ticks'] = planner.diagnostics.length
  return {
    metrics,
    notes: {
      timeline: timelineColumns(replayed.timeline),
      scaling_events: replayed.scalingEvents.map(({ timeMs, pool, fromCount, toCount }) => ({
        time_ms: timeMs,
        pool,
        from: fromCount,
        to: toCount,
      })),
      pass_time: passTimeOf(metrics),
      non_finite: nonFinite,
    },
  }
}

function timelineColumns(points: readonly TimelinePoint[]): EvaluationNotes['timeline'] {
  const pools: Record<string, Record<TimelineColumn, number[]>> = {}
  for (const pool of ['prefill', 'decode'] as const) {
    const own = points.filter((point) => point.pool === pool)
    if (own.length === 0) continue
    const kept = thin(own, TIMELINE_POINTS)
    pools[pool] = Object.fromEntries(
      TIMELINE_COLUMNS.map((column) => [column, kept.map((point) => Math.round(point[column] * 1000) / 1000)]),
    ) as Record<TimelineColumn, number[]>
  }
  return pools
}

/** At most `limit` of the items, evenly spaced, first and last included. */
function thin<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items
  return Array.from({ length: limit }, (_, i) => items[Math.round((i * (items.length - 1)) / (limit - 1))] as T)
}
