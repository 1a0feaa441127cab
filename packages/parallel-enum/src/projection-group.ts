import type { WorkerShape } from '@spica/schema/core'
import { gpusPerWorker } from '@spica/schema/core'
import { attentionMode, ffnMode } from './latent-space.js'
import { type ParallelPool, unitGpus } from './parallel-pool.js'
import { shapeName } from './worker-shapes.js'

/**
 * The rows of a pool that differ in replicas only: same shapes in each role, same backends. So all of them have the
 * same engine sizes and modes, and a row is a point (used GPUs, first role's GPUs).
 */
export interface ProjectionGroup {
  readonly backendMask: number
  /** log2 of the GPUs per worker of the first role and of decode (0 for aggregated pools). */
  readonly logSizes: readonly [number, number]
  /** Attention mode per role, then feed-forward mode per role. */
  readonly modes: readonly string[]
  /** Distinct numbers of used GPUs, ascending, and the same over the budget. */
  readonly used: Int32Array
  readonly ratios: Float64Array
  /** Rows with `used[k]` are `offsets[k]` … `offsets[k + 1] − 1`, sorted by GPUs of the first role. */
  readonly offsets: Int32Array
  /** First role's share of the used GPUs per row; 1 in aggregated pools. */
  readonly shares: Float64Array
  /** Pool index per row. */
  readonly rows: Int32Array
}

/** Cuts a pool into groups, in order of first appearance. O(rows), plus a sort where rows are out of order. */
export function groupRows(pool: ParallelPool): ProjectionGroup[] {
  const { units, first, second, backendMask } = pool.columns
  const shapeIds = new Map<string, number>()
  const shapeOfUnit = units.map((unit) => {
    const key = shapeName(unit)
    const known = shapeIds.get(key) ?? shapeIds.size
    shapeIds.set(key, known)
    return known
  })
  const members = new Map<number, number[]>()
  for (let i = 0; i < pool.size; i++) {
    const other = second === null ? 0 : shapeOfUnit[second[i]!]!
    const key = (shapeOfUnit[first[i]!]! * shapeIds.size + other) * 256 + backendMask[i]!
    const rows = members.get(key)
    if (rows === undefined) members.set(key, [i])
    else rows.push(i)
  }
  const gpus = Int32Array.from(units, unitGpus)
  return [...members.values()].map((rows) => buildGroup(pool, rows, gpus))
}

function buildGroup(pool: ParallelPool, members: number[], gpus: Int32Array): ProjectionGroup {
  const { units, first, second, backendMask } = pool.columns
  const firstGpus = (row: number): number => gpus[first[row]!]!
  const usedGpus = (row: number): number => firstGpus(row) + (second === null ? 0 : gpus[second[row]!]!)
  const rows = Int32Array.from(members).sort(
    (a, b) => usedGpus(a) - usedGpus(b) || firstGpus(a) - firstGpus(b) || a - b,
  )
  const used: number[] = []
  const offsets: number[] = []
  const shares = new Float64Array(rows.length)
  rows.forEach((row, k) => {
    const total = usedGpus(row)
    if (used.length === 0 || used[used.length - 1] !== total) {
      used.push(total)
      offsets.push(k)
    }
    shares[k] = firstGpus(row) / total
  })
  offsets.push(rows.length)
  const shapes: WorkerShape[] = [units[first[rows[0]!]!]!]
  if (second !== null) shapes.push(units[second[rows[0]!]!]!)
  return {
    backendMask: backendMask[rows[0]!]!,
    logSizes: [Math.log2(gpusPerWorker(shapes[0]!)), shapes.length > 1 ? Math.log2(gpusPerWorker(shapes[1]!)) : 0],
    modes: [...shapes.map(attentionMode), ...shapes.map(ffnMode)],
    used: Int32Array.from(used),
    ratios: Float64Array.from(used, (total) => total / pool.gpuBudget),
    offsets: Int32Array.from(offsets),
    shares,
    rows,
  }
}
