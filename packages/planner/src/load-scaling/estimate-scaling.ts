import type { ForwardPassMetrics } from '@spica/schema/core'
import type { EngineCapabilities } from '../config/capabilities.js'
import type { PlannerConfig } from '../config/planner-config.js'
import type { PoolModel } from '../forward-pass-model/pool-model.js'
import { type LoadVerdict, noOpinion } from './load-verdict.js'

/** Live figures the estimates are corrected with. */
export interface RuntimeFigures {
  /** Share of prompt tokens served from cache, 0–0.95. */
  readonly hitRate: number
  /** Tokens emitted per sequence and decode pass, ≥ 1. */
  readonly acceptLength: number
}

export interface EstimateContext {
  readonly model: PoolModel
  readonly metrics: readonly ForwardPassMetrics[]
  readonly workers: number
  readonly config: PlannerConfig
  readonly capabilities: EngineCapabilities
  readonly runtime: RuntimeFigures
  /** True for an aggregated pool, where prefill and decode share passes. */
  readonly shared: boolean
}

/** Whether one worker fewer would still hold: `unknown` when an estimate is missing. */
type Consolidation = 'safe' | 'refused' | 'unknown'

function safetyShare(config: PlannerConfig): number {
  return config.load_scaling_down_sensitivity / 100
}

/** Load on each survivor, relative to now, when one of `workers` goes. */
function consolidationFactor(workers: number): number {
  return workers > 1 ? workers / (workers - 1) : 1
}

/**
 * Time to first token against its SLA: one more worker when every worker's estimate is over; one fewer when, with the queue (and,
 * in a shared pool, the decode work) of N workers on N−1, the part of the wait that the queue causes stays within the safety
 * share of what the SLA leaves after the request's own prefill.
 */
export function ttftVerdict(context: EstimateContext): LoadVerdict {
  const chunk = context.capabilities.maxNumBatchedTokens
  if (chunk === null || chunk <= 0) return noOpinion('insufficient_data')
  const estimates = context.metrics.map((item) => context.model.nextTtftMs(item, chunk, context.runtime.hitRate))
  return combine(context, estimates, context.config.ttft_ms, (item) => ttftAfterScaleDown(context, item, chunk))
}

function ttftAfterScaleDown(context: EstimateContext, item: ForwardPassMetrics, chunk: number): Consolidation {
  const factor = consolidationFactor(context.workers)
  const load = context.shared ? { decodeScale: factor, includeQueuedDecode: true } : {}
  const hitRate = context.runtime.hitRate
  const own = context.model.nextTtftMs(item, chunk, hitRate, { ...load, queueScale: 0 })
  if (own === null) return 'unknown'
  const budgetMs = (context.config.ttft_ms - own) * safetyShare(context.config)
  const after = context.model.nextTtftMs(item, chunk, hitRate, { ...load, queueScale: factor })
  if (context.shared && after === null) return 'unknown'
  if (budgetMs <= 0) return 'refused'
  if (after === null) return 'unknown'
  return after - own < budgetMs ? 'safe' : 'refused'
}

/**
 * Inter-token latency against its SLA: one more worker when every worker's estimate is over; one fewer when the KV of N workers fits
 * into N−1 pools and the decode step there stays within the safety share of the SLA.
 */
export function itlVerdict(context: EstimateContext): LoadVerdict {
  const { model, runtime, config } = context
  const estimates = context.metrics.map((item) => {
    const ms = model.nextItlMs(item)
    return ms === null ? null : ms / runtime.acceptLength
  })
  return combine(context, estimates, config.itl_ms, (item) => itlAfterScaleDown(context, item))
}

function itlAfterScaleDown(context: EstimateContext, item: ForwardPassMetrics): Consolidation {
  const { model, runtime, config, capabilities, shared } = context
  const factor = consolidationFactor(context.workers)
  const kv =
    item.sum_decode_kv_tokens + item.sum_queued_decode_kv_tokens + (shared ? item.sum_queued_prefill_tokens : 0)
  const maxKv = capabilities.maxKvTokens
  if (maxKv !== null && maxKv > 0 && Math.trunc(kv * factor) >= maxKv) return 'refused'
  const after = model.nextItlMs(item, { decodeScale: factor, includeQueuedPrefillAsKv: shared })
  if (after === null) return 'unknown'
  return after / runtime.acceptLength < config.itl_ms * safetyShare(config) ? 'safe' : 'refused'
}

function combine(
  context: EstimateContext,
  estimates: readonly (number | null)[],
  slaMs: number,
  afterScaleDown: (item: ForwardPassMetrics) => Consolidation,
): LoadVerdict {
  const known = estimates.filter((estimate) => estimate !== null)
  const outcomes = context.workers > 1 ? scaleDownOutcomes(context.metrics, afterScaleDown) : []
  const refused = outcomes.includes('refused')
  const estimateMs = known.length === 0 ? {} : { estimateMs: Math.max(...known) }
  if (known.length > 0 && known.every((estimate) => estimate > slaMs)) {
    return { desired: context.workers + 1, reason: null, ...estimateMs }
  }
  if (known.length > 0 && context.workers > 1 && outcomes.every((outcome) => outcome === 'safe')) {
    return { desired: Math.max(context.workers - 1, context.config.min_endpoint), reason: null, ...estimateMs }
  }
  const reason = refused ? 'scale_down_refused_consolidation' : known.length === 0 ? 'insufficient_data' : 'no_change'
  // A refusal in a shared pool is a vote for the present count, not a missing signal.
  return { desired: refused && context.shared ? context.workers : null, reason, ...estimateMs }
}

/** Worker by worker until the first that does not pass. */
function scaleDownOutcomes(
  metrics: readonly ForwardPassMetrics[],
  afterScaleDown: (item: ForwardPassMetrics) => Consolidation,
): Consolidation[] {
  const outcomes: Consolidation[] = []
  for (const item of metrics) {
    outcomes.push(afterScaleDown(item))
    if (outcomes[outcomes.length - 1] !== 'safe') break
  }
  return outcomes
}
