import { createProjector, type Branch as EnumeratedBranch } from '@spica/parallel-enum'
import type { Compat } from '@spica/schema'
import {
  type EvaluationPlan,
  type KvLoadFields,
  knobParameters,
  type LoadPredictorEntry,
  type ParallelConfig,
  type Parameter,
  type Role,
  type RoleKvFigures,
  resolveKvLoad,
  type ScalingPolicyEntry,
  type SpicaConfig,
  selectionFromParameters,
  unrollSample,
  usedGpus,
} from '@spica/schema'
import { type KvSubject, roleKvEstimate } from '../evaluation/kv-capacity.js'
import { rolesOf } from '../evaluation/role-shape.js'
import type { Branch, Realised } from './branch.js'
import { contentHash } from './canonical-json.js'

export interface CandidateBranchOptions {
  readonly config: SpicaConfig
  readonly enumerated: EnumeratedBranch
  readonly subject: KvSubject
  readonly policies: readonly ScalingPolicyEntry[]
  readonly predictors: Readonly<Record<string, LoadPredictorEntry>>
  readonly backendVersions: Readonly<Record<string, string>>
  readonly compat: readonly Compat[]
}

/** Stands in when nothing is left to search, since an optimiser needs a dimension. */
const NOTHING_TO_SEARCH: Parameter = { name: 'only', kind: 'categorical', values: ['only'] }

/** Turns an enumerated deployment mode into a study: its parameters, and how a suggestion becomes a candidate. */
export function candidateBranch(options: CandidateBranchOptions): Branch {
  const { config, enumerated } = options
  const projector = createProjector(enumerated.pool)
  const encoding = knobParameters(config, enumerated.deploymentMode, {
    backends: enumerated.backends,
    policies: options.policies,
    compat: options.compat,
  })
  const searched = [...projector.space.searched, ...encoding.parameters]
  return {
    mode: enumerated.deploymentMode,
    parameters: searched.length === 0 ? [NOTHING_TO_SEARCH] : searched,
    realise(parameters) {
      const selection = selectionFromParameters(encoding, parameters)
      const projected = projector.project(parameters, selection.backend)
      if (projected === null) {
        return {
          kind: 'unsupported',
          projection: null,
          plan: null,
          usedGpus: null,
          key: contentHash(['unsupported', selection]),
          code: 'backend-unsupported',
          message: `${selection.backend} runs no ${enumerated.deploymentMode} configuration`,
        }
      }
      const sample: Record<string, unknown> = {
        ...unrollSample({
          searchSpace: config.search_space,
          selection,
          parallelConfig: projected.config,
          loadPredictors: options.predictors,
        }),
        backend_version: options.backendVersions[selection.backend],
      }
      const { requested, actual, distance, modeMismatches } = projected
      const projection = { requested, actual, distance, mode_mismatches: modeMismatches }
      return checked(options, sample, projected.config, projection, selection.kv_load_ratio)
    },
  }
}

/** The candidate, or why it cannot work: GPUs, memory, or the load it has to hold. */
function checked(
  options: CandidateBranchOptions,
  sample: Record<string, unknown>,
  config: ParallelConfig,
  projection: unknown,
  kvLoadRatio: number | undefined,
): Realised {
  const { workload, search_space: space } = options.config
  const gpus = usedGpus(config)
  const refuse = (plan: EvaluationPlan, code: string, message: string): Realised => ({
    kind: 'infeasible',
    projection,
    plan,
    usedGpus: gpus,
    key: keyOf(plan),
    code,
    message,
  })
  if (gpus > space.gpu_budget) return refuse(sample, 'over-gpu-budget', `needs ${gpus} GPUs of ${space.gpu_budget}`)

  const figures: Partial<Record<Role, RoleKvFigures>> = {}
  for (const role of rolesOf(sample)) {
    const estimate = roleKvEstimate(options.subject, sample, role)
    const tokens = estimate.totalKvSizeTokens
    if (!estimate.feasible || tokens === null)
      return refuse(
        sample,
        estimate.reason?.code ?? 'no-kv-budget',
        `${role}: ${estimate.reason?.message ?? 'no KV cache fits'}`,
      )
    const needed = tokensNeeded(options.config, options.subject.model.contextLength)
    if (!options.compat.includes('aic-0.11') && tokens < needed)
      return refuse(
        sample,
        'kv-does-not-fit',
        `the ${role} KV cache holds ${tokens} tokens of the ${needed} one sequence needs`,
      )
    figures[role] = { perRankTokens: tokens, blockSize: Number(sample[`${role}_block_size`]) }
  }
  if (kvLoadRatio === undefined || workload.isl === null || workload.osl === null) {
    const plan = workload.concurrency === null ? sample : { ...sample, concurrency: workload.concurrency }
    return { kind: 'candidate', projection, plan, usedGpus: gpus, key: keyOf(plan) }
  }
  const load = resolveKvLoad({ ratio: kvLoadRatio, isl: workload.isl, osl: workload.osl, config, figures })
  if (!load.feasible) return refuse({ ...sample, kv_load_ratio: kvLoadRatio }, load.code, load.message)
  const fields: KvLoadFields = load.fields
  const plan = { ...sample, ...fields }
  return { kind: 'candidate', projection, plan, usedGpus: gpus, key: keyOf(plan) }
}

/** Tokens the cache of one rank has to hold: more than the longest sequence, and no fewer than a request of the load. */
function tokensNeeded({ search_space: space, workload }: SpicaConfig, modelContext: number): number {
  return Math.max((space.context_length ?? modelContext) + 1, (workload.isl ?? 0) + (workload.osl ?? 0))
}

/** What decides a result: the sample, but not the share of the KV load, of which only its concurrency counts. */
function keyOf(plan: EvaluationPlan): string {
  const { kv_load_ratio: ratio, ...rest } = plan
  return contentHash('concurrency' in plan ? rest : { ...rest, kv_load_ratio: ratio ?? null })
}
