/**
 * Cholesky factor of a symmetric positive definite matrix, in place, in the lower triangle of a flat row-major array
 * with `stride` numbers a row; the upper triangle is neither read nor written. Works in tiles of 4 × 4 whose dot
 * products run along contiguous rows.
 * @returns false when a pivot is not above `floor`; the array is then spoilt.
 */
export function choleskyInPlace(a: Float64Array, n: number, stride: number, floor = 0): boolean {
  const full = n & ~3
  for (let i = 0; i < full; i += 4) {
    for (let j = 0; j < i; j += 4) {
      subtractTile(a, stride, i, j)
      for (let r = i * stride, end = r + 4 * stride; r < end; r += stride) solveTileRow(a, stride, r, j)
    }
    for (let r = i; r < i + 4; r++) if (!factorRow(a, stride, r, i, floor)) return false
  }
  for (let r = full; r < n; r++) if (!factorRow(a, stride, r, 0, floor)) return false
  return true
}

/** a[i..i+4][j..j+4] −= Σ_{k<j} a[i+·][k] a[j+·][k]. */
function subtractTile(a: Float64Array, stride: number, i: number, j: number): void {
  const r0 = i * stride
  const r1 = r0 + stride
  const r2 = r1 + stride
  const r3 = r2 + stride
  const c0 = j * stride
  const c1 = c0 + stride
  for (let c = 0; c < 4; c += 2) {
    const u = c === 0 ? c0 : c0 + 2 * stride
    const v = c === 0 ? c1 : c1 + 2 * stride
    let s00 = 0
    let s10 = 0
    let s20 = 0
    let s30 = 0
    let s01 = 0
    let s11 = 0
    let s21 = 0
    let s31 = 0
    for (let k = 0; k < j; k++) {
      const x = a[u + k]!
      const y = a[v + k]!
      const p = a[r0 + k]!
      const q = a[r1 + k]!
      const s = a[r2 + k]!
      const t = a[r3 + k]!
      s00 += p * x
      s01 += p * y
      s10 += q * x
      s11 += q * y
      s20 += s * x
      s21 += s * y
      s30 += t * x
      s31 += t * y
    }
    const d = j + c
    a[r0 + d]! -= s00
    a[r0 + d + 1]! -= s01
    a[r1 + d]! -= s10
    a[r1 + d + 1]! -= s11
    a[r2 + d]! -= s20
    a[r2 + d + 1]! -= s21
    a[r3 + d]! -= s30
    a[r3 + d + 1]! -= s31
  }
}

/** Divides a row's four numbers from column j by the factor of the diagonal tile at j. */
function solveTileRow(a: Float64Array, stride: number, row: number, j: number): void {
  for (let c = j; c < j + 4; c++) {
    let s = a[row + c]!
    for (let k = j; k < c; k++) s -= a[row + k]! * a[c * stride + k]!
    a[row + c] = s / a[c * stride + c]!
  }
}

/** Finishes row r, whose columns below `from` are done. */
function factorRow(a: Float64Array, stride: number, r: number, from: number, floor: number): boolean {
  const row = r * stride
  for (let c = from; c <= r; c++) {
    const other = c * stride
    let s = a[row + c]!
    let t = 0
    let k = 0
    for (; k + 1 < c; k += 2) {
      s -= a[row + k]! * a[other + k]!
      t += a[row + k + 1]! * a[other + k + 1]!
    }
    if (k < c) s -= a[row + k]! * a[other + k]!
    s -= t
    if (c < r) a[row + c] = s / a[other + c]!
    else {
      if (!(s > floor)) return false
      a[row + c] = Math.sqrt(s)
    }
  }
  return true
}

/** Inverse of a lower triangular factor into `w` (same layout; its upper triangle is not written). */
export function invertLower(l: Float64Array, w: Float64Array, n: number, stride: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * stride
    for (let j = 0; j < i; j++) w[row + j] = 0
    let k = 0
    for (; k + 3 < i; k += 4) {
      const f0 = l[row + k]!
      const f1 = l[row + k + 1]!
      const f2 = l[row + k + 2]!
      const f3 = l[row + k + 3]!
      const w0 = k * stride
      const w1 = w0 + stride
      const w2 = w1 + stride
      const w3 = w2 + stride
      for (let j = 0; j <= k; j++) w[row + j]! -= f0 * w[w0 + j]! + f1 * w[w1 + j]! + f2 * w[w2 + j]! + f3 * w[w3 + j]!
      w[row + k + 1]! -= f1 * w[w1 + k + 1]! + f2 * w[w2 + k + 1]! + f3 * w[w3 + k + 1]!
      w[row + k + 2]! -= f2 * w[w2 + k + 2]! + f3 * w[w3 + k + 2]!
      w[row + k + 3]! -= f3 * w[w3 + k + 3]!
    }
    for (; k < i; k++) {
      const f = l[row + k]!
      const other = k * stride
      for (let j = 0; j <= k; j++) w[row + j]! -= f * w[other + j]!
    }
    const scale = 1 / l[row + i]!
    for (let j = 0; j < i; j++) w[row + j]! *= scale
    w[row + i] = scale
  }
}

/** Lower triangle of Wᵀ W for a lower triangular W: the inverse of the factored matrix. */
export function gramOfLower(w: Float64Array, out: Float64Array, n: number, stride: number): void {
  for (let i = 0; i < n; i++) out.fill(0, i * stride, i * stride + i + 1)
  let k = 0
  for (; k + 3 < n; k += 4) {
    const w0 = k * stride
    const w1 = w0 + stride
    const w2 = w1 + stride
    const w3 = w2 + stride
    // Rows k … k+3 are zero right of their diagonal: the ragged corner is done number by number.
    for (let i = 0; i <= k; i++) {
      const f0 = w[w0 + i]!
      const f1 = w[w1 + i]!
      const f2 = w[w2 + i]!
      const f3 = w[w3 + i]!
      const row = i * stride
      for (let j = 0; j <= i; j++)
        out[row + j]! += f0 * w[w0 + j]! + f1 * w[w1 + j]! + f2 * w[w2 + j]! + f3 * w[w3 + j]!
    }
    for (let r = k + 1; r < k + 4; r++) addOuter(w, out, r * stride, k + 1, r, stride)
  }
  for (; k < n; k++) addOuter(w, out, k * stride, 0, k, stride)
}

/** out[i][j] += w[i] w[j] for from ≤ i ≤ to and j ≤ i. */
function addOuter(w: Float64Array, out: Float64Array, row: number, from: number, to: number, stride: number): void {
  for (let i = from; i <= to; i++) {
    const f = w[row + i]!
    const target = i * stride
    for (let j = 0; j <= i; j++) out[target + j]! += f * w[row + j]!
  }
}
