/** Cholesky solve of a·x = b for a symmetric positive definite a (size × size, row-major); null when a is not. */
export function solvePositiveDefinite(a: Float64Array, b: Float64Array, size: number): Float64Array | null {
  const l = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * size + j]
      for (let k = 0; k < j; k++) sum -= l[i * size + k] * l[j * size + k]
      if (i === j) {
        if (!(sum > 0)) return null
        l[i * size + i] = Math.sqrt(sum)
      } else {
        l[i * size + j] = sum / l[j * size + j]
      }
    }
  }
  const x = Float64Array.from(b)
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i * size + k] * x[k]
    x[i] /= l[i * size + i]
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i] -= l[k * size + i] * x[k]
    x[i] /= l[i * size + i]
  }
  return x
}

const MAX_SWEEPS = 60

/**
 * Solves |a|·x = b, where |a| has a's eigenvectors and the absolute values of its eigenvalues, by cyclic Jacobi rotations.
 * a: size × size symmetric, row-major.
 */
export function solveAbsolute(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const m = Float64Array.from(a)
  const v = new Float64Array(size * size)
  for (let i = 0; i < size; i++) v[i * size + i] = 1
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(m, size); sweep++) {
    for (let p = 0; p < size - 1; p++) for (let q = p + 1; q < size; q++) rotate(m, v, size, p, q)
  }
  const x = new Float64Array(size)
  for (let e = 0; e < size; e++) {
    let projection = 0
    for (let i = 0; i < size; i++) projection += v[i * size + e] * b[i]
    const eigenvalue = Math.abs(m[e * size + e])
    if (eigenvalue === 0) continue
    for (let i = 0; i < size; i++) x[i] += (v[i * size + e] * projection) / eigenvalue
  }
  return x
}

function isDiagonal(m: Float64Array, size: number): boolean {
  let off = 0
  let total = 0
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const square = m[i * size + j] ** 2
      total += square
      if (i !== j) off += square
    }
  }
  return off <= 1e-26 * total
}

function rotate(m: Float64Array, v: Float64Array, size: number, p: number, q: number): void {
  const apq = m[p * size + q]
  if (apq === 0) return
  const theta = (m[q * size + q] - m[p * size + p]) / (2 * apq)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < size; k++) {
    const kp = m[k * size + p]
    const kq = m[k * size + q]
    m[k * size + p] = c * kp - s * kq
    m[k * size + q] = s * kp + c * kq
  }
  for (let k = 0; k < size; k++) {
    const pk = m[p * size + k]
    const qk = m[q * size + k]
    m[p * size + k] = c * pk - s * qk
    m[q * size + k] = s * pk + c * qk
    const vp = v[k * size + p]
    const vq = v[k * size + q]
    v[k * size + p] = c * vp - s * vq
    v[k * size + q] = s * vp + c * vq
  }
}
