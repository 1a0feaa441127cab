// Bounded robust least squares: Levenberg–Marquardt on transformed parameters with a numeric Jacobian.

/** Residuals beyond this (in log ratio) count linearly instead of quadratically. */
const SOFT = 0.1

/**
 * Minimises Σ softL1(residual) + prior. `parameters` = [{name, start, min, max, log}]; `residuals(values, out)` fills `out`.
 * Positive parameters with `log` move in their logarithm. Returns the best values.
 */
export function leastSquares(parameters, count, residuals, { iterations = 60, priorWeight = 0.02 } = {}) {
  const to = (p, v) => (p.log ? Math.log(v) : v)
  const from = (p, u) => Math.min(p.max, Math.max(p.min, p.log ? Math.exp(u) : u))
  const start = parameters.map((p) => to(p, Math.min(p.max, Math.max(p.min, p.start))))
  const spread = parameters.map((p) => (p.log ? 1 : p.max - p.min))
  const size = parameters.length
  const values = (u) => u.map((v, i) => from(parameters[i], v))
  const cost = (u, r) => {
    residuals(values(u), r)
    let sum = 0
    for (let i = 0; i < count; i++) sum += 2 * SOFT * SOFT * (Math.sqrt(1 + (r[i] / SOFT) ** 2) - 1)
    for (let j = 0; j < size; j++) sum += (priorWeight * (u[j] - start[j])) ** 2 / spread[j] ** 2
    return sum
  }
  let u = [...start]
  const r = new Float64Array(count)
  const trial = new Float64Array(count)
  let best = cost(u, r)
  let lambda = 1e-2
  const columns = parameters.map(() => new Float64Array(count))
  for (let iteration = 0; iteration < iterations; iteration++) {
    for (let j = 0; j < size; j++) {
      const step = parameters[j].log ? 1e-4 : 1e-4 * spread[j]
      const direction = from(parameters[j], u[j] + step) === from(parameters[j], u[j]) ? -step : step
      const moved = [...u]
      moved[j] += direction
      residuals(values(moved), columns[j])
      for (let i = 0; i < count; i++) columns[j][i] = (columns[j][i] - r[i]) / direction
    }
    const normal = Array.from({ length: size }, () => new Float64Array(size))
    const gradient = new Float64Array(size)
    for (let i = 0; i < count; i++) {
      const w = 1 / Math.sqrt(1 + (r[i] / SOFT) ** 2)
      for (let j = 0; j < size; j++) {
        const d = w * columns[j][i]
        gradient[j] += d * r[i]
        for (let k = 0; k <= j; k++) normal[j][k] += d * columns[k][i]
      }
    }
    for (let j = 0; j < size; j++) {
      const p = priorWeight ** 2 / spread[j] ** 2
      gradient[j] += p * (u[j] - start[j])
      normal[j][j] += p
      for (let k = 0; k < j; k++) normal[k][j] = normal[j][k]
    }
    let improved = false
    for (let attempt = 0; attempt < 8 && !improved; attempt++) {
      const step = solve(normal, gradient, lambda)
      const next = u.map((v, j) => to(parameters[j], from(parameters[j], v - step[j])))
      const value = cost(next, trial)
      if (value < best) {
        improved = best - value > 1e-9 * best
        u = next
        best = value
        r.set(trial)
        lambda = Math.max(1e-7, lambda / 4)
        if (!improved) return values(u)
      } else lambda *= 5
    }
    if (!improved) break
  }
  return values(u)
}

function solve(matrix, vector, lambda) {
  const size = vector.length
  const a = matrix.map((row, i) => {
    const copy = [...row, vector[i]]
    copy[i] += lambda * (row[i] + 1e-12)
    return copy
  })
  for (let i = 0; i < size; i++) {
    let pivot = i
    for (let j = i + 1; j < size; j++) if (Math.abs(a[j][i]) > Math.abs(a[pivot][i])) pivot = j
    ;[a[i], a[pivot]] = [a[pivot], a[i]]
    if (Math.abs(a[i][i]) < 1e-300) continue
    for (let j = i + 1; j < size; j++) {
      const f = a[j][i] / a[i][i]
      for (let k = i; k <= size; k++) a[j][k] -= f * a[i][k]
    }
  }
  const x = new Array(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    let sum = a[i][size]
    for (let k = i + 1; k < size; k++) sum -= a[i][k] * x[k]
    x[i] = Math.abs(a[i][i]) < 1e-300 ? 0 : sum / a[i][i]
  }
  return x
}
