import type { PlannerConfig } from '../config/planner-config.js'
import type { PoolPlanner } from '../pool-planner.js'
import { clampPair, clampSingle, type GpuBand } from '../state/gpu-band.js'
import type { TickDiagnostics } from '../tick-diagnostics.js'
import type { RuntimeFigures } from './estimate-scaling.js'
import type { LoadReason, LoadVerdict } from './load-verdict.js'

/** Worker counts asked for; absent = leave unchanged. */
export interface Targets {
  prefill?: number
  decode?: number
}

export function bandOf(config: PlannerConfig): GpuBand {
  return { minGpus: config.min_gpu_budget, maxGpus: config.max_gpu_budget, minEndpoint: config.min_endpoint }
}

function blocked(pools: readonly PoolPlanner[]): LoadReason | null {
  if (pools.every((pool) => pool.state.metrics().length === 0)) return 'no_fpm_data'
  if (pools.some((pool) => pool.state.scalingInProgress())) return 'scaling_in_progress'
  const uncovered = pools.some((pool) => pool.state.metrics().length > 0 && !pool.state.metricsCoverFleet())
  return uncovered ? 'worker_count_mismatch' : null
}

/**
 * Load decision of an aggregated pool.
 * @param decodeAlone let the ITL side take a worker away when the TTFT side has no opinion, as upstream does
 */
export function aggregatedLoadDecision(
  pool: PoolPlanner,
  config: PlannerConfig,
  runtime: RuntimeFigures,
  diagnostics: TickDiagnostics,
  decodeAlone: boolean,
): Targets {
  const obstacle = blocked([pool])
  if (obstacle !== null) {
    diagnostics.loadReason = obstacle
    return {}
  }
  const workers = pool.state.ready
  const verdict =
    config.optimization_target === 'sla' ? sharedVerdict(pool, runtime, diagnostics, decodeAlone) : pool.thresholds()
  if (verdict.desired === null) {
    diagnostics.loadReason = verdict.reason ?? 'no_change'
    return {}
  }
  const floor = config.enable_throughput_scaling ? Math.max(verdict.desired, pool.lowerBound) : verdict.desired
  const floored = Math.max(floor, config.min_endpoint)
  const desired = clampSingle(floored, pool.capabilities.gpus, bandOf(config))
  const capped = desired > verdict.desired && verdict.desired < workers
  diagnostics.loadReason = reasonOf(desired, workers, capped, verdict.reason)
  return desired === workers ? {} : { decode: desired }
}

/**
 * Both sub-decisions of an aggregated pool under SLAs. Up when either says up; down, to the larger of the two counts, when both do.
 */
function sharedVerdict(
  pool: PoolPlanner,
  runtime: RuntimeFigures,
  diagnostics: TickDiagnostics,
  decodeAlone: boolean,
): LoadVerdict {
  if (!pool.model.passes.ready) return { desired: null, reason: 'insufficient_data' }
  const workers = pool.state.ready
  const ttft = pool.ttft(runtime)
  const itl = pool.itl(runtime)
  noteEstimates(diagnostics, ttft, itl)
  const refused = [ttft, itl].some((verdict) => verdict.reason === 'scale_down_refused_consolidation')
  const reason = refused ? 'scale_down_refused_consolidation' : null
  const { desired: p } = ttft
  const { desired: d } = itl
  if (p !== null && p > workers) return { desired: p, reason }
  if (d !== null && d > workers) return { desired: d, reason }
  if (p === null && decodeAlone && d !== null && d < workers) return { desired: d, reason }
  if (p !== null && p < workers && d !== null && d < workers) return { desired: Math.max(p, d), reason }
  return { desired: workers, reason }
}

/** Load decision of a prefill and a decode pool: each alone, then floor and GPU band together. */
export function pairLoadDecision(
  prefill: PoolPlanner,
  decode: PoolPlanner,
  config: PlannerConfig,
  runtime: RuntimeFigures,
  diagnostics: TickDiagnostics,
): Targets {
  const obstacle = blocked([prefill, decode])
  if (obstacle !== null) {
    diagnostics.loadReason = diagnostics.loadReasonPrefill = diagnostics.loadReasonDecode = obstacle
    return {}
  }
  const p = poolVerdict(prefill, config, runtime)
  const d = poolVerdict(decode, config, runtime)
  noteEstimates(diagnostics, p, d)
  const wanted = [p.desired ?? prefill.state.ready, d.desired ?? decode.state.ready] as const
  const bounds = config.enable_throughput_scaling ? [prefill.lowerBound, decode.lowerBound] : [0, 0]
  const floored = wanted.map((count, i) => Math.max(count, bounds[i]))
  const [finalP, finalD] = clampPair(
    Math.max(floored[0], config.min_endpoint),
    Math.max(floored[1], config.min_endpoint),
    prefill.capabilities.gpus,
    decode.capabilities.gpus,
    bandOf(config),
  )
  const pools = [prefill, decode]
  const [reasonP, reasonD] = [finalP, finalD].map((count, i) => {
    const capped = floored[i] > wanted[i] && wanted[i] < pools[i].state.ready
    return reasonOf(count, pools[i].state.ready, capped, null)
  })
  const unchanged = finalP === prefill.state.ready && finalD === decode.state.ready
  diagnostics.loadReasonPrefill = unchanged ? informative(p.reason, reasonP) : reasonP
  diagnostics.loadReasonDecode = unchanged ? informative(d.reason, reasonD) : reasonD
  diagnostics.loadReason = unchanged
    ? informative(p.reason, informative(d.reason, mostNotable(reasonP, reasonD)))
    : mostNotable(reasonP, reasonD)
  return unchanged ? {} : { prefill: finalP, decode: finalD }
}

function poolVerdict(pool: PoolPlanner, config: PlannerConfig, runtime: RuntimeFigures): LoadVerdict {
  if (pool.state.metrics().length === 0) return { desired: null, reason: null }
  if (config.optimization_target !== 'sla') return pool.thresholds()
  if (!pool.model.passes.ready || pool.state.ready === 0) return { desired: null, reason: 'insufficient_data' }
  return pool.role === 'prefill' ? pool.ttft(runtime) : pool.itl(runtime)
}

function noteEstimates(diagnostics: TickDiagnostics, ttft: LoadVerdict, itl: LoadVerdict): void {
  if (ttft.estimateMs !== undefined) diagnostics.estimatedTtftMs = ttft.estimateMs
  if (itl.estimateMs !== undefined) diagnostics.estimatedItlMs = itl.estimateMs
}

function reasonOf(desired: number, workers: number, capped: boolean, fallback: LoadReason | null): LoadReason {
  if (desired > workers) return 'scale_up'
  if (capped) return 'scale_down_capped_by_throughput'
  if (desired < workers) return 'scale_down'
  return fallback ?? 'no_change'
}

function informative(reason: LoadReason | null, otherwise: LoadReason): LoadReason {
  return reason === null || reason === 'no_change' ? otherwise : reason
}

const NOTABLE: readonly LoadReason[] = ['scale_up', 'scale_down_capped_by_throughput', 'scale_down', 'no_change']

function mostNotable(a: LoadReason, b: LoadReason): LoadReason {
  return NOTABLE.indexOf(a) <= NOTABLE.indexOf(b) ? a : b
}
