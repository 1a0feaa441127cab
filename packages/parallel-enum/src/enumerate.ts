import type { Backend, DeploymentMode } from '@spica/schema/core'
import { type EnumerateOptions, type ResolvedEnumerateOptions, resolveEnumerateOptions } from './enumerate-options.js'
import { enumeratePool } from './enumerate-pool.js'
import { explainEmptyBackend, feasibleShapes } from './feasible-shapes.js'
import type { ParallelPool } from './parallel-pool.js'
import { pinnedPool } from './pinned-pool.js'
import type { ShapeCheck } from './shape-check.js'
import { noViableParallelConfig, type SkippedMode } from './skipped.js'

/** One deployment mode that has configurations: the cell a study searches. */
export interface Branch {
  readonly deploymentMode: DeploymentMode
  /** Backends with at least one configuration, in the order given. */
  readonly backends: readonly Backend[]
  readonly pool: ParallelPool
  /** What the rules said about each shape, with their numbers. */
  readonly checks: readonly ShapeCheck[]
}

export interface Enumeration {
  /** In the order of the deployment modes; never empty. */
  readonly branches: readonly Branch[]
  readonly skipped: readonly SkippedMode[]
}

/**
 * Every legal parallel configuration, per deployment mode.
 *
 * Throws a `SpicaConfigError` for budgets or pins that are malformed, and a `SpicaError` with code
 * `no-viable-parallel-config` (kind `empty`) when no mode has a configuration or a pin is legal on no backend.
 */
export function enumerate(options: EnumerateOptions): Enumeration {
  const resolved = resolveEnumerateOptions(options)
  const branches: Branch[] = []
  const skipped: SkippedMode[] = []
  for (const mode of resolved.modes) {
    const branch = enumerateMode(mode, resolved, skipped)
    if (branch !== null) branches.push(branch)
  }
  if (branches.length === 0) throw noViableParallelConfig(skipped)
  return { branches, skipped }
}

function enumerateMode(mode: DeploymentMode, options: ResolvedEnumerateOptions, skipped: SkippedMode[]): Branch | null {
  const backends = options.backends.filter((backend) => {
    const reason = options.exclude(mode, backend)
    if (reason !== null) skipped.push({ deploymentMode: mode, backend, ...reason })
    return reason === null
  })
  if (backends.length === 0) return null
  if (mode === 'disagg' && options.band.max < 2 && options.pins.length === 0) {
    const message = 'a prefill and a decode worker need at least 2 GPUs'
    skipped.push({ deploymentMode: mode, backend: null, code: 'budget-too-small', message })
    return null
  }
  const { pool, checks } =
    options.pins.length > 0 ? pinnedPool(mode, backends, options) : build(mode, backends, options)
  const usable = backends.filter((backend) => {
    if (pool.supportCount(backend) > 0) return true
    skipped.push({ deploymentMode: mode, backend, ...explainEmptyBackend(mode, backend, checks, options) })
    return false
  })
  return usable.length === 0 ? null : { deploymentMode: mode, backends: usable, pool, checks }
}

function build(
  mode: DeploymentMode,
  backends: readonly Backend[],
  options: ResolvedEnumerateOptions,
): { pool: ParallelPool; checks: readonly ShapeCheck[] } {
  const { shapes, checks } = feasibleShapes(mode, backends, options)
  return { pool: enumeratePool(mode, shapes, options.band, backends, options.maxConfigs), checks }
}
