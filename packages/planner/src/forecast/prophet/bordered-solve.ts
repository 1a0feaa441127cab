const MAX_NEWTON_STEPS = 60
const EIGENVALUE_TOLERANCE = 1e-14

/** Lower Cholesky factor of (a − shift·I), a's leading n × n block with rows of `stride`; false when it is not positive definite. */
function factor(a: Float64Array, stride: number, n: number, shift: number, l: Float64Array): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * stride + j]
      for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k]
      if (i === j) {
        sum -= shift
        if (!(sum > 0)) return false
        l[i * n + i] = Math.sqrt(sum)
      } else l[i * n + j] = sum / l[j * n + j]
    }
  }
  return true
}

function solveFactored(l: Float64Array, n: number, b: Float64Array): Float64Array {
  const x = b.slice(0, n)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k]
    x[i] /= l[i * n + i]
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= l[k * n + i] * x[k]
    x[i] /= l[i * n + i]
  }
  return x
}

function dot(a: Float64Array, b: Float64Array, n: number): number {
  let sum = 0
  for (let i = 0; i < n; i++) sum += a[i] * b[i]
  return sum
}

/**
 * Solves |M|·x = g, where M = [[A, b], [bᵀ, c]] has a positive definite block A of all but the last row, and |M| has M's eigenvectors
 * and the absolute values of its eigenvalues. Such an M has at most one negative eigenvalue λ: it is the root of
 * c − λ − bᵀ(A − λI)⁻¹b, which Newton's method reaches from 0 without overshooting; its eigenvector turns M⁻¹g into |M|⁻¹g.
 * @param m size × size, row-major, symmetric
 * @returns null when A is not positive definite or M is singular
 */
export function solveBordered(m: Float64Array, g: Float64Array, size: number): Float64Array | null {
  const n = size - 1
  const l = new Float64Array(n * n)
  const border = m.slice(n * size, n * size + n)
  const corner = m[n * size + n]
  if (!factor(m, size, n, 0, l)) return null
  const fromG = solveFactored(l, n, g)
  const fromBorder = solveFactored(l, n, border)
  const schur = corner - dot(border, fromBorder, n)
  if (schur === 0 || !Number.isFinite(schur)) return null
  const last = (g[n] - dot(border, fromG, n)) / schur
  const x = new Float64Array(size)
  for (let i = 0; i < n; i++) x[i] = fromG[i] - fromBorder[i] * last
  x[n] = last
  if (schur > 0) return x
  let eigenvalue = 0
  let w = fromBorder
  for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
    const value = corner - eigenvalue - dot(border, w, n)
    const change = value / (1 + dot(w, w, n))
    eigenvalue += change
    if (!factor(m, size, n, eigenvalue, l)) return null
    w = solveFactored(l, n, border)
    if (Math.abs(change) <= EIGENVALUE_TOLERANCE * Math.abs(eigenvalue)) break
  }
  if (!(eigenvalue < 0)) return null
  const norm = 1 + dot(w, w, n)
  const projection = (g[n] - dot(w, g, n)) / norm
  const turn = (2 / eigenvalue) * projection
  for (let i = 0; i < n; i++) x[i] += turn * w[i]
  x[n] -= turn
  return x
}
