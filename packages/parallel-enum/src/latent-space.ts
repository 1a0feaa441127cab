import type { ParallelConfig, Parameter, ReplicatedShape, WorkerShape } from '@spica/schema/core'
import { gpusPerWorker, usedGpus } from '@spica/schema/core'
import type { ParallelPool } from './parallel-pool.js'

/**
 * Coordinates of a configuration that an optimiser can reason about.
 * `used_gpu_ratio`: GPUs used over the budget. `prefill_gpu_share`: prefill GPUs over GPUs used.
 * `…_num_gpus_per_engine_target`: GPUs per worker. `…_attention_mode`: `tp` or `dp`. `…_ffn_mode`: `ep` or `tp`.
 */
export type LatentName =
  | 'used_gpu_ratio'
  | 'prefill_gpu_share'
  | `${'agg' | 'prefill' | 'decode'}_${'num_gpus_per_engine_target' | 'attention_mode' | 'ffn_mode'}`

export type LatentValues = Readonly<Partial<Record<LatentName, number | string>>>

/** What an optimiser suggests; absent names take their default, other names are ignored. */
export type LatentRequest = Readonly<Record<string, unknown>>

export interface LatentSpace {
  /** Every coordinate of this pool with its range and default, in upstream's order. */
  readonly all: readonly Parameter[]
  /** Those with more than one value: what an optimiser searches. Empty for a pool of one configuration. */
  readonly searched: readonly Parameter[]
  /** Values of the others. */
  readonly constants: LatentValues
  /** Whether `…_ffn_mode` exists: some configuration spreads or splits experts. */
  readonly hasFfnMode: boolean
}

export function attentionMode(shape: WorkerShape): 'tp' | 'dp' {
  return shape.attentionDp > 1 ? 'dp' : 'tp'
}

export function ffnMode(shape: WorkerShape): 'ep' | 'tp' {
  return shape.moeEp > 1 ? 'ep' : 'tp'
}

/** The roles of a configuration and its workers in them, prefill before decode. */
export function rolesIn(config: ParallelConfig): readonly ['agg' | 'prefill' | 'decode', ReplicatedShape][] {
  if (config.mode === 'agg') return [['agg', config.agg]]
  return [
    ['prefill', config.prefill],
    ['decode', config.decode],
  ]
}

/** Coordinates of one configuration. */
export function latentFeatures(config: ParallelConfig, gpuBudget: number, hasFfnMode: boolean): LatentValues {
  const used = usedGpus(config)
  const values: Partial<Record<LatentName, number | string>> = { used_gpu_ratio: used / gpuBudget }
  if (config.mode === 'disagg') {
    values.prefill_gpu_share = (gpusPerWorker(config.prefill) * config.prefill.replicas) / used
  }
  for (const [role, shape] of rolesIn(config)) {
    values[`${role}_num_gpus_per_engine_target`] = gpusPerWorker(shape)
    values[`${role}_attention_mode`] = attentionMode(shape)
    if (hasFfnMode) values[`${role}_ffn_mode`] = ffnMode(shape)
  }
  return values
}

/** Ranges of the coordinates over a whole pool, all backends together. */
export function createLatentSpace(pool: ParallelPool): LatentSpace {
  const { units, first, second } = pool.columns
  const gpus = units.map((unit) => gpusPerWorker(unit) * unit.replicas)
  const used = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
  const share = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
  const seenFirst = new Uint8Array(units.length)
  const seenSecond = new Uint8Array(units.length)
  for (let i = 0; i < pool.size; i++) {
    const own = gpus[first[i]!]!
    seenFirst[first[i]!] = 1
    if (second === null) {
      widen(used, own)
      continue
    }
    const total = own + gpus[second[i]!]!
    seenSecond[second[i]!] = 1
    widen(used, total)
    widen(share, own / total)
  }
  const firstUnits = units.filter((_, k) => seenFirst[k] === 1)
  const secondUnits = units.filter((_, k) => seenSecond[k] === 1)
  const roles: [string, ReplicatedShape[]][] =
    second === null
      ? [['agg', firstUnits]]
      : [
          ['prefill', firstUnits],
          ['decode', secondUnits],
        ]
  const hasFfnMode = [...firstUnits, ...secondUnits].some((unit) => unit.moeTp > 1 || unit.moeEp > 1)

  const all: Parameter[] = [ratioParameter('used_gpu_ratio', used.min / pool.gpuBudget, used.max / pool.gpuBudget, 1)]
  if (second !== null) all.push(ratioParameter('prefill_gpu_share', share.min, share.max, 0.5))
  for (const [role, shapes] of roles) all.push(engineSizeParameter(`${role}_num_gpus_per_engine_target`, shapes))
  for (const [role, shapes] of roles)
    all.push(modeParameter(`${role}_attention_mode`, ['tp', 'dp'], shapes.map(attentionMode)))
  if (hasFfnMode) {
    for (const [role, shapes] of roles) all.push(modeParameter(`${role}_ffn_mode`, ['ep', 'tp'], shapes.map(ffnMode)))
  }
  const searched = all.filter((parameter) => !isConstant(parameter))
  const constants = Object.fromEntries(
    all.filter(isConstant).map((parameter) => [parameter.name, parameter.default as number | string]),
  )
  return { all, searched, constants, hasFfnMode }
}

function widen(range: { min: number; max: number }, value: number): void {
  if (value < range.min) range.min = value
  if (value > range.max) range.max = value
}

function isConstant(parameter: Parameter): boolean {
  return 'values' in parameter ? parameter.values.length === 1 : parameter.min === parameter.max
}

function ratioParameter(name: string, min: number, max: number, preferred: number): Parameter {
  return { name, kind: 'float', min, max, default: Math.min(max, Math.max(min, preferred)) }
}

function engineSizeParameter(name: string, shapes: readonly ReplicatedShape[]): Parameter {
  const values = [...new Set(shapes.map(gpusPerWorker))].sort((a, b) => a - b)
  return { name, kind: 'discrete', values, scale: 'log', default: middleSize(values) }
}

/**
 * Neighbouring sizes of which the smaller is taken when the mean is halfway; of all others the larger. Upstream means
 * to take the smaller always but compares rounded logarithms, which agree only in these cases.
 */
const TIES_GOING_DOWN: readonly string[] = ['1 4', '1 16', '4 16', '8 16']

/** The size nearest to the geometric mean of the extremes on a logarithmic scale, compared without logarithms. */
function middleSize(values: readonly number[]): number {
  const square = values[0]! * values[values.length - 1]!
  return values.reduce((best, value) => {
    // `best` < `value`; the mean is nearer to `value` when mean² exceeds the product of the two.
    const product = best * value
    if (square === product) return TIES_GOING_DOWN.includes(`${best} ${value}`) ? best : value
    return square > product ? value : best
  })
}

function modeParameter(name: string, menu: readonly string[], seen: readonly string[]): Parameter {
  const values = menu.filter((mode) => seen.includes(mode))
  return { name, kind: 'categorical', values, default: values[0]! }
}
