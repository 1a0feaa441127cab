import type { Enumeration } from '@spica/parallel-enum'
import {
  type Backend,
  type Compat,
  filterScalingPolicies,
  type PolicyDropReason,
  type ScalingPolicyEntry,
  type SpicaConfig,
  SpicaError,
} from '@spica/schema'
import type { EvaluationSettings } from '../evaluation/evaluation-settings.js'
import { backendVersionOf } from '../inputs/perf-inputs.js'
import type { Branch } from './branch.js'
import { candidateBranch } from './candidate-branch.js'
import { type PredictorPlan, planPredictors } from './predictor-plan.js'
import { enumerateStudy, openStudyInputs, preloadForStudy } from './study-inputs.js'

export interface StudyPlanOptions {
  /** Folder that the config's relative paths start from. */
  readonly folder: string
  readonly compat: readonly Compat[]
}

/** A study ready to run. */
export interface StudyPlan {
  readonly config: SpicaConfig
  readonly branches: readonly Branch[]
  readonly enumeration: Enumeration
  readonly settings: EvaluationSettings
  readonly predictors: PredictorPlan
  /** Remarks for the user, in plain words. */
  readonly notices: readonly string[]
}

const DROP_REASONS: Readonly<Record<PolicyDropReason, string>> = {
  'throughput-scaling-needs-goodput-goal': 'throughput scaling needs a goodput goal',
  'scaling-needs-ttft-and-itl': 'autoscaling by SLA needs ttft_ms and itl_ms',
}

/** validate → enumerate: reads every input, lays out the branches. Throws before any evaluation when something is wrong. */
export async function planStudy(config: SpicaConfig, options: StudyPlanOptions): Promise<StudyPlan> {
  const { compat } = options
  const inputs = openStudyInputs(config, options.folder)
  const policies = filterScalingPolicies(config.search_space.planner_scaling_policy, config.goal)
  if (policies.kept.length === 0)
    throw new SpicaError('empty', 'no-policy-left', `no scaling policy is left: ${dropText(policies.dropped)}`, {
      hint: 'add disabled to planner_scaling_policy',
    })
  const enumeration = enumerateStudy(config, inputs, compat)
  await preloadForStudy(inputs, enumeration, compat)
  const predictors = planPredictors(config, policies.kept, inputs.trace, compat)
  const backendVersions = Object.fromEntries(
    config.search_space.backend.map((backend) => [backend, backendVersionOf(inputs.perf, inputs.hardware, backend)]),
  ) as Record<Backend, string>
  const { trace_path: _tracePath, ...workload } = config.workload
  const settings: EvaluationSettings = {
    model: inputs.model,
    hardware: inputs.hardware,
    workload,
    trace: inputs.trace,
    goal: config.goal,
    perf: {
      model: inputs.perf.model,
      database: inputs.perf.database === null ? null : { ...inputs.perf.database.toShared(), description: 'database' },
      points: inputs.perf.points,
      backendVersions,
    },
    seed: config.sweep.random_seed,
    compat,
  }
  const branches = enumeration.branches.map((enumerated) =>
    candidateBranch({
      config,
      enumerated,
      subject: { model: inputs.model, hardware: inputs.hardware, compat },
      policies: policies.kept,
      predictors: predictors.winners,
      backendVersions,
      compat,
    }),
  )
  const notices = [
    ...inputs.traceNotes,
    ...(policies.dropped.length > 0 ? [`left out scaling policies: ${dropText(policies.dropped)}`] : []),
    ...enumeration.skipped.map(
      ({ deploymentMode, backend, message }) =>
        `skipped ${deploymentMode}${backend === null ? '' : `, ${backend}`}: ${message}`,
    ),
  ]
  return { config, branches, enumeration, settings, predictors, notices }
}

function dropText(
  dropped: readonly { readonly policy: ScalingPolicyEntry; readonly reason: PolicyDropReason }[],
): string {
  const byReason = new Map<PolicyDropReason, string[]>()
  for (const { policy, reason } of dropped) {
    const name = typeof policy === 'string' ? policy : 'a custom policy'
    byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  }
  return [...byReason].map(([reason, names]) => `${names.join(', ')} (${DROP_REASONS[reason]})`).join('; ')
}
