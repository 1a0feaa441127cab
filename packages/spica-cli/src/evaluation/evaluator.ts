import { capabilitiesOf, createPlanner, type SpicaPlanner } from '@spica/planner'
import { parseEngineArgs, parseRouterConfig, type ReplayOptions, replayDetailed } from '@spica/replay-sim'
import {
  type Backend,
  type DeploymentPlan,
  deploymentPlan,
  type EngineArgs,
  type EvaluationPlan,
  type PerfModel,
  plannerTarget,
  type Role,
  SpicaError,
  type UnrolledSample,
} from '@spica/schema'
import { withDeadline } from './deadline.js'
import { type EvaluationResult, evaluationResult } from './evaluation-result.js'
import type { EvaluationSettings } from './evaluation-settings.js'
import { roleKvEstimate } from './kv-capacity.js'
import { loadMaker } from './offered-load.js'
import { passTime } from './pass-time.js'
import { perfModelMaker } from './perf-models.js'
import { rolesOf, shapeOf } from './role-shape.js'

/** Evaluates candidates of one study. Pure: the same candidate gives the same result anywhere. */
export interface CandidateEvaluator {
  /** Throws `SpicaError` when the candidate cannot be run; `time-limit` when it passes `deadlineMs`. */
  evaluate(sample: EvaluationPlan, deadlineMs: number): EvaluationResult
}

export function createEvaluator(settings: EvaluationSettings): CandidateEvaluator {
  const makeModel = perfModelMaker(settings)
  const makeLoad = loadMaker(settings)
  const dynamo = settings.compat.includes('dynamo-1.4')

  return {
    evaluate(sample, deadlineMs) {
      const backend = sample['backend'] as Backend
      const plan = planOf(settings, sample)
      const models = new Map<Role, PerfModel>()
      const engines = new Map<Role, EngineArgs>()
      for (const role of rolesOf(sample)) {
        models.set(role, withDeadline(makeModel(backend, shapeOf(sample, role)), deadlineMs))
        engines.set(role, withBlocks(settings, sample, role, plan[`${role}_engine_args`] as EngineArgs))
      }
      const planner = plan.planner_config === null ? null : plannerOf(settings, plan, engines, models, dynamo)
      const options: ReplayOptions = {
        ...makeLoad(sample),
        ...deploymentOptions(plan, engines, models),
        routerMode: plan.router_mode,
        ...(plan.router_config === null ? {} : { routerConfig: parseRouterConfig(plan.router_config) }),
        ...(planner === null ? {} : { planner }),
        ...slaOptions(settings),
        seed: settings.seed,
        ...(dynamo ? { compat: 'dynamo-1.4' as const } : {}),
      }
      const replayed = replayDetailed(options)
      const { timeline } = replayed
      return evaluationResult(replayed, planner, (metrics) => passTime({ sample, models, metrics, timeline }))
    },
  }
}

function planOf(settings: EvaluationSettings, sample: EvaluationPlan): DeploymentPlan {
  const result = deploymentPlan(sample as UnrolledSample, {
    backendVersion: String(sample['backend_version'] ?? 'unknown'),
    optimizationTarget: plannerTarget(settings.goal.target),
    plannerSla: settings.goal.sla,
  })
  if (!result.ok) throw new SpicaError('input', result.error.code, result.error.message)
  return result.plan
}

/** Engine arguments with the KV blocks that fit the candidate's own settings. */
function withBlocks(settings: EvaluationSettings, sample: EvaluationPlan, role: Role, args: EngineArgs): EngineArgs {
  const { totalKvSizeTokens, reason } = roleKvEstimate(settings, sample, role)
  const blocks = Math.floor((totalKvSizeTokens ?? 0) / (args.block_size ?? 64))
  if (blocks < 1)
    throw new SpicaError(
      'input',
      reason?.code ?? 'no-kv-block',
      reason?.message ?? `the ${role} KV cache holds no block`,
    )
  return parseEngineArgs({ ...args, num_gpu_blocks: blocks })
}

function deploymentOptions(
  plan: DeploymentPlan,
  engines: ReadonlyMap<Role, EngineArgs>,
  models: ReadonlyMap<Role, PerfModel>,
): Partial<ReplayOptions> {
  if (plan.deployment_mode === 'agg')
    return { engine: engines.get('agg')!, workers: plan.num_workers, perfModel: models.get('agg')! }
  return {
    prefill: engines.get('prefill')!,
    decode: engines.get('decode')!,
    prefillWorkers: plan.num_prefill_workers,
    decodeWorkers: plan.num_decode_workers,
    prefillPerfModel: models.get('prefill')!,
    decodePerfModel: models.get('decode')!,
  }
}

function plannerOf(
  settings: EvaluationSettings,
  plan: DeploymentPlan,
  engines: ReadonlyMap<Role, EngineArgs>,
  models: ReadonlyMap<Role, PerfModel>,
  compat: boolean,
): SpicaPlanner {
  const options = { contextLength: settings.model.contextLength, compat }
  const decodeRole = plan.deployment_mode === 'agg' ? 'agg' : 'decode'
  const prefill = engines.get('prefill')
  return createPlanner({
    config: plan.planner_config,
    decode: capabilitiesOf(engines.get(decodeRole)!, options),
    ...(prefill === undefined ? {} : { prefill: capabilitiesOf(prefill, options) }),
    perfModels: {
      decode: models.get(decodeRole)!,
      ...(prefill === undefined ? {} : { prefill: models.get('prefill')! }),
    },
    compat,
  })
}

function slaOptions({ goal }: EvaluationSettings): Partial<ReplayOptions> {
  if (goal.sla === null) return {}
  const { ttft_ms: ttftMs, itl_ms: itlMs, e2e_ms: e2eMs } = goal.sla
  return {
    sla: {
      ...(ttftMs === null ? {} : { ttftMs }),
      ...(itlMs === null ? {} : { itlMs }),
      ...(e2eMs === null ? {} : { e2eMs }),
    },
  }
}
