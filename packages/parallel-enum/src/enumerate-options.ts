import type { Backend, Compat, ConfigIssue, DeploymentMode } from '@spica/schema/core'
import { SpicaConfigError } from '@spica/schema/core'
import type { GpuBand } from './enumerate-pool.js'
import type { RuleSet } from './shape-check.js'
import type { StructureContext } from './structure-rules.js'
import type { MoeBackend } from './worker-shapes.js'

/** Why a backend cannot be used in a mode. */
export interface ExclusionReason {
  /** Kebab-case, e.g. `missing-perf-database`. */
  readonly code: string
  readonly message: string
}

export interface EnumerateOptions {
  /** One branch each, duplicates collapsed. */
  readonly deploymentModes: readonly DeploymentMode[]
  /** Duplicates collapsed. */
  readonly backends: readonly Backend[]
  /** Whether the model has routed experts: all that is known of the model here. */
  readonly isMoe: boolean
  /** GPUs a deployment may use at most. */
  readonly gpuBudget: number
  /** GPUs a deployment has to use at least. @defaultValue null: no lower bound */
  readonly minGpuBudget?: number | null | undefined
  /** Entries of `parallel_configs`, unparsed. @defaultValue []: enumerate everything */
  readonly pins?: readonly unknown[] | undefined
  /** Rules on model, backend and memory. @defaultValue null: every shape passes */
  readonly ruleSet?: RuleSet | null | undefined
  /** Backends that cannot be used for reasons outside the shapes. @defaultValue none */
  readonly exclude?: ((mode: DeploymentMode, backend: Backend) => ExclusionReason | null) | undefined
  /** `aic-0.11` leaves out MoE workers on one GPU, `dynamo-1.4` TensorRT-LLM in disaggregated mode. @defaultValue [] */
  readonly compat?: readonly Compat[] | undefined
  /** @defaultValue null */
  readonly moeBackend?: MoeBackend | null | undefined
  /** Whether experts may be split over GPUs. @defaultValue true */
  readonly allowMoePureTp?: boolean | undefined
  /** Refuse larger pools before building them. @defaultValue 20,000,000 */
  readonly maxConfigs?: number | undefined
}

export interface ResolvedEnumerateOptions {
  readonly modes: readonly DeploymentMode[]
  readonly backends: readonly Backend[]
  readonly band: GpuBand
  readonly pins: readonly unknown[]
  readonly ruleSet: RuleSet | null
  readonly structure: Omit<StructureContext, 'backend'>
  readonly exclude: (mode: DeploymentMode, backend: Backend) => ExclusionReason | null
  readonly maxConfigs: number
}

/** Fills in defaults and refuses budgets and lists that make no sense. */
export function resolveEnumerateOptions(options: EnumerateOptions): ResolvedEnumerateOptions {
  const compat = new Set(options.compat ?? [])
  const { gpuBudget } = options
  const minGpuBudget = options.minGpuBudget ?? null
  const pins = options.pins ?? []
  const issues: ConfigIssue[] = []
  const complain = (field: string, message: string): void => {
    issues.push({ code: 'invalid-value', message, location: { path: `search_space.${field}` } })
  }
  if (!Number.isSafeInteger(gpuBudget) || gpuBudget < 1) {
    complain('gpu_budget', `expected an integer of at least 1, found ${gpuBudget}`)
  }
  if (
    minGpuBudget !== null &&
    !(Number.isSafeInteger(minGpuBudget) && minGpuBudget >= 1 && minGpuBudget <= gpuBudget)
  ) {
    complain('min_gpu_budget', `expected an integer from 1 to gpu_budget (${gpuBudget}), found ${minGpuBudget}`)
  }
  if (options.deploymentModes.length === 0) complain('deployment_mode', 'expected at least one deployment mode')
  if (options.backends.length === 0) complain('backend', 'expected at least one backend')
  if (pins.length > 0 && options.deploymentModes.length !== 1) {
    complain('parallel_configs', 'listed configurations need exactly one deployment_mode')
  }
  if (issues.length > 0) throw new SpicaConfigError(issues)
  return {
    modes: [...new Set(options.deploymentModes)],
    backends: [...new Set(options.backends)],
    band: { min: minGpuBudget ?? 1, max: gpuBudget },
    pins,
    ruleSet: options.ruleSet ?? null,
    structure: {
      isMoe: options.isMoe,
      gpuBudget,
      moeBackend: options.moeBackend ?? null,
      allowMoePureTp: options.allowMoePureTp ?? true,
      singleGpuMoe: !compat.has('aic-0.11'),
    },
    exclude: (mode, backend) => {
      if (compat.has('dynamo-1.4') && mode === 'disagg' && backend === 'trtllm') {
        return {
          code: 'disagg-not-replayable',
          message: 'disaggregated TensorRT-LLM is left out under compat dynamo-1.4, which cannot replay it',
        }
      }
      return options.exclude?.(mode, backend) ?? null
    },
    maxConfigs: options.maxConfigs ?? 20_000_000,
  }
}
