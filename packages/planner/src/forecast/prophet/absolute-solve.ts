const MAX_QL_STEPS = 60

/**
 * Solves |a|·x = b, where |a| has a's eigenvectors and the absolute values of its eigenvalues. Householder reduction to tridiagonal
 * form, then implicit QL (Bowdler et al. 1968).
 * @param a size × size symmetric, row-major; not changed
 */
export function solveAbsolute(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const v = Float64Array.from(a)
  const diagonal = new Float64Array(size)
  const off = new Float64Array(size)
  tridiagonalise(v, diagonal, off, size)
  diagonalise(v, diagonal, off, size)
  const x = new Float64Array(size)
  for (let e = 0; e < size; e++) {
    const eigenvalue = Math.abs(diagonal[e])
    if (eigenvalue === 0) continue
    let projection = 0
    for (let i = 0; i < size; i++) projection += v[i * size + e] * b[i]
    projection /= eigenvalue
    for (let i = 0; i < size; i++) x[i] += v[i * size + e] * projection
  }
  return x
}

/** v becomes the orthogonal matrix of the reduction; diagonal and off (off[0] unused) the tridiagonal form. */
function tridiagonalise(v: Float64Array, diagonal: Float64Array, off: Float64Array, n: number): void {
  for (let i = n - 1; i > 0; i--) {
    const row = i * n
    let scale = 0
    for (let k = 0; k < i; k++) scale += Math.abs(v[row + k])
    if (i === 1 || scale === 0) {
      off[i] = v[row + i - 1]
      diagonal[i] = 0
      continue
    }
    let h = 0
    for (let k = 0; k < i; k++) {
      v[row + k] /= scale
      h += v[row + k] * v[row + k]
    }
    const f = v[row + i - 1]
    const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h)
    off[i] = scale * g
    h -= f * g
    v[row + i - 1] = f - g
    let sum = 0
    for (let j = 0; j < i; j++) {
      v[j * n + i] = v[row + j] / h
      let product = 0
      for (let k = 0; k <= j; k++) product += v[j * n + k] * v[row + k]
      for (let k = j + 1; k < i; k++) product += v[k * n + j] * v[row + k]
      off[j] = product / h
      sum += off[j] * v[row + j]
    }
    const half = sum / (h + h)
    for (let j = 0; j < i; j++) {
      const fj = v[row + j]
      const gj = off[j] - half * fj
      off[j] = gj
      for (let k = 0; k <= j; k++) v[j * n + k] -= fj * off[k] + gj * v[row + k]
    }
    diagonal[i] = h
  }
  diagonal[0] = 0
  for (let i = 0; i < n; i++) {
    if (diagonal[i] !== 0) {
      for (let j = 0; j < i; j++) {
        let g = 0
        for (let k = 0; k < i; k++) g += v[i * n + k] * v[k * n + j]
        for (let k = 0; k < i; k++) v[k * n + j] -= g * v[k * n + i]
      }
    }
    diagonal[i] = v[i * n + i]
    v[i * n + i] = 1
    for (let j = 0; j < i; j++) v[j * n + i] = v[i * n + j] = 0
  }
}

/** Turns the tridiagonal form into eigenvalues and v into eigenvectors (columns). */
function diagonalise(v: Float64Array, diagonal: Float64Array, off: Float64Array, n: number): void {
  for (let i = 1; i < n; i++) off[i - 1] = off[i]
  off[n - 1] = 0
  for (let l = 0; l < n; l++) {
    for (let step = 0; step < MAX_QL_STEPS; step++) {
      let m = l
      while (m < n - 1) {
        const scale = Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1])
        if (Math.abs(off[m]) + scale === scale) break
        m++
      }
      if (m === l) break
      implicitShift(v, diagonal, off, n, l, m)
    }
  }
}

function implicitShift(
  v: Float64Array,
  diagonal: Float64Array,
  off: Float64Array,
  n: number,
  l: number,
  m: number,
): void {
  let g = (diagonal[l + 1] - diagonal[l]) / (2 * off[l])
  let r = Math.sqrt(g * g + 1)
  g = diagonal[m] - diagonal[l] + off[l] / (g + (g >= 0 ? r : -r))
  let s = 1
  let c = 1
  let p = 0
  for (let i = m - 1; i >= l; i--) {
    const f = s * off[i]
    const b = c * off[i]
    r = Math.sqrt(f * f + g * g)
    off[i + 1] = r
    if (r === 0) {
      diagonal[i + 1] -= p
      off[m] = 0
      return
    }
    s = f / r
    c = g / r
    g = diagonal[i + 1] - p
    r = (diagonal[i] - g) * s + 2 * c * b
    p = s * r
    diagonal[i + 1] = g + p
    g = c * r - b
    for (let k = 0; k < n; k++) {
      const upper = v[k * n + i + 1]
      const lower = v[k * n + i]
      v[k * n + i + 1] = s * lower + c * upper
      v[k * n + i] = c * lower - s * upper
    }
  }
  diagonal[l] -= p
  off[l] = g
  off[m] = 0
}
