import type { OperatorSource } from '@spica/schema'

/** A measured curve: time in ms over one growing quantity (rows, tokens, elements). */
export interface Curve {
  readonly xs: Float64Array
  readonly ms: Float64Array
}

/** From here on a point right behind another only shows the step of a tile; a continuous curve leaves it out. */
const FIRST_STEP = 17

/**
 * Sorts points into a curve; the first of equal x wins. With `smooth`, time never falls as x grows, and the steps that sweeps
 * measure at x and x + 1 are left out.
 */
export function buildCurve(points: readonly (readonly [x: number, ms: number])[], smooth: boolean): Curve {
  const seen = new Map<number, number>()
  for (const [x, ms] of points) if (!seen.has(x)) seen.set(x, ms)
  const all = Float64Array.from(seen.keys()).sort()
  const xs = smooth ? all.filter((x) => x < FIRST_STEP || !seen.has(x - 1)) : all
  const ms = xs.map((x) => seen.get(x)!)
  if (smooth) makeMonotone(ms)
  return { xs, ms }
}

/** Replaces values by the middle of the lowest rising curve above them and the highest rising curve below. */
function makeMonotone(values: Float64Array): void {
  const below = Float64Array.from(values)
  for (let index = values.length - 2; index >= 0; index--) below[index] = Math.min(below[index]!, below[index + 1]!)
  let above = 0
  for (let index = 0; index < values.length; index++) {
    above = Math.max(above, values[index]!)
    values[index] = (above + below[index]!) / 2
  }
}

/** Index of the last x not above the query, -1 below the first. */
export function lowerIndex(xs: Float64Array, x: number): number {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (xs[middle]! <= x) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** True when x lies inside the measured range. */
export function covers(curve: Curve, x: number): boolean {
  return curve.xs.length > 0 && x >= curve.xs[0]! && x <= curve.xs[curve.xs.length - 1]!
}

/** Linear interpolation inside the measured range. */
export function interpolate(curve: Curve, x: number): number {
  const { xs, ms } = curve
  const index = lowerIndex(xs, x)
  const left = xs[index]!
  if (left === x || index === xs.length - 1) return ms[index]!
  const low = ms[index]!
  return low + ((ms[index + 1]! - low) * (x - left)) / (xs[index + 1]! - left)
}

/** Where a value of the curve comes from. */
export function curveSource(curve: Curve, x: number): OperatorSource {
  if (!covers(curve, x)) return 'extrapolated'
  return curve.xs[lowerIndex(curve.xs, x)] === x ? 'measured' : 'interpolated'
}

/**
 * Time at any x: linear inside; outside, the speed of light at x over the utilisation held from the end, the median of the
 * last `tail` points.
 */
export function evaluateCurve(curve: Curve, x: number, speedOfLight: (x: number) => number, tail: number): number {
  if (covers(curve, x)) return interpolate(curve, x)
  const { xs, ms } = curve
  const size = Math.min(tail, xs.length)
  const start = x > xs[xs.length - 1]! ? xs.length - size : 0
  const utilisations: number[] = []
  for (let index = start; index < start + size; index++) utilisations.push(speedOfLight(xs[index]!) / ms[index]!)
  utilisations.sort((a, b) => a - b)
  const middle = utilisations.length >> 1
  const held =
    utilisations.length % 2 === 1 ? utilisations[middle]! : (utilisations[middle - 1]! + utilisations[middle]!) / 2
  return speedOfLight(x) / held
}
