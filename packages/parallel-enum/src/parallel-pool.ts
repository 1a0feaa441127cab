import type { Backend, DeploymentMode, ParallelConfig, ReplicatedShape } from '@spica/schema/core'
import { gpusPerWorker, SpicaError } from '@spica/schema/core'

/** The pool as columns, one row per configuration: what projection works on. */
export interface PoolColumns {
  /** The distinct replicated shapes that rows refer to. */
  readonly units: readonly ReplicatedShape[]
  /** Index into `units` of the aggregated or the prefill workers. */
  readonly first: Int32Array
  /** Index into `units` of the decode workers; null for aggregated pools. */
  readonly second: Int32Array | null
  /** Bit k is set when the k-th of `backends` can run the row. */
  readonly backendMask: Uint8Array
}

/** All legal configurations of one deployment mode, in a fixed order. Rows are made on demand: pools can be large. */
export interface ParallelPool extends Iterable<ParallelConfig> {
  readonly mode: DeploymentMode
  readonly gpuBudget: number
  /** Backends in the order given; bit k of a mask stands for the k-th. Some may support no row. */
  readonly backends: readonly Backend[]
  readonly size: number
  readonly columns: PoolColumns
  /** Throws a `RangeError` outside 0 … size − 1. */
  at(index: number): ParallelConfig
  /** Backends that can run this configuration. */
  backendsAt(index: number): readonly Backend[]
  /** Number of configurations that a backend can run. */
  supportCount(backend: Backend): number
}

/** A pool over given columns. */
export function poolFromColumns(
  mode: DeploymentMode,
  gpuBudget: number,
  backends: readonly Backend[],
  columns: PoolColumns,
): ParallelPool {
  const { units, first, second, backendMask } = columns
  const size = first.length
  const counts = new Map<Backend, number>(backends.map((backend) => [backend, 0]))
  const countByMask = new Array<number>(256).fill(0)
  for (let i = 0; i < size; i++) countByMask[backendMask[i]!]!++
  countByMask.forEach((count, mask) => {
    for (const backend of unpackMask(mask, backends)) counts.set(backend, (counts.get(backend) ?? 0) + count)
  })

  function at(index: number): ParallelConfig {
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`no configuration ${index} in a pool of ${size}`)
    }
    if (second === null) return { mode: 'agg', agg: units[first[index]!]! }
    return { mode: 'disagg', prefill: units[first[index]!]!, decode: units[second[index]!]! }
  }

  return {
    mode,
    gpuBudget,
    backends,
    size,
    columns,
    at,
    backendsAt: (index) => unpackMask(backendMask[index] ?? 0, backends),
    supportCount: (backend) => counts.get(backend) ?? 0,
    *[Symbol.iterator]() {
      for (let i = 0; i < size; i++) yield at(i)
    },
  }
}

/** One configuration with the backends that can run it. */
export interface SupportedConfig {
  readonly config: ParallelConfig
  readonly backends: readonly Backend[]
}

/** A pool of listed configurations of one mode, in the given order. */
export function poolFromConfigs(
  mode: DeploymentMode,
  gpuBudget: number,
  backends: readonly Backend[],
  entries: readonly SupportedConfig[],
): ParallelPool {
  const units: ReplicatedShape[] = []
  const unitIndex = new Map<string, number>()
  function indexOf(unit: ReplicatedShape): number {
    const key = shapeTuple(unit).join(' ')
    const known = unitIndex.get(key)
    if (known !== undefined) return known
    unitIndex.set(key, units.length)
    return units.push(unit) - 1
  }
  const first = new Int32Array(entries.length)
  const second = mode === 'disagg' ? new Int32Array(entries.length) : null
  const backendMask = new Uint8Array(entries.length)
  entries.forEach(({ config, backends: supported }, i) => {
    if (config.mode !== mode) throw modeMismatch(config.mode, mode)
    backendMask[i] = supported.reduce((mask, backend) => mask | bitOf(backend, backends), 0)
    first[i] = indexOf(config.mode === 'agg' ? config.agg : config.prefill)
    if (second !== null && config.mode === 'disagg') second[i] = indexOf(config.decode)
  })
  return poolFromColumns(mode, gpuBudget, backends, { units, first, second, backendMask })
}

function bitOf(backend: Backend, backends: readonly Backend[]): number {
  const bit = backends.indexOf(backend)
  if (bit >= 0) return 1 << bit
  throw new SpicaError('internal', 'unlisted-backend', `a configuration names ${backend}, which the pool does not list`)
}

function modeMismatch(found: DeploymentMode, wanted: DeploymentMode): SpicaError {
  return new SpicaError('internal', 'mode-mismatch', `a ${found} configuration cannot be in a ${wanted} pool`)
}

/** Backends of the set bits, in list order. */
export function unpackMask(mask: number, backends: readonly Backend[]): Backend[] {
  return backends.filter((_, k) => ((mask >> k) & 1) === 1)
}

/** `[tp, attention_dp, moe_tp, moe_ep, replicas]`. */
export function shapeTuple(shape: ReplicatedShape): [number, number, number, number, number] {
  return [shape.tp, shape.attentionDp, shape.moeTp, shape.moeEp, shape.replicas]
}

/** {@link shapeTuple} of the workers, prefill before decode: 5 or 10 numbers. */
export function configTuple(config: ParallelConfig): number[] {
  if (config.mode === 'agg') return shapeTuple(config.agg)
  return [...shapeTuple(config.prefill), ...shapeTuple(config.decode)]
}

/** GPUs of all replicas of one role. */
export function unitGpus(unit: ReplicatedShape): number {
  return gpusPerWorker(unit) * unit.replicas
}
