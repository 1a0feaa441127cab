import type { ForwardPassMetrics, Planner, PlannerSnapshot } from '@spica/schema'
import type { PassMetrics } from '../engine/engine.js'
import type { ScalingEvent } from '../replay-options.js'
import { forwardPass, idlePass } from './forward-pass.js'
import type { Pool } from './pool.js'
import type { Simulation } from './simulation.js'
import type { TrafficMeter } from './traffic-meter.js'
import type { Worker } from './worker.js'

const NEVER = Number.POSITIVE_INFINITY

/** Runs a planner's ticks, shows it the state and applies its targets: starting, draining and removing workers. */
export class PlannerHook {
  nextTickMs: number
  readonly events: ScalingEvent[] = []
  private readonly planner: Planner
  /** null in aggregated mode. */
  private readonly prefill: Pool | null
  private readonly decode: Pool
  private readonly traffic: TrafficMeter
  /** Passes since the last tick, for planners that want them all. */
  private prefillPasses: TimedPass[] = []
  private decodePasses: TimedPass[] = []
  private lastTickMs = 0

  constructor(planner: Planner, prefill: Pool | null, decode: Pool, traffic: TrafficMeter) {
    this.planner = planner
    this.prefill = prefill
    this.decode = decode
    this.traffic = traffic
    this.nextTickMs = planner.initialTickMs()
  }

  terminal(request: number): void {
    this.traffic.ended(request)
  }

  /** Watches the passes of a worker, when the planner wants them all. */
  watch(worker: Worker): void {
    if (this.planner.wantsAllPasses === true) worker.onPass = (ended) => this.passEnded(ended)
  }

  private passEnded(worker: Worker): void {
    const isPrefill = this.prefill !== null && worker.order < this.decode.firstOrder
    const into = isPrefill ? this.prefillPasses : this.decodePasses
    for (let rank = 0; rank < worker.engines.length; rank++) {
      if (!worker.wasInPass(rank)) continue
      const record = forwardPass(worker.id, rank, worker.lastPassMs, worker.engines[rank]!.metrics)
      into.push({ endMs: worker.lastPassEndMs, startMs: worker.lastPassEndMs - worker.lastPassMs, record })
    }
  }

  /** Earliest time a starting worker becomes routable. */
  nextReadyMs(): number {
    let next = NEVER
    for (const pool of this.pools()) {
      for (const worker of pool.workers) if (worker.state === 'starting') next = Math.min(next, worker.readyMs)
    }
    return next
  }

  readyWorkers(_simulation: Simulation, nowMs: number): boolean {
    let any = false
    for (const pool of this.pools()) {
      let changed = false
      for (const worker of pool.workers) {
        if (worker.state !== 'starting' || worker.readyMs > nowMs) continue
        worker.state = 'active'
        changed = true
      }
      if (!changed) continue
      pool.refreshTargets()
      pool.router.drain(nowMs)
      any = true
    }
    return any
  }

  removeDrained(nowMs: number): void {
    for (const pool of this.pools()) {
      for (const worker of pool.workers) {
        if (worker.state !== 'draining' || worker.assigned > 0 || worker.busy) continue
        pool.countTime(nowMs)
        pool.remove(worker)
      }
    }
  }

  tick(simulation: Simulation, nowMs: number): void {
    for (const pool of this.pools()) for (const worker of pool.workers) worker.catchUp(nowMs)
    const decision = this.planner.onTick(this.snapshot(nowMs))
    this.lastTickMs = nowMs
    this.nextTickMs = decision.nextTickMs ?? NEVER
    if (this.nextTickMs <= nowMs) this.nextTickMs = NEVER
    if (this.prefill !== null) this.scale(this.prefill, 'prefill', decision.targetPrefill, nowMs)
    this.scale(this.decode, 'decode', decision.targetDecode, nowMs)
    this.removeDrained(nowMs)
    void simulation
  }

  private pools(): readonly Pool[] {
    return this.prefill === null ? [this.decode] : [this.prefill, this.decode]
  }

  private snapshot(nowMs: number): PlannerSnapshot {
    const prefill = this.prefill === null ? noWorkers : idsByState(this.prefill)
    const decode = idsByState(this.decode)
    return {
      now_ms: nowMs,
      active_prefill_ids: prefill.active,
      active_decode_ids: decode.active,
      starting_prefill_ids: prefill.starting,
      starting_decode_ids: decode.starting,
      draining_prefill_ids: prefill.draining,
      draining_decode_ids: decode.draining,
      active_prefill_count: prefill.active.length,
      active_decode_count: decode.active.length,
      starting_prefill_count: prefill.starting.length,
      starting_decode_count: decode.starting.length,
      draining_prefill_count: prefill.draining.length,
      draining_decode_count: decode.draining.length,
      non_draining_prefill_count: prefill.active.length + prefill.starting.length,
      non_draining_decode_count: decode.active.length + decode.starting.length,
      total_prefill_count: prefill.active.length + prefill.starting.length + prefill.draining.length,
      total_decode_count: decode.active.length + decode.starting.length + decode.draining.length,
      prefill_fpm_snapshots: this.prefill === null ? [] : this.passes(this.prefill, nowMs),
      decode_fpm_snapshots: this.passes(this.decode, nowMs),
      ...this.allPasses(),
      traffic: this.traffic.take(nowMs - this.lastTickMs, this.decode),
    }
  }

  private allPasses(): Pick<PlannerSnapshot, 'prefill_passes' | 'decode_passes'> {
    if (this.planner.wantsAllPasses !== true) return {}
    const passes = { prefill_passes: inOrder(this.prefillPasses), decode_passes: inOrder(this.decodePasses) }
    this.prefillPasses = []
    this.decodePasses = []
    return passes
  }

  private passes(pool: Pool, nowMs: number): ForwardPassMetrics[] {
    const result: ForwardPassMetrics[] = []
    for (const worker of pool.workers) {
      if (worker.state === 'starting') continue
      for (let rank = 0; rank < worker.engines.length; rank++) {
        const record = this.latestPass(worker, rank, worker.engines[rank]!.metrics, nowMs)
        if (record !== null) result.push(record)
      }
    }
    return result
  }

  private latestPass(worker: Worker, rank: number, metrics: PassMetrics, nowMs: number): ForwardPassMetrics | null {
    const ended = worker.lastPassEndMs
    if (worker.state === 'active' && !worker.busy && nowMs - Math.max(ended, worker.readyMs) >= 1000)
      return idlePass(worker.id, rank)
    if (ended <= this.lastTickMs) return null
    return forwardPass(worker.id, rank, worker.lastPassMs, metrics)
  }

  private scale(pool: Pool, name: 'prefill' | 'decode', target: number | null | undefined, nowMs: number): void {
    if (target === null || target === undefined) return
    const starting = pool.workers.filter((worker) => worker.state === 'starting')
    const active = pool.workers.filter((worker) => worker.state === 'active')
    const effective = starting.length + active.length
    if (target === effective) return
    pool.countTime(nowMs)
    this.events.push({ timeMs: nowMs, pool: name, fromCount: effective, toCount: target })
    for (let k = effective; k < target; k++) {
      this.watch(pool.add(nowMs, nowMs + pool.settings.startupSeconds * 1000))
    }
    for (let k = effective; k > target; k--) {
      const cancelled = starting.pop()
      if (cancelled !== undefined) pool.remove(cancelled)
      else active.pop()!.state = 'draining'
    }
    pool.refreshTargets()
    pool.router.drain(nowMs)
  }
}

interface TimedPass {
  readonly endMs: number
  readonly startMs: number
  readonly record: ForwardPassMetrics
}

/** Oldest first; workers report quiet passes later than they end. */
function inOrder(passes: TimedPass[]): ForwardPassMetrics[] {
  return passes
    .sort(
      (a, b) =>
        a.endMs - b.endMs ||
        a.startMs - b.startMs ||
        a.record.worker_id - b.record.worker_id ||
        a.record.dp_rank - b.record.dp_rank,
    )
    .map(({ record }) => record)
}

interface IdsByState {
  readonly active: number[]
  readonly starting: number[]
  readonly draining: number[]
}

const noWorkers: IdsByState = { active: [], starting: [], draining: [] }

function idsByState(pool: Pool): IdsByState {
  const ids: IdsByState = { active: [], starting: [], draining: [] }
  for (const worker of pool.workers) if (worker.state !== 'gone') ids[worker.state].push(worker.id)
  return ids
}
