import { type LoadMode, syntheticWorkload, type Workload, workloadFromShared } from '@spica/replay-sim'
import { type EvaluationPlan, resolveArrivalIntervalMs, resolveRequestCount, SpicaError } from '@spica/schema'
import type { EvaluationSettings } from './evaluation-settings.js'

/** Requests of one evaluation and how they are offered. */
export interface OfferedLoad {
  readonly workload: Workload
  readonly load: LoadMode
}

/** Maker of the load of each candidate: the trace for all of them, or synthetic requests by the candidate's concurrency. */
export function loadMaker(settings: EvaluationSettings): (sample: EvaluationPlan) => OfferedLoad {
  if (settings.trace !== null) {
    const workload = workloadFromShared(settings.trace)
    const concurrency = settings.workload.replay_concurrency
    const load: LoadMode = concurrency === null ? { kind: 'open' } : { kind: 'closed', concurrency }
    return () => ({ workload, load })
  }
  return (sample) => syntheticLoad(settings, sample)
}

function syntheticLoad({ workload }: EvaluationSettings, sample: EvaluationPlan): OfferedLoad {
  const concurrency = typeof sample['concurrency'] === 'number' ? sample['concurrency'] : undefined
  const full = { ...workload, trace_path: null }
  const requestCount = resolveRequestCount(full, concurrency)
  if (workload.isl === null || workload.osl === null || requestCount === undefined)
    throw new SpicaError('internal', 'incomplete-workload', 'the synthetic workload lacks its lengths or its load')
  const blockSize = Number(
    sample['deployment_mode'] === 'agg' ? sample['agg_block_size'] : sample['prefill_block_size'],
  )
  const offered = concurrency !== undefined ? { concurrency } : { arrivalIntervalMs: resolveArrivalIntervalMs(full) }
  return syntheticWorkload({
    inputTokens: workload.isl,
    outputTokens: workload.osl,
    requestCount,
    turnsPerSession: workload.turns_per_session,
    sharedPrefixRatio: workload.shared_prefix_ratio,
    numPrefixGroups: workload.num_prefix_groups,
    interTurnDelayMs: workload.inter_turn_delay_ms,
    arrivalSpeedupRatio: workload.arrival_speedup_ratio,
    blockSize,
    ...offered,
  })
}
