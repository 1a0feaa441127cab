import type { Backend, DeploymentMode, ReplicatedShape, WorkerShape } from '@spica/schema/core'
import { gpusPerWorker, SpicaError } from '@spica/schema/core'
import { type ParallelPool, poolFromColumns } from './parallel-pool.js'

/** GPUs that a whole deployment may use. */
export interface GpuBand {
  readonly min: number
  readonly max: number
}

/** A shape with the backends that can run it; bit k stands for the k-th backend. */
export interface MaskedShape {
  readonly shape: WorkerShape
  readonly firstMask: number
  /** As decode workers; ignored for aggregated pools. */
  readonly secondMask: number
}

interface ShapeRow extends MaskedShape {
  readonly gpus: number
  readonly maxReplicas: number
  /** Index in `units` of the shape with one replica. */
  readonly unitOffset: number
}

/**
 * Every shape with 1, 2, … replicas, or every ordered pair of such, whose GPUs are in the band.
 *
 * Order: shapes as given, then replicas; for pairs decode runs fastest. Rows that the first backend supports come
 * first, then those that only later backends support, so adding a backend to the end of a list keeps the indices.
 */
export function enumeratePool(
  mode: DeploymentMode,
  shapes: readonly MaskedShape[],
  band: GpuBand,
  backends: readonly Backend[],
  maxConfigs: number,
): ParallelPool {
  const rows = layOutUnits(shapes, band, maxConfigs)
  const size = countRows(mode, rows, band, maxConfigs)
  const units: ReplicatedShape[] = rows.flatMap(({ shape, maxReplicas }) =>
    Array.from({ length: maxReplicas }, (_, k) => ({ ...shape, replicas: k + 1 })),
  )
  const first = new Int32Array(size)
  const second = mode === 'disagg' ? new Int32Array(size) : null
  const backendMask = new Uint8Array(size)
  let at = 0
  for (let bit = 0; bit < backends.length; bit++) {
    visitRows(mode, rows, band, (mask, unit, other, from, to) => {
      if (lowestBit(mask) !== bit) return
      for (let replicas = from; replicas <= to; replicas++, at++) {
        backendMask[at] = mask
        first[at] = second === null ? unit + replicas - 1 : unit
        if (second !== null) second[at] = other + replicas - 1
      }
    })
  }
  return poolFromColumns(mode, band.max, backends, { units, first, second, backendMask })
}

function layOutUnits(shapes: readonly MaskedShape[], band: GpuBand, maxConfigs: number): ShapeRow[] {
  let unitOffset = 0
  return shapes.map((masked) => {
    const gpus = gpusPerWorker(masked.shape)
    const row = { ...masked, gpus, maxReplicas: Math.floor(band.max / gpus), unitOffset }
    unitOffset += row.maxReplicas
    if (unitOffset > maxConfigs) throw poolTooLarge(unitOffset, maxConfigs)
    return row
  })
}

/**
 * Calls back for every run of rows that differ in replicas only: with the common mask, the run's fixed unit (agg: its
 * shape's first unit), the decode shape's first unit, and the inclusive range of replicas.
 */
function visitRows(
  mode: DeploymentMode,
  rows: readonly ShapeRow[],
  band: GpuBand,
  visit: (mask: number, unit: number, other: number, from: number, to: number) => void,
): void {
  for (const row of rows) {
    if (row.firstMask === 0) continue
    if (mode === 'agg') {
      const [from, to] = replicaRange(row.gpus, band.min, band.max)
      if (from <= to) visit(row.firstMask, row.unitOffset, -1, from, to)
      continue
    }
    for (let replicas = 1; replicas <= row.maxReplicas; replicas++) {
      const used = replicas * row.gpus
      for (const other of rows) {
        const mask = row.firstMask & other.secondMask
        if (mask === 0) continue
        const [from, to] = replicaRange(other.gpus, band.min - used, band.max - used)
        if (from <= to) visit(mask, row.unitOffset + replicas - 1, other.unitOffset, from, to)
      }
    }
  }
}

function replicaRange(gpus: number, min: number, max: number): [number, number] {
  return [Math.max(1, Math.ceil(min / gpus)), Math.floor(max / gpus)]
}

function countRows(mode: DeploymentMode, rows: readonly ShapeRow[], band: GpuBand, maxConfigs: number): number {
  let size = 0
  visitRows(mode, rows, band, (_mask, _unit, _other, from, to) => {
    size += to - from + 1
    if (size > maxConfigs) throw poolTooLarge(size, maxConfigs)
  })
  return size
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

function poolTooLarge(size: number, maxConfigs: number): SpicaError {
  return new SpicaError('input', 'pool-too-large', `the GPU budget allows at least ${size} configurations`, {
    hint: `lower gpu_budget, raise min_gpu_budget or list parallel_configs; the limit is ${maxConfigs} configurations`,
    details: { configs: size, maxConfigs },
  })
}
