import type { Backend, ParallelConfig } from '@spica/schema'
import { gpusPerWorker, usedGpus } from '@spica/schema'
import { configTuple, createLatentSpace, type LatentRequest, latentFeatures, type ParallelPool } from '../src/index.js'

/** Projection by the definition: compare every configuration that the backend can run. */
export function projectByScan(
  pool: ParallelPool,
  request: LatentRequest,
  backend: Backend,
): { index: number; distance: number; mismatches: number } | null {
  const space = createLatentSpace(pool)
  const requested = Object.fromEntries(
    space.all.map((parameter) => [parameter.name, request[parameter.name] ?? parameter.default]),
  ) as Record<string, number | string>
  const own: number[] = []
  for (let i = 0; i < pool.size; i++) if (pool.backendsAt(i).includes(backend)) own.push(i)
  if (own.length === 0) return null
  const features = own.map((i) => numericFeatures(pool.at(i), pool.gpuBudget))
  const target = numericRequest(requested, pool.mode === 'disagg')
  const spans = target.map((_, j) => maximum(features, j) - minimum(features, j))
  const modes = Object.keys(requested).filter((name) => name.endsWith('_mode'))
  let best: { index: number; distance: number; mismatches: number } | null = null
  own.forEach((index, k) => {
    const actual = latentFeatures(pool.at(index), pool.gpuBudget, space.hasFfnMode) as Record<string, number | string>
    const mismatches = modes.filter((name) => actual[name] !== requested[name]).length
    let distance = 0
    target.forEach((value, j) => {
      const span = spans[j]!
      if (span !== 0) distance += ((value - features[k]![j]!) / span) ** 2
    })
    const better =
      best === null ||
      mismatches < best.mismatches ||
      (mismatches === best.mismatches &&
        (distance < best.distance || (distance === best.distance && tupleBefore(pool.at(index), pool.at(best.index)))))
    if (better) best = { index, distance, mismatches }
  })
  return best
}

function numericFeatures(config: ParallelConfig, gpuBudget: number): number[] {
  const used = usedGpus(config)
  if (config.mode === 'agg') return [used / gpuBudget, Math.log2(gpusPerWorker(config.agg))]
  return [
    used / gpuBudget,
    (gpusPerWorker(config.prefill) * config.prefill.replicas) / used,
    Math.log2(gpusPerWorker(config.prefill)),
    Math.log2(gpusPerWorker(config.decode)),
  ]
}

function numericRequest(requested: Record<string, number | string>, disagg: boolean): number[] {
  const number = (name: string): number => requested[name] as number
  if (!disagg) return [number('used_gpu_ratio'), Math.log2(number('agg_num_gpus_per_engine_target'))]
  return [
    number('used_gpu_ratio'),
    number('prefill_gpu_share'),
    Math.log2(number('prefill_num_gpus_per_engine_target')),
    Math.log2(number('decode_num_gpus_per_engine_target')),
  ]
}

function minimum(rows: number[][], j: number): number {
  return rows.reduce((least, row) => Math.min(least, row[j]!), Number.POSITIVE_INFINITY)
}

function maximum(rows: number[][], j: number): number {
  return rows.reduce((most, row) => Math.max(most, row[j]!), Number.NEGATIVE_INFINITY)
}

function tupleBefore(a: ParallelConfig, b: ParallelConfig): boolean {
  const [left, right] = [configTuple(a), configTuple(b)]
  const j = left.findIndex((value, k) => value !== right[k])
  return j >= 0 && left[j]! < right[j]!
}
