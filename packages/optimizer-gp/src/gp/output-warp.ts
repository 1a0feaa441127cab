/** A strictly increasing map of one objective's values (larger is better) to the model's units. */
export interface OutputWarp {
  forward(value: number): number
  inverse(warped: number): number
}

function yeoJohnson(t: number, lambda: number): number {
  if (t >= 0) return Math.abs(lambda) < 1e-9 ? Math.log1p(t) : Math.expm1(lambda * Math.log1p(t)) / lambda
  const rest = 2 - lambda
  return Math.abs(rest) < 1e-9 ? -Math.log1p(-t) : -Math.expm1(rest * Math.log1p(-t)) / rest
}

function inverseYeoJohnson(z: number, lambda: number): number {
  if (z >= 0) return Math.abs(lambda) < 1e-9 ? Math.expm1(z) : Math.expm1(Math.log1p(lambda * z) / lambda)
  const rest = 2 - lambda
  return Math.abs(rest) < 1e-9 ? -Math.expm1(-z) : -Math.expm1(Math.log1p(-rest * z) / rest)
}

function moments(values: ArrayLike<number>): { mean: number; sd: number } {
  const n = values.length
  let mean = 0
  for (let i = 0; i < n; i++) mean += values[i]! / n
  let variance = 0
  for (let i = 0; i < n; i++) variance += (values[i]! - mean) ** 2 / n
  return { mean, sd: Math.sqrt(variance) }
}

/**
 * Standardisation followed by the Yeo–Johnson map whose λ maximises the profile likelihood of a normal sample, with a
 * normal pull of standard deviation `pull` towards the identity (λ = 1), and standardisation again. λ stays in [0, 2],
 * where the map is onto. Constant data are only shifted.
 */
export function fitOutputWarp(values: ArrayLike<number>, pull: number): OutputWarp {
  let unit = 0
  for (let i = 0; i < values.length; i++) unit = Math.max(unit, Math.abs(values[i]!))
  if (unit >= 1e-290 && unit <= 1e140) return fitModerate(values, pull)
  const scale = Math.max(unit, 1e-290)
  const inner = fitModerate(
    Float64Array.from(values, (v) => v / scale),
    pull,
  )
  return { forward: (v) => inner.forward(v / scale), inverse: (z) => inner.inverse(z) * scale }
}

/** {@link fitOutputWarp} for values whose squares neither overflow nor vanish. */
function fitModerate(values: ArrayLike<number>, pull: number): OutputWarp {
  const first = moments(values)
  const span = first.sd > 1e-12 * Math.max(Math.abs(first.mean), 1e-300) ? first.sd : 0
  if (span === 0 || values.length < 3) {
    const unit = span === 0 ? 1 : span
    return { forward: (v) => (v - first.mean) / unit, inverse: (z) => z * unit + first.mean }
  }
  const scaled = Float64Array.from(values, (v) => (v - first.mean) / span)
  let jacobian = 0
  for (const t of scaled) jacobian += Math.sign(t) * Math.log1p(Math.abs(t))
  const score = (lambda: number): number => {
    const { sd } = moments(scaled.map((t) => yeoJohnson(t, lambda)))
    const z = (lambda - 1) / pull
    return -scaled.length * Math.log(Math.max(sd, 1e-300)) + (lambda - 1) * jacobian - 0.5 * z * z
  }
  let low = 0
  let high = 2
  const golden = (Math.sqrt(5) - 1) / 2
  let a = high - golden * (high - low)
  let b = low + golden * (high - low)
  let scoreA = score(a)
  let scoreB = score(b)
  for (let step = 0; step < 18; step++) {
    if (scoreA > scoreB) {
      high = b
      b = a
      scoreB = scoreA
      a = high - golden * (high - low)
      scoreA = score(a)
    } else {
      low = a
      a = b
      scoreA = scoreB
      b = low + golden * (high - low)
      scoreB = score(b)
    }
  }
  const lambda = (low + high) / 2
  const second = moments(scaled.map((t) => yeoJohnson(t, lambda)))
  return {
    forward: (v) => (yeoJohnson((v - first.mean) / span, lambda) - second.mean) / second.sd,
    inverse: (z) => inverseYeoJohnson(z * second.sd + second.mean, lambda) * span + first.mean,
  }
}
