import type { Backend, HardwareSpec } from '@spica/schema'
import type { DecodeAttentionCoefficients, PrefillAttentionCoefficients } from './attention-timer.js'
import type { CollectiveCoefficients } from './collective-timer.js'
import type { ExpertsCoefficients } from './experts-timer.js'
import type { GemmCoefficients } from './gemm-timer.js'
import { gpuGeneration } from './gpu-figures.js'
import type { LatentDecodeCoefficients, LatentPrefillCoefficients } from './latent-timer.js'
import type { SparseLatentDecodeCoefficients, SparseLatentPrefillCoefficients } from './sparse-latent-timer.js'

/** Coefficients of each family of kernels. */
export interface CoefficientFamilies {
  readonly gemm: GemmCoefficients
  readonly 'prefill-attention': PrefillAttentionCoefficients
  readonly 'decode-attention': DecodeAttentionCoefficients
  readonly experts: ExpertsCoefficients
  readonly 'mla-prefill': LatentPrefillCoefficients
  readonly 'mla-decode': LatentDecodeCoefficients
  readonly 'sparse-prefill': SparseLatentPrefillCoefficients
  readonly 'sparse-decode': SparseLatentDecodeCoefficients
  readonly 'all-reduce': CollectiveCoefficients
  readonly nccl: CollectiveCoefficients
}

export type CoefficientFamily = keyof CoefficientFamilies

/** Names of a family's coefficients, in the order of the data file. */
export const COEFFICIENT_NAMES: {
  readonly [F in CoefficientFamily]: readonly (keyof CoefficientFamilies[F] & string)[]
} = {
  gemm: ['t0', 'ec', 'em', 'm0', 'n0', 'k0', 'f0', 'f1'],
  'prefill-attention': ['t0', 'ec', 'em', 's0', 'b0'],
  'decode-attention': ['t0', 't1', 'ec', 'em', 'b0'],
  experts: ['t0', 'ec', 'em', 'a', 'c', 'pad', 'i0'],
  'mla-prefill': ['t0', 'eg', 'ea', 'em', 's0'],
  'mla-decode': ['t0', 'eg', 'ew', 'ea', 'em'],
  'sparse-prefill': ['t0', 'ts', 'eg', 'ei', 'ea', 'ed', 'tf'],
  'sparse-decode': ['t0', 'tb', 'ts', 'eg', 'ei', 'ea', 'em'],
  'all-reduce': ['t0', 't1', 'e', 'x', 'y', 'z', 'largest'],
  nccl: ['t0', 't1', 'e', 'x', 'y', 'z', 'largest'],
}

/** One fitted set: where it was measured, in which variant (formats, head size), its numbers and its fit error. */
export interface CoefficientSet {
  readonly family: CoefficientFamily
  readonly sku: string
  /** `any` for NCCL, which does not depend on the backend. */
  readonly backend: Backend | 'any'
  readonly variant: string
  readonly values: readonly number[]
  /** Median and 90th percentile of the relative error over the measured points, and their number. */
  readonly medianError: number
  readonly p90Error: number
  readonly points: number
}

/** All fitted sets, with the compute capability of the SKUs they come from. */
export interface CoefficientTable {
  readonly smVersions: Readonly<Record<string, number>>
  readonly sets: readonly CoefficientSet[]
}

/** A variant to try for a kernel, and how far it is from the kernel's own: 0 is exact, steps of 1 are another format. */
export interface VariantChoice {
  readonly variant: string
  readonly distance: number
}

/** Distance of a set that was measured for the same kernel on other dimensions; not a loan. */
export const nearMatch = 0.1

/** Coefficients chosen for a kernel. `measured` is false when they were borrowed from another GPU, backend or variant. */
export interface ChosenCoefficients<F extends CoefficientFamily> {
  readonly coefficients: CoefficientFamilies[F]
  readonly measured: boolean
  /** Variant of the set. */
  readonly variant: string
}

/** Steps of distance, in the unit of a set's total distance. */
const STEPS = { variant: 40, backend: 30, sku: 10, generation: 100, unknownVariant: 40_000 } as const

/**
 * The set fitted for this SKU, backend and exact variant; else the nearest: other SKUs of the generation, then other backends,
 * then other variants, and last other generations by distance of compute capability.
 */
export function chooseCoefficients<F extends CoefficientFamily>(
  table: CoefficientTable,
  family: F,
  hardware: HardwareSpec,
  backend: Backend,
  choices: readonly VariantChoice[],
): ChosenCoefficients<F> | null {
  let best: CoefficientSet | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const set of table.sets) {
    if (set.family !== family) continue
    const distance = setDistance(table, set, hardware, backend, choices)
    if (distance < bestDistance) {
      best = set
      bestDistance = distance
    }
  }
  if (best === null) return null
  const names: readonly string[] = COEFFICIENT_NAMES[family]
  const values = best.values
  const coefficients = Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0]))
  return {
    coefficients: coefficients as unknown as CoefficientFamilies[F],
    measured: bestDistance <= STEPS.variant * nearMatch,
    variant: best.variant,
  }
}

function setDistance(
  table: CoefficientTable,
  set: CoefficientSet,
  hardware: HardwareSpec,
  backend: Backend,
  choices: readonly VariantChoice[],
): number {
  const choice = choices.find(({ variant }) => variant === set.variant)
  const variantDistance = choice === undefined ? STEPS.unknownVariant : STEPS.variant * choice.distance
  const capability = table.smVersions[set.sku] ?? 0
  const sameSku = set.sku === hardware.sku && !hardware.custom
  const sameGeneration = gpuGeneration(hardware) === generationOf(capability)
  const backendDistance = set.backend === 'any' || set.backend === backend ? 0 : STEPS.backend
  const placeDistance = sameSku
    ? 0
    : sameGeneration
      ? STEPS.sku
      : STEPS.generation + Math.abs(capability - hardware.gpu.smVersion)
  return placeDistance + backendDistance + variantDistance
}

function generationOf(smVersion: number): ReturnType<typeof gpuGeneration> {
  if (smVersion >= 100) return 'blackwell'
  if (smVersion >= 90) return 'hopper'
  return smVersion >= 86 ? 'ada' : 'ampere'
}
