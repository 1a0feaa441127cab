const SQRT_2PI = Math.sqrt(2 * Math.PI)

/**
 * Φ(−x) exp(x²/2) for x ≥ 0: the rational fit of J. F. Hart (1968, algorithm 5666) below 5, a continued fraction above.
 * At least 10 significant digits.
 */
function scaledTail(x: number): number {
  if (x > 5) {
    let f = x
    for (let k = 30; k >= 1; k--) f = x + k / f
    return 1 / (f * SQRT_2PI)
  }
  let p = 3.52624965998911e-2 * x + 0.700383064443688
  p = p * x + 6.37396220353165
  p = p * x + 33.912866078383
  p = p * x + 112.079291497871
  p = p * x + 221.213596169931
  p = p * x + 220.206867912376
  let q = 8.83883476483184e-2 * x + 1.75566716318264
  q = q * x + 16.064177579207
  q = q * x + 86.7807322029461
  q = q * x + 296.564248779674
  q = q * x + 637.333633378831
  q = q * x + 793.826512519948
  q = q * x + 440.413735824752
  return p / q
}

/** Standard normal density. */
export function normalPdf(z: number): number {
  return Math.exp(-0.5 * z * z) / SQRT_2PI
}

/** Standard normal distribution function. */
export function normalCdf(z: number): number {
  const tail = Math.exp(-0.5 * z * z) * scaledTail(Math.abs(z))
  return z > 0 ? 1 - tail : tail
}

/** log Φ(z), accurate far into the lower tail. */
export function logNormalCdf(z: number): number {
  return z > 0 ? Math.log1p(-normalCdf(-z)) : -0.5 * z * z + Math.log(scaledTail(-z))
}

/** φ(z)/Φ(z), the derivative of log Φ. */
export function inverseMills(z: number): number {
  return z > 0 ? normalPdf(z) / normalCdf(z) : 1 / (SQRT_2PI * scaledTail(-z))
}

/** h(z) exp(z²/2) for z ≤ 0, by the asymptotic series of its difference where that cancels. */
function scaledExpectedPositive(z: number): number {
  if (z > -12) return 1 / SQRT_2PI + z * scaledTail(-z)
  const u = 1 / (z * z)
  return (u * (1 - u * (3 - u * (15 - u * (105 - u * (945 - u * 10395)))))) / SQRT_2PI
}

/** h(z) = φ(z) + z Φ(z), the mean of max(0, z + N(0, 1)). */
export function expectedPositive(z: number): number {
  return z > 0 ? z + expectedPositive(-z) : Math.exp(-0.5 * z * z) * scaledExpectedPositive(z)
}

/** log h(z) without underflow (Ament et al. 2023). */
export function logExpectedPositive(z: number): number {
  return z > 0 ? Math.log(expectedPositive(z)) : -0.5 * z * z + Math.log(scaledExpectedPositive(z))
}

/** Derivative of log h: Φ(z)/h(z). */
export function logExpectedPositiveSlope(z: number): number {
  return z > 0 ? normalCdf(z) / expectedPositive(z) : scaledTail(-z) / scaledExpectedPositive(z)
}
