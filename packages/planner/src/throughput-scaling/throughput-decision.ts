import type { PlannerConfig } from '../config/planner-config.js'
import { MAX_HIT_RATE } from '../forward-pass-model/pool-model.js'
import type { RuntimeFigures } from '../load-scaling/estimate-scaling.js'
import { bandOf, type Targets } from '../load-scaling/load-decision.js'
import type { PoolPlanner } from '../pool-planner.js'
import { clampPair, clampSingle } from '../state/gpu-band.js'
import type { TickDiagnostics } from '../tick-diagnostics.js'
import { searchCapacity } from './capacity-search.js'
import type { TrafficForecast } from './traffic-predictor.js'

/** Forecast demand of the next window. */
export interface Demand {
  readonly requestsPerSecond: number
  readonly forecast: TrafficForecast
}

/** Workers a pool needs for the demand; null when its model cannot say. No demand needs no model: `min_endpoint` will do. */
function replicasFor(
  pool: PoolPlanner,
  demand: Demand,
  config: PlannerConfig,
  runtime: RuntimeFigures,
  diagnostics: TickDiagnostics,
  idleNeedsNoModel: boolean,
): number | null {
  if (idleNeedsNoModel && demand.requestsPerSecond <= 0) return Math.max(1, config.min_endpoint)
  const capacity = searchCapacity(pool.role, pool.model.passes, pool.capabilities, {
    isl: demand.forecast.isl,
    osl: demand.forecast.osl,
    ttftSlaMs: config.ttft_ms,
    itlSlaMs: config.itl_ms,
    hitRate: Math.min(MAX_HIT_RATE, runtime.hitRate),
    acceptLength: runtime.acceptLength,
  })
  const rps = capacity?.requestsPerSecond ?? 0
  if (!(rps > 0)) return null
  if (pool.role !== 'decode') diagnostics.engineRpsPrefill = rps
  if (pool.role !== 'prefill') diagnostics.engineRpsDecode = rps
  return Math.max(Math.ceil(demand.requestsPerSecond / rps), config.min_endpoint)
}

/**
 * Throughput decision: workers for the forecast demand at each engine's sustainable rate. Under hybrid scaling the result only raises
 * or lowers the floor of load scaling; alone it is the target, moved into the GPU band.
 * @param pools the aggregated pool, or prefill and decode
 */
export function throughputDecision(
  pools: readonly PoolPlanner[],
  demand: Demand,
  config: PlannerConfig,
  runtime: RuntimeFigures,
  diagnostics: TickDiagnostics,
  idleNeedsNoModel: boolean,
): Targets {
  const needed = pools.map((pool) => replicasFor(pool, demand, config, runtime, diagnostics, idleNeedsNoModel))
  if (needed.some((count) => count === null)) {
    diagnostics.throughputReason = 'model_not_ready'
    if (pools.length === 2) {
      diagnostics.throughputReasonPrefill = needed[0] === null ? 'model_not_ready' : 'partner_not_ready'
      diagnostics.throughputReasonDecode = needed[1] === null ? 'model_not_ready' : 'partner_not_ready'
    }
    return {}
  }
  const counts = needed.map((count) => count ?? 0)
  diagnostics.throughputReason = config.enable_load_scaling ? 'set_lower_bound' : 'scale'
  if (pools.length === 2) {
    diagnostics.throughputReasonPrefill = diagnostics.throughputReasonDecode = diagnostics.throughputReason
  }
  if (config.enable_load_scaling) {
    pools.forEach((pool, i) => {
      pool.lowerBound = counts[i]
    })
    return {}
  }
  const band = bandOf(config)
  if (pools.length === 1) return { decode: clampSingle(counts[0], pools[0].capabilities.gpus, band) }
  const [prefill, decode] = clampPair(
    counts[0],
    counts[1],
    pools[0].capabilities.gpus,
    pools[1].capabilities.gpus,
    band,
  )
  return { prefill, decode }
}
