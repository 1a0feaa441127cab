import type { Backend, DeploymentMode, ParallelConfig, ReplicatedShape, Role } from '@spica/schema/core'
import { SpicaConfigError, SpicaError, usedGpus } from '@spica/schema/core'
import type { ResolvedEnumerateOptions } from './enumerate-options.js'
import { configTuple, type ParallelPool, poolFromConfigs, type SupportedConfig } from './parallel-pool.js'
import { parsePins } from './pins.js'
import { explainShape, firstRejection, type ShapeCheck } from './shape-check.js'
import { NO_VIABLE_PARALLEL_CONFIG } from './skipped.js'

export interface PinnedPool {
  readonly pool: ParallelPool
  readonly checks: readonly ShapeCheck[]
}

/**
 * A pool of the configurations that the user listed, repeated ones once. Each has to be legal for at least one of the
 * backends: a list with a line that can never run is a mistake, not a wish.
 */
export function pinnedPool(
  mode: DeploymentMode,
  backends: readonly Backend[],
  options: ResolvedEnumerateOptions,
): PinnedPool {
  const { configs, issues } = parsePins(mode, options.pins)
  if (issues.length > 0) throw new SpicaConfigError(issues)
  const checks: ShapeCheck[] = []
  const entries: SupportedConfig[] = []
  const refusals: string[] = []
  const seen = new Set<string>()
  configs.forEach((config, i) => {
    const key = configTuple(config).join(' ')
    if (seen.has(key)) return
    seen.add(key)
    const reasons: string[] = []
    const supported = backends.filter((backend) => {
      const reason = refusalOn(backend, config, options, checks)
      if (reason !== null) reasons.push(`${backend}: ${reason}`)
      return reason === null
    })
    if (supported.length === 0)
      refusals.push(...reasons.map((reason) => `search_space.parallel_configs[${i}]: ${reason}`))
    else entries.push({ config, backends: supported })
  })
  if (refusals.length > 0) {
    const message = ['no backend can run a listed parallel configuration', ...refusals.map((line) => `  ${line}`)].join(
      '\n',
    )
    throw new SpicaError('empty', NO_VIABLE_PARALLEL_CONFIG, message, {
      location: { path: 'search_space.parallel_configs' },
      details: { refusals },
    })
  }
  return { pool: poolFromConfigs(mode, options.band.max, backends, entries), checks }
}

function refusalOn(
  backend: Backend,
  config: ParallelConfig,
  options: ResolvedEnumerateOptions,
  checks: ShapeCheck[],
): string | null {
  const roles: [Role, ReplicatedShape][] =
    config.mode === 'agg'
      ? [['agg', config.agg]]
      : [
          ['prefill', config.prefill],
          ['decode', config.decode],
        ]
  for (const [role, { tp, attentionDp, moeTp, moeEp }] of roles) {
    const check = explainShape({ tp, attentionDp, moeTp, moeEp }, backend, role, options.structure, options.ruleSet)
    checks.push(check)
    const rejection = firstRejection(check)
    if (rejection !== null) return role === 'agg' ? rejection.message : `${role}: ${rejection.message}`
  }
  const gpus = usedGpus(config)
  const { min, max } = options.band
  if (gpus > max) return `it uses ${gpus} GPUs, gpu_budget is ${max}`
  if (gpus < min) return `it uses ${gpus} GPUs, min_gpu_budget is ${min}`
  return null
}
