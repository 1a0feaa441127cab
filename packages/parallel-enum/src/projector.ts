import type { Backend, ParallelConfig, Parameter } from '@spica/schema/core'
import { SpicaError } from '@spica/schema/core'
import { groupBound, type Incumbent, type NumericRequest, searchGroup } from './group-search.js'
import {
  createLatentSpace,
  type LatentName,
  type LatentRequest,
  type LatentSpace,
  type LatentValues,
  latentFeatures,
} from './latent-space.js'
import { type ParallelPool, shapeTuple } from './parallel-pool.js'
import { groupRows, type ProjectionGroup } from './projection-group.js'

/** The configuration a request stands for. */
export interface Projection {
  /** Index in the pool. */
  readonly index: number
  readonly config: ParallelConfig
  /** Squared distance over the numeric coordinates, each scaled by its span over the backend's configurations. */
  readonly distance: number
  /** How many requested modes the configuration does not have. */
  readonly modeMismatches: number
  /** The request with its defaults filled in. */
  readonly requested: LatentValues
  /** Coordinates of the configuration. */
  readonly actual: LatentValues
}

export interface Projector {
  readonly space: LatentSpace
  /**
   * The nearest configuration that the backend can run: fewest mode mismatches, then the smallest distance, then the
   * smallest tuple (tp, attention_dp, moe_tp, moe_ep, replicas), prefill before decode. Null when the backend can run none.
   */
  project(request: LatentRequest, backend: Backend): Projection | null
}

interface BackendView {
  readonly groups: readonly ProjectionGroup[]
  readonly ratioSpan: number
  readonly shareSpan: number
  readonly logSizeSpans: readonly [number, number]
}

/**
 * Prepares a pool for projection. Set-up is O(rows log rows); a projection looks at the groups of equal shapes and at
 * a few rows of the nearest ones, not at the pool, and gives exactly what a scan of all rows would.
 */
export function createProjector(pool: ParallelPool): Projector {
  const space = createLatentSpace(pool)
  const roles = pool.mode === 'agg' ? (['agg'] as const) : (['prefill', 'decode'] as const)
  const modeNames: LatentName[] = roles.map((role) => `${role}_attention_mode` as const)
  if (space.hasFfnMode) modeNames.push(...roles.map((role) => `${role}_ffn_mode` as const))
  const groups = groupRows(pool)
  const views = new Map<Backend, BackendView>()
  pool.backends.forEach((backend, bit) => {
    const own = groups.filter((group) => ((group.backendMask >> bit) & 1) === 1)
    if (own.length > 0) views.set(backend, viewOf(own))
  })

  function project(request: LatentRequest, backend: Backend): Projection | null {
    const view = views.get(backend)
    if (view === undefined) return null
    const requested = resolveRequest(request, space.all)
    const size = (role: string): number =>
      Math.log2(requested[`${role}_num_gpus_per_engine_target` as LatentName] as number)
    const numeric: NumericRequest = {
      ratio: requested.used_gpu_ratio as number,
      share: (requested.prefill_gpu_share ?? 1) as number,
      logSizes: [size(roles[0]), roles.length > 1 ? size('decode') : 0],
      ratioSpan: view.ratioSpan,
      shareSpan: view.shareSpan,
      logSizeSpans: view.logSizeSpans,
    }
    const modes = modeNames.map((name) => requested[name] as string)
    const { nearest, mismatches } = leastMismatched(view.groups, modes)
    const bounded = nearest.map((group) => ({ group, bound: groupBound(group, numeric) }))
    bounded.sort((a, b) => (a.bound < b.bound ? -1 : a.bound > b.bound ? 1 : 0))
    const incumbent: Incumbent = { row: -1, distance: Number.POSITIVE_INFINITY }
    for (const { group, bound } of bounded) {
      if (incumbent.row >= 0 && bound > incumbent.distance) break
      searchGroup(group, numeric, incumbent, (row, other) => isBefore(pool, row, other))
    }
    const config = pool.at(incumbent.row)
    return {
      index: incumbent.row,
      config,
      distance: incumbent.distance,
      modeMismatches: mismatches,
      requested,
      actual: latentFeatures(config, pool.gpuBudget, space.hasFfnMode),
    }
  }

  return { space, project }
}

function viewOf(groups: readonly ProjectionGroup[]): BackendView {
  return {
    groups,
    ratioSpan: spanOf(groups.flatMap(({ ratios }) => [ratios[0]!, ratios[ratios.length - 1]!])),
    shareSpan: spanOf(groups.flatMap(({ shares }) => [...extremes(shares)])),
    logSizeSpans: [spanOf(groups.map((group) => group.logSizes[0])), spanOf(groups.map((group) => group.logSizes[1]))],
  }
}

function extremes(values: Float64Array): [number, number] {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return [min, max]
}

function spanOf(values: readonly number[]): number {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return max - min
}

function leastMismatched(
  groups: readonly ProjectionGroup[],
  modes: readonly string[],
): { nearest: ProjectionGroup[]; mismatches: number } {
  let mismatches = Number.POSITIVE_INFINITY
  let nearest: ProjectionGroup[] = []
  for (const group of groups) {
    let count = 0
    for (let k = 0; k < modes.length; k++) if (modes[k] !== group.modes[k]) count++
    if (count < mismatches) {
      mismatches = count
      nearest = []
    }
    if (count === mismatches) nearest.push(group)
  }
  return { nearest, mismatches }
}

/** Defaults for absent names. Numbers have to be finite and engine sizes positive; a mode nobody has just mismatches. */
function resolveRequest(request: LatentRequest, parameters: readonly Parameter[]): LatentValues {
  const values: Partial<Record<LatentName, number | string>> = {}
  for (const parameter of parameters) {
    const value = request[parameter.name] ?? (parameter.default as number | string)
    const isMode = parameter.kind === 'categorical'
    const usable = isMode
      ? typeof value === 'string'
      : typeof value === 'number' && Number.isFinite(value) && (parameter.kind !== 'discrete' || value > 0)
    if (!usable) {
      const wanted = isMode ? 'text' : parameter.kind === 'discrete' ? 'a positive number' : 'a finite number'
      throw new SpicaError(
        'internal',
        'invalid-latent-request',
        `${parameter.name} is ${String(value)}, expected ${wanted}`,
      )
    }
    values[parameter.name as LatentName] = value as number | string
  }
  return values
}

/** The tie rule: lexicographic order of the shape tuples. */
function isBefore(pool: ParallelPool, row: number, other: number): boolean {
  const { units, first, second } = pool.columns
  for (const column of second === null ? [first] : [first, second]) {
    const a = shapeTuple(units[column[row]!]!)
    const b = shapeTuple(units[column[other]!]!)
    for (let j = 0; j < a.length; j++) if (a[j]! !== b[j]!) return a[j]! < b[j]!
  }
  return false
}
