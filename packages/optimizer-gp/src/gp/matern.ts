const SQRT5 = Math.sqrt(5)

/** Matérn-5/2 correlation at squared scaled distance `r2`: (1 + √5 r + 5/3 r²) exp(−√5 r). */
export function matern52(r2: number): number {
  const s = SQRT5 * Math.sqrt(r2)
  return (1 + s + (5 / 3) * r2) * Math.exp(-s)
}

/** −2 times the derivative of the correlation by r²: 5/3 (1 + √5 r) exp(−√5 r). */
export function matern52Slope(r2: number): number {
  const s = SQRT5 * Math.sqrt(r2)
  return (5 / 3) * (1 + s) * Math.exp(-s)
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
 * of the layout, then the signal variance, then the noise variance.
 */
export type Hyperparameters = Float64Array
