import type { ForwardPassMetrics } from '@spica/schema/core'
import type { EngineCapabilities } from '../config/capabilities.js'
import type { PlannerConfig } from '../config/planner-config.js'
import { type LoadVerdict, noOpinion } from './load-verdict.js'

/** Bounds of a load figure: any worker at `up` adds a worker, all at `down` remove one. `strict` excludes equality. */
interface Thresholds {
  readonly up: number
  readonly down: number
  readonly strictUp: boolean
  readonly strictDown: boolean
}

const KV_USE: Readonly<Record<'throughput' | 'latency', Thresholds>> = {
  throughput: { up: 1, down: 0.6, strictUp: true, strictDown: true },
  latency: { up: 0.4, down: 0.1, strictUp: true, strictDown: true },
}
const QUEUED_CONTEXTS: Readonly<Record<'throughput' | 'latency', Thresholds>> = {
  throughput: { up: 1, down: 0.1, strictUp: false, strictDown: true },
  latency: { up: 0.1, down: 0, strictUp: false, strictDown: false },
}
const PERCENT = 100

export type ScaledComponent = 'prefill' | 'decode' | 'agg'

function thresholdsFor(component: ScaledComponent, config: PlannerConfig): Thresholds | null {
  const target = config.optimization_target
  if (target === 'throughput' || target === 'latency')
    return (component === 'prefill' ? QUEUED_CONTEXTS : KV_USE)[target]
  const [up, down] =
    component === 'prefill'
      ? [config.prefill_scale_up_queue_tokens, config.prefill_scale_down_queue_tokens]
      : [config.decode_scale_up_kv_rate, config.decode_scale_down_kv_rate]
  if (up === null || down === null) return null
  const scale = component === 'prefill' ? 1 : PERCENT
  return { up: up / scale, down: down / scale, strictUp: false, strictDown: false }
}

function loadFigure(component: ScaledComponent, item: ForwardPassMetrics, denominator: number): number {
  if (component === 'prefill') return item.sum_queued_prefill_tokens / denominator
  const kv = item.sum_decode_kv_tokens + item.sum_queued_decode_kv_tokens
  return (component === 'agg' ? kv + item.sum_queued_prefill_tokens : kv) / denominator
}

/** What the figure is divided by: the pool's KV tokens, a context length, or 1 for raw queue tokens; null = unknown. */
function denominatorFor(
  component: ScaledComponent,
  config: PlannerConfig,
  capabilities: EngineCapabilities,
): number | null {
  if (component !== 'prefill') return capabilities.maxKvTokens
  return config.optimization_target === 'load' ? 1 : capabilities.contextLength
}

/**
 * One step of threshold scaling (targets throughput, latency and load): one more worker when any (worker, rank) is over,
 * one fewer, never below `min_endpoint`, when all are under.
 */
export function thresholdVerdict(
  component: ScaledComponent,
  metrics: readonly ForwardPassMetrics[],
  workers: number,
  config: PlannerConfig,
  capabilities: EngineCapabilities,
): LoadVerdict {
  const denominator = denominatorFor(component, config, capabilities)
  const bounds = thresholdsFor(component, config)
  if (workers === 0 || metrics.length === 0 || bounds === null || denominator === null || denominator <= 0) {
    return noOpinion('insufficient_data')
  }
  const figures = metrics.map((item) => loadFigure(component, item, denominator))
  if (figures.some((figure) => (bounds.strictUp ? figure > bounds.up : figure >= bounds.up))) {
    return { desired: workers + 1, reason: null }
  }
  const idle = figures.every((figure) => (bounds.strictDown ? figure < bounds.down : figure <= bounds.down))
  if (workers > 1 && idle) return { desired: Math.max(workers - 1, config.min_endpoint), reason: null }
  return noOpinion('no_change')
}
