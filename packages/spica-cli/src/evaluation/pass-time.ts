import type { TimelinePoint } from '@spica/replay-sim'
import type { EvaluationPlan, PassQuery, PerfModel, Role } from '@spica/schema'
import { shapeOf } from './role-shape.js'

/** Where the pass time of a replay goes and where its figures come from: estimates at the mean request and batch. */
export interface PassTime {
  /** Pass time of all ranks spent on prompts, and on further tokens, ms. */
  readonly prefill_ms: number
  readonly decode_ms: number
  /** Share of that time by the source of its operators' times, 0…1. */
  readonly sources: Readonly<Record<string, number>>
}

export interface PassTimeFacts {
  readonly sample: EvaluationPlan
  readonly models: ReadonlyMap<Role, PerfModel>
  readonly metrics: Readonly<Record<string, number>>
  readonly timeline: readonly TimelinePoint[]
}

/**
 * Weighs one prefill pass per completed request, of mean length, and the decode passes that yield all output tokens at
 * the mean batch of a rank. Null when nothing was completed.
 */
export function passTime({ sample, models, metrics, timeline }: PassTimeFacts): PassTime | null {
  const completed = metrics['completed_requests'] ?? 0
  const outputTokens = metrics['total_output_tokens'] ?? 0
  if (!(completed > 0)) return null
  const isl = Math.max(1, Math.round((metrics['total_input_tokens'] ?? 0) / completed))
  const prefix = Math.min(isl - 1, Math.round(isl * (metrics['prefix_cache_reused_ratio'] ?? 0)))
  const decodeRole: Role = models.has('decode') ? 'decode' : 'agg'
  const batch = meanBatch(timeline, shapeOf(sample, decodeRole).attentionDp)
  const context = Math.round(isl + outputTokens / completed / 2)
  const sources = new Map<string, number>()
  const time = (role: Role, query: PassQuery, times: number) => {
    let total = 0
    for (const { ms, source } of models.get(role)?.explain(query) ?? []) {
      total += ms * times
      sources.set(source, (sources.get(source) ?? 0) + ms * times)
    }
    return total
  }
  const prefillRole: Role = models.has('prefill') ? 'prefill' : 'agg'
  const prefillMs = time(prefillRole, { phase: 'prefill', batch: 1, isl, prefix }, completed)
  const decodeMs = time(decodeRole, { phase: 'decode', batch, context }, Math.max(0, outputTokens - completed) / batch)
  const total = prefillMs + decodeMs
  if (!(total > 0) || !Number.isFinite(total)) return null
  return {
    prefill_ms: rounded(prefillMs),
    decode_ms: rounded(decodeMs),
    sources: Object.fromEntries([...sources].sort().map(([source, ms]) => [source, rounded(ms / total)])),
  }
}

/** Mean requests that one rank decodes at once while it has any; at least 1. */
function meanBatch(timeline: readonly TimelinePoint[], ranksPerWorker: number): number {
  const busy = timeline.filter(
    (point) => point.pool === 'decode' && point.runningRequests > 0 && point.activeWorkers > 0,
  )
  if (busy.length === 0) return 1
  const perRank = busy.map((point) => point.runningRequests / (point.activeWorkers * Math.max(1, ranksPerWorker)))
  return Math.max(1, Math.round(perRank.reduce((sum, one) => sum + one, 0) / perRank.length))
}

function rounded(value: number): number {
  return Number(value.toPrecision(6))
}
