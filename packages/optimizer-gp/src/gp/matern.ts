/** How many times longer the wide term's length scales are: 5, so that one exponential serves both, e⁻ˢ = (e^(−s/5))⁵. */
export const WIDE_FACTOR = 5

const SQRT5 = Math.sqrt(5)

function matern52(r: number): number {
  const s = SQRT5 * r
  return (1 + s + (s * s) / 3) * Math.exp(-s)
}

/**
 * Correlation at scaled distance r: two Matérn-5/2 terms over the same ARD distance, one `WIDE_FACTOR` times wider.
 * The wide term carries trends across the whole space, such as main effects of a knob, that a single length scale
 * forgets a step away from the data; the narrow one carries the detail.
 */
export function correlation(r: number, wideShare: number): number {
  return (1 - wideShare) * matern52(r) + wideShare * matern52(r / WIDE_FACTOR)
}

/**
 * Which coordinates of a point are categories. Squared scaled distance:
 * Σ over numbers (x − y)² / l² + Σ over categories [x ≠ y] / l².
 */
export interface KernelLayout {
  /** Positions of the numeric coordinates in a point. */
  readonly numeric: readonly number[]
  /** Positions of the categories in a point. */
  readonly categorical: readonly number[]
}

/**
 * Logarithms of the kernel's parameters: one length scale per numeric coordinate, then one per category, in the order
 * of the layout, then the signal variance, then the noise variance; last the logit of the wide term's share.
 */
export type Hyperparameters = Float64Array

/** Share of the wide term for its logit. */
export function wideShare(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
