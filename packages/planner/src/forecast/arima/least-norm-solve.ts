const MAX_SWEEPS = 60
/** Singular values below this share of the largest count as zero. */
const RANK_TOLERANCE = 1e-15

/**
 * Least-squares solution of smallest norm of X·b ≈ y, by one-sided Jacobi rotations of X's columns (Hestenes 1958).
 * @param columns k columns of n values
 */
export function leastNormSolve(columns: readonly (readonly number[])[], y: readonly number[]): number[] {
  const k = columns.length
  const u = columns.map((column) => Float64Array.from(column))
  const v = columns.map((_, i) => Float64Array.from({ length: k }, (__, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotated = false
    for (let p = 0; p < k - 1; p++) {
      for (let q = p + 1; q < k; q++) rotated = orthogonalise(u[p], u[q], v[p], v[q]) || rotated
    }
    if (!rotated) break
  }
  const squares = u.map((column) => dot(column, column))
  const largest = Math.sqrt(Math.max(0, ...squares))
  const solution = new Array<number>(k).fill(0)
  for (let j = 0; j < k; j++) {
    if (Math.sqrt(squares[j]) <= RANK_TOLERANCE * largest || squares[j] === 0) continue
    const projection = dot(u[j], y) / squares[j]
    for (let i = 0; i < k; i++) solution[i] += v[j][i] * projection
  }
  return solution
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

function orthogonalise(a: Float64Array, b: Float64Array, va: Float64Array, vb: Float64Array): boolean {
  const aa = dot(a, a)
  const bb = dot(b, b)
  const ab = dot(a, b)
  if (ab === 0 || Math.abs(ab) <= 1e-16 * Math.sqrt(aa * bb)) return false
  const zeta = (bb - aa) / (2 * ab)
  const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
  const c = 1 / Math.sqrt(1 + t * t)
  const s = c * t
  for (const [x, z] of [
    [a, b],
    [va, vb],
  ]) {
    for (let i = 0; i < x.length; i++) {
      const xi = x[i]
      x[i] = c * xi - s * z[i]
      z[i] = s * xi + c * z[i]
    }
  }
  return true
}
