/**
 * Maps between free numbers and the coefficients of a stationary autoregression through partial autocorrelations
 * r = x/√(1 + x²) (Monahan 1984). An invertible moving average is the same with the sign turned.
 */
export function constrainStationary(free: ArrayLike<number>): Float64Array {
  const n = free.length
  let row = new Float64Array(n)
  for (let k = 0; k < n; k++) {
    const r = free[k] / Math.sqrt(1 + free[k] * free[k])
    const next = new Float64Array(n)
    for (let i = 0; i < k; i++) next[i] = row[i] + r * row[k - i - 1]
    next[k] = r
    row = next
  }
  return row.map((value) => -value)
}

/** Inverse of `constrainStationary`; coefficients must be stationary. */
export function unconstrainStationary(coefficients: ArrayLike<number>): Float64Array {
  const partial = partialAutocorrelations(coefficients)
  return partial.map((r) => r / Math.sqrt(1 - r * r))
}

function partialAutocorrelations(coefficients: ArrayLike<number>): Float64Array {
  const n = coefficients.length
  let row = Float64Array.from(coefficients, (value) => -value)
  const partial = new Float64Array(n)
  for (let k = n - 1; k >= 0; k--) {
    const r = row[k]
    partial[k] = r
    const next = new Float64Array(n)
    for (let i = 0; i < k; i++) next[i] = (row[i] - r * row[k - i - 1]) / (1 - r * r)
    row = next
  }
  return partial
}

/** True when 1 − c₁z − … − cₙzⁿ has all its roots outside the unit circle. */
export function isStationary(coefficients: ArrayLike<number>): boolean {
  return partialAutocorrelations(coefficients).every((r) => Math.abs(r) < 1 - 1e-10)
}

const ROOT_ITERATIONS = 500

/** Largest modulus of the inverse roots of 1 − c₁z − … − cₙzⁿ, by simultaneous iteration (Durand–Kerner). */
export function largestInverseRoot(coefficients: ArrayLike<number>): number {
  const n = coefficients.length
  if (n === 0) return 0
  if (n === 1) return Math.abs(coefficients[0])
  // Inverse roots are the roots of wⁿ − c₁wⁿ⁻¹ − … − cₙ.
  const re = new Float64Array(n)
  const im = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    re[i] = 0.9 * Math.cos((2 * Math.PI * i) / n + 0.4)
    im[i] = 0.9 * Math.sin((2 * Math.PI * i) / n + 0.4)
  }
  for (let iteration = 0; iteration < ROOT_ITERATIONS; iteration++) {
    let moved = 0
    for (let i = 0; i < n; i++) {
      let pr = 1
      let pi = 0
      for (let k = 0; k < n; k++) [pr, pi] = [pr * re[i] - pi * im[i] - coefficients[k], pr * im[i] + pi * re[i]]
      let qr = 1
      let qi = 0
      for (let j = 0; j < n; j++) {
        if (j === i) continue
        const dr = re[i] - re[j]
        const di = im[i] - im[j]
        ;[qr, qi] = [qr * dr - qi * di, qr * di + qi * dr]
      }
      const norm = qr * qr + qi * qi
      if (norm === 0) continue
      const sr = (pr * qr + pi * qi) / norm
      const si = (pi * qr - pr * qi) / norm
      re[i] -= sr
      im[i] -= si
      moved = Math.max(moved, Math.abs(sr), Math.abs(si))
    }
    if (moved < 1e-14) break
  }
  return re.reduce((most, value, i) => Math.max(most, Math.hypot(value, im[i])), 0)
}
