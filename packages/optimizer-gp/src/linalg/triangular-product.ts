/** into = W k for a lower triangular W (row-major, `stride` numbers a row). */
export function lowerTimesVector(
  w: Float64Array,
  n: number,
  stride: number,
  k: Float64Array,
  kOffset: number,
  into: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    const row = i * stride
    let s = 0
    let t = 0
    let j = 0
    for (; j < i; j += 2) {
      s += w[row + j]! * k[kOffset + j]!
      t += w[row + j + 1]! * k[kOffset + j + 1]!
    }
    if (j === i) s += w[row + j]! * k[kOffset + j]!
    into[i] = s + t
  }
}

/** into = Wᵀ v for a lower triangular W. */
export function lowerTransposeTimesVector(
  w: Float64Array,
  n: number,
  stride: number,
  v: Float64Array,
  into: Float64Array,
): void {
  into.fill(0, 0, n)
  for (let i = 0; i < n; i++) {
    const f = v[i]!
    const row = i * stride
    for (let j = 0; j <= i; j++) into[j]! += f * w[row + j]!
  }
}

/**
 * out[b] = |W k_b|² for `count` vectors k_b, stored one after the other with `ks` numbers each. Two rows of W and four
 * vectors share a pass, so that W is read once per four vectors.
 */
export function lowerTimesBlockNorms(
  w: Float64Array,
  n: number,
  stride: number,
  k: Float64Array,
  ks: number,
  count: number,
  out: Float64Array,
): void {
  out.fill(0, 0, count)
  let b = 0
  for (; b + 3 < count; b += 4) fourNorms(w, n, stride, k, ks, b, out)
  for (; b < count; b++) {
    let sum = 0
    for (let i = 0; i < n; i++) {
      const row = i * stride
      let s = 0
      for (let j = 0; j <= i; j++) s += w[row + j]! * k[b * ks + j]!
      sum += s * s
    }
    out[b] = sum
  }
}

function fourNorms(
  w: Float64Array,
  n: number,
  stride: number,
  k: Float64Array,
  ks: number,
  b: number,
  out: Float64Array,
): void {
  const k0 = b * ks
  const k1 = k0 + ks
  const k2 = k1 + ks
  const k3 = k2 + ks
  let o0 = 0
  let o1 = 0
  let o2 = 0
  let o3 = 0
  for (let i = 0; i < n; i += 2) {
    const p = i * stride
    const two = i + 1 < n
    const q = two ? p + stride : p
    let s0 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    let t0 = 0
    let t1 = 0
    let t2 = 0
    let t3 = 0
    for (let j = 0; j <= i; j++) {
      const x = w[p + j]!
      const y = w[q + j]!
      const a0 = k[k0 + j]!
      const a1 = k[k1 + j]!
      const a2 = k[k2 + j]!
      const a3 = k[k3 + j]!
      s0 += x * a0
      t0 += y * a0
      s1 += x * a1
      t1 += y * a1
      s2 += x * a2
      t2 += y * a2
      s3 += x * a3
      t3 += y * a3
    }
    o0 += s0 * s0
    o1 += s1 * s1
    o2 += s2 * s2
    o3 += s3 * s3
    if (two) {
      const y = w[q + i + 1]!
      t0 += y * k[k0 + i + 1]!
      t1 += y * k[k1 + i + 1]!
      t2 += y * k[k2 + i + 1]!
      t3 += y * k[k3 + i + 1]!
      o0 += t0 * t0
      o1 += t1 * t1
      o2 += t2 * t2
      o3 += t3 * t3
    }
  }
  out[b] = o0
  out[b + 1] = o1
  out[b + 2] = o2
  out[b + 3] = o3
}
