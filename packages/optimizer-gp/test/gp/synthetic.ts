import { buildPrior } from '../../src/gp/fit-hyperparameters.js'
import type { KernelLayout } from '../../src/gp/matern.js'
import { DEFAULT_SETTINGS } from '../../src/gp-settings.js'
import { Rng } from '../../src/random/rng.js'

export const LAYOUT: KernelLayout = { numeric: [0, 2, 3], categorical: [1] }
export const PRIOR = buildPrior(LAYOUT, DEFAULT_SETTINGS.prior)

/** Points with three numbers and a category at position 1, and smooth values. */
export function sample(n: number, seed: number): { points: Float64Array[]; values: Float64Array } {
  const rng = new Rng(seed)
  const points = Array.from({ length: n }, () =>
    Float64Array.from([rng.uniform(), rng.below(3), rng.uniform(), rng.uniform()]),
  )
  const values = Float64Array.from(
    points,
    (p) => Math.sin(4 * p[0]!) + p[2]! * p[3]! + 0.3 * p[1]! + 0.05 * rng.normal(),
  )
  return { points, values }
}

/** Hyper-parameters: three lengths, one category, signal, noise, share of the wide term. */
export const THETA: Float64Array = Float64Array.from([-0.7, -0.2, 0.4, 0.3, 0.2, -4, 0.5])
