import {
  type PerfModel,
  type Planner,
  type PlannerDecision,
  type PlannerSnapshot,
  SpicaError,
  type TrafficWindow,
} from '@spica/schema/core'
import { baseTickSeconds, DueClock } from './config/cadence.js'
import type { EngineCapabilities } from './config/capabilities.js'
import { type PlannerConfig, resolvePlannerConfig } from './config/planner-config.js'
import { createForecaster } from './forecast/create-forecaster.js'
import { forecasterSpecOf } from './forecast/forecaster-spec.js'
import { MAX_HIT_RATE } from './forward-pass-model/pool-model.js'
import type { RuntimeFigures } from './load-scaling/estimate-scaling.js'
import { aggregatedLoadDecision, pairLoadDecision, type Targets } from './load-scaling/load-decision.js'
import { PoolPlanner } from './pool-planner.js'
import { TrafficAccumulator } from './state/traffic-accumulator.js'
import { throughputDecision } from './throughput-scaling/throughput-decision.js'
import { TrafficPredictor } from './throughput-scaling/traffic-predictor.js'
import type { ScalingEvent, TickDiagnostics } from './tick-diagnostics.js'

const MS_PER_SECOND = 1000

export interface PlannerOptions {
  /** Planner payload, upstream's keys; checked and completed by `resolvePlannerConfig`. */
  readonly config: unknown
  /** Engines of the aggregated pool, or of the decode pool. */
  readonly decode: EngineCapabilities
  /** Engines of the prefill pool; required in mode `disagg`. */
  readonly prefill?: EngineCapabilities
  /** Pass times to start from, per pool; without them the planner learns from traffic alone. */
  readonly perfModels?: { readonly prefill?: PerfModel; readonly decode?: PerfModel }
  /** `dynamo-1.4` restores upstream's quirks, see docs/deviations/planner.md. */
  readonly compat?: boolean
}

/** The autoscaler with its record of ticks and events. */
export interface SpicaPlanner extends Planner {
  readonly config: PlannerConfig
  /** One entry a tick. */
  readonly diagnostics: readonly TickDiagnostics[]
  readonly events: readonly ScalingEvent[]
}

/**
 * Builds the autoscaler that replay calls back at its ticks.
 * @throws SpicaError `invalid-planner-config`
 */
export function createPlanner(options: PlannerOptions): SpicaPlanner {
  return new TickingPlanner(options)
}

class TickingPlanner implements SpicaPlanner {
  readonly config: PlannerConfig
  readonly wantsAllPasses: boolean
  readonly diagnostics: TickDiagnostics[] = []
  readonly events: ScalingEvent[] = []
  private readonly compat: boolean
  private readonly pools: readonly PoolPlanner[]
  private readonly traffic = new TrafficAccumulator()
  private readonly loadClock: DueClock
  private readonly throughputClock: DueClock
  private readonly predictor: TrafficPredictor | null
  private readonly tickSeconds: number
  private runtime: RuntimeFigures = { hitRate: 0, acceptLength: 1 }

  constructor(options: PlannerOptions) {
    const config = resolvePlannerConfig(options.config)
    this.config = config
    this.compat = options.compat === true
    this.wantsAllPasses = !this.compat && config.optimization_target === 'sla'
    this.tickSeconds = baseTickSeconds(config)
    this.loadClock = new DueClock(config.load_adjustment_interval_seconds)
    this.throughputClock = new DueClock(config.throughput_adjustment_interval_seconds)
    this.pools = poolsOf(options, config, this.compat)
    this.predictor = config.enable_throughput_scaling ? trafficPredictor(config, !this.compat) : null
  }

  initialTickMs(): number {
    return this.tickSeconds * MS_PER_SECOND
  }

  onTick(snapshot: PlannerSnapshot): PlannerDecision {
    const nowSeconds = snapshot.now_ms / MS_PER_SECOND
    const diagnostics: TickDiagnostics = { atMs: snapshot.now_ms }
    this.diagnostics.push(diagnostics)
    for (const pool of this.pools) pool.observe(snapshot)
    this.traffic.add(snapshot.traffic)
    const throughput = this.config.enable_throughput_scaling && this.throughputClock.take(nowSeconds)
    const load = this.loadClock.take(nowSeconds)
    const window = throughput || (load && this.readsTrafficOnLoad()) ? this.traffic.drain() : null
    if (window !== null) this.observeRuntime(window)
    let targets: Targets = {}
    if (throughput && window !== null) targets = this.decideThroughput(window, diagnostics)
    if (!this.config.enable_load_scaling) diagnostics.loadReason = 'disabled'
    else if (load) targets = { ...targets, ...this.decideLoad(diagnostics) }
    targets = this.compat ? targets : this.holdFloor(targets)
    this.noteBounds(diagnostics)
    this.settle(targets, snapshot.now_ms)
    const nextTick = Math.round(nowSeconds / this.tickSeconds) + 1
    return {
      targetPrefill: targets.prefill ?? null,
      targetDecode: targets.decode ?? null,
      nextTickMs: nextTick * this.tickSeconds * MS_PER_SECOND,
    }
  }

  /** Load decisions under SLAs read cache hits and accept lengths when no throughput loop does. */
  private readsTrafficOnLoad(): boolean {
    return this.config.optimization_target === 'sla' && !this.config.enable_throughput_scaling
  }

  private observeRuntime(window: TrafficWindow): void {
    const nextn = Math.max(
      this.config.speculative_nextn,
      this.pools[this.pools.length - 1].capabilities.speculativeNextn,
    )
    const accept = window.avg_accept_length
    const hitRate = Number.isFinite(window.avg_kv_hit_rate) ? window.avg_kv_hit_rate : this.runtime.hitRate
    this.runtime = {
      hitRate: Math.min(MAX_HIT_RATE, Math.max(0, hitRate)),
      acceptLength:
        nextn <= 0 ? 1 : accept === null ? this.runtime.acceptLength : Math.min(nextn + 1, Math.max(1, accept)),
    }
  }

  private decideThroughput(window: TrafficWindow, diagnostics: TickDiagnostics): Targets {
    if (this.predictor === null) return {}
    this.predictor.add(window)
    const forecast = this.predictor.predict()
    if (forecast === null) return {}
    diagnostics.predictedRequests = forecast.requests
    diagnostics.predictedIsl = forecast.isl
    diagnostics.predictedOsl = forecast.osl
    if (!(window.duration_s > 0)) {
      diagnostics.throughputReason = 'no_traffic_data'
      return {}
    }
    const demand = { requestsPerSecond: forecast.requests / window.duration_s, forecast }
    return throughputDecision(this.pools, demand, this.config, this.runtime, diagnostics, !this.compat)
  }

  private decideLoad(diagnostics: TickDiagnostics): Targets {
    const [first, second] = this.pools
    if (second === undefined) return aggregatedLoadDecision(first, this.config, this.runtime, diagnostics, this.compat)
    return pairLoadDecision(first, second, this.config, this.runtime, diagnostics)
  }

  /** A pool below `min_endpoint` is brought back even when nothing could be decided for want of metrics. */
  private holdFloor(targets: Targets): Targets {
    const held = { ...targets }
    for (const pool of this.pools) {
      const wanted = held[pool.name]
      const current = wanted ?? pool.state.nonDraining
      if (current < this.config.min_endpoint) held[pool.name] = this.config.min_endpoint
    }
    return held
  }

  private noteBounds(diagnostics: TickDiagnostics): void {
    for (const pool of this.pools) {
      if (pool.name === 'prefill') diagnostics.lowerBoundPrefill = pool.lowerBound
      else diagnostics.lowerBoundDecode = pool.lowerBound
    }
  }

  private settle(targets: Targets, nowMs: number): void {
    for (const pool of this.pools) {
      const target = targets[pool.name] ?? null
      const from = pool.state.nonDraining
      pool.state.settle(target)
      if (target === null || target === from) continue
      this.events.push({
        atMs: nowMs,
        component: this.pools.length === 1 ? 'agg' : pool.name,
        from,
        to: target,
        reason: target > from ? 'scale_up' : 'scale_down',
      })
    }
  }
}

function poolsOf(options: PlannerOptions, config: PlannerConfig, compat: boolean): PoolPlanner[] {
  if (config.mode === 'agg') {
    return [new PoolPlanner('decode', 'aggregated', options.decode, config, compat, options.perfModels?.decode)]
  }
  if (options.prefill === undefined) {
    throw new SpicaError('input', 'invalid-planner-config', 'planner config: mode disagg needs a prefill pool')
  }
  return [
    new PoolPlanner('prefill', 'prefill', options.prefill, config, compat, options.perfModels?.prefill),
    new PoolPlanner('decode', 'decode', options.decode, config, compat, options.perfModels?.decode),
  ]
}

function trafficPredictor(config: PlannerConfig, carryMissingShapes: boolean): TrafficPredictor {
  const spec = forecasterSpecOf(config)
  return new TrafficPredictor(
    createForecaster(spec),
    createForecaster(spec),
    createForecaster(spec),
    carryMissingShapes,
  )
}
