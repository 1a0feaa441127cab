import type { ForwardPassMetrics, PerfModel, PlannerSnapshot } from '@spica/schema/core'
import type { EngineCapabilities } from './config/capabilities.js'
import type { PlannerConfig } from './config/planner-config.js'
import { bootstrapModel } from './forward-pass-model/bootstrap.js'
import { PoolModel, type PoolRole } from './forward-pass-model/pool-model.js'
import { type EstimateContext, itlVerdict, type RuntimeFigures, ttftVerdict } from './load-scaling/estimate-scaling.js'
import type { LoadVerdict } from './load-scaling/load-verdict.js'
import { thresholdVerdict } from './load-scaling/threshold-scaling.js'
import { type PoolName, PoolState, poolCounts } from './state/fleet-state.js'

/** One pool as the planner sees it: its engines, its fleet, and what it has learned of their passes. */
export class PoolPlanner {
  readonly state: PoolState = new PoolState()
  readonly model: PoolModel
  /** Workers that throughput scaling asks for at least. */
  lowerBound = 1

  constructor(
    readonly name: PoolName,
    readonly role: PoolRole,
    readonly capabilities: EngineCapabilities,
    private readonly config: PlannerConfig,
    private readonly compat: boolean,
    perfModel: PerfModel | undefined,
  ) {
    this.model = new PoolModel(role, config, compat)
    if (config.optimization_target === 'sla' && perfModel !== undefined) {
      bootstrapModel(this.model.passes, role, { perfModel, capabilities }, !compat)
    }
  }

  observe(snapshot: PlannerSnapshot): void {
    const metrics = this.name === 'prefill' ? snapshot.prefill_fpm_snapshots : snapshot.decode_fpm_snapshots
    this.state.observe(poolCounts(snapshot, this.name), metrics)
    if (this.config.optimization_target !== 'sla') return
    const passes = this.name === 'prefill' ? snapshot.prefill_passes : snapshot.decode_passes
    if (this.compat || passes === undefined) {
      for (const item of this.state.metrics()) {
        this.model.observeLengths(item)
        this.model.learnIteration([item])
      }
      return
    }
    for (const iteration of iterationsOf(passes)) {
      for (const item of iteration) this.model.observeLengths(item)
      this.model.learnIteration(iteration)
    }
  }

  /** Opinion on the TTFT side of this pool (prefill, or the prefill share of an aggregated one). */
  ttft(runtime: RuntimeFigures): LoadVerdict {
    return ttftVerdict(this.context(runtime))
  }

  itl(runtime: RuntimeFigures): LoadVerdict {
    return itlVerdict(this.context(runtime))
  }

  thresholds(): LoadVerdict {
    const component = this.role === 'aggregated' ? 'agg' : this.role
    return thresholdVerdict(component, this.state.metrics(), this.state.ready, this.config, this.capabilities)
  }

  private context(runtime: RuntimeFigures): EstimateContext {
    return {
      model: this.model,
      metrics: this.state.metrics(),
      workers: this.state.ready,
      config: this.config,
      capabilities: this.capabilities,
      runtime,
      shared: this.role === 'aggregated',
    }
  }
}

/** Groups passes in order: the ranks of one worker follow each other and form one lockstep iteration. */
function iterationsOf(passes: readonly ForwardPassMetrics[]): ForwardPassMetrics[][] {
  const iterations: ForwardPassMetrics[][] = []
  for (const item of passes) {
    const last = iterations[iterations.length - 1]
    const joins =
      last !== undefined && last[0].worker_id === item.worker_id && item.dp_rank > last[last.length - 1].dp_rank
    if (joins) last.push(item)
    else iterations.push([item])
  }
  return iterations
}
