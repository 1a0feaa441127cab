import { naturalLog } from '../random/natural-log.js'
import type { StdRng } from '../random/std-rng.js'
import type { LengthShape } from './synth-options.js'

/** 99 % quantile of the standard normal distribution. */
const NORMAL_P99 = 2.3263478740408408

/** One standard normal draw (Box–Muller; the second of each pair is not used). */
export function normalDraw(rng: StdRng): number {
  const radius = Math.sqrt(-2 * naturalLog(1 - rng.float64()))
  return radius * Math.cos(2 * Math.PI * rng.float64())
}

/**
 * One gamma draw with mean 1 and the given coefficient of variation (Marsaglia and Tsang, "A simple method for generating
 * gamma variables", 2000); 1 for variation 0.
 */
export function gammaGap(rng: StdRng, variation: number): number {
  if (variation === 0) return 1
  if (variation === 1) return -naturalLog(1 - rng.float64())
  const shape = 1 / (variation * variation)
  const boost = shape < 1 ? (1 - rng.float64()) ** (1 / shape) : 1
  const d = (shape < 1 ? shape + 1 : shape) - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normalDraw(rng)
    const v = (1 + c * x) ** 3
    if (v <= 0) continue
    if (naturalLog(1 - rng.float64()) < 0.5 * x * x + d - d * v + d * naturalLog(v)) return (d * v * boost) / shape
  }
}

/** Draws lengths of a shape, whole tokens. */
export function lengthSampler(rng: StdRng, shape: LengthShape, least: number): () => number {
  const min = Math.max(least, shape.min ?? least)
  const max = shape.max ?? 0x7fffffff
  const clamp = (tokens: number): number => Math.min(max, Math.max(min, Math.round(tokens)))
  const sigma = spread(shape)
  if (sigma === 0) return () => clamp(shape.mean)
  const mu = naturalLog(shape.mean) - (sigma * sigma) / 2
  return () => clamp(Math.exp(mu + sigma * normalDraw(rng)))
}

/** Standard deviation of the logarithm. */
function spread(shape: LengthShape): number {
  if (shape.p50 !== undefined) return Math.sqrt(2 * naturalLog(shape.mean / shape.p50))
  if (shape.p99 === undefined) return 0
  // p99 = mean · exp(z·σ − σ²/2): the smaller root
  const discriminant = Math.max(0, NORMAL_P99 * NORMAL_P99 - 2 * naturalLog(shape.p99 / shape.mean))
  return NORMAL_P99 - Math.sqrt(discriminant)
}

/** Draws 0 … groups − 1 with weights 1/(i + 1)^exponent. */
export function zipfSampler(rng: StdRng, groups: number, exponent: number): () => number {
  const cumulative = new Float64Array(groups)
  let total = 0
  for (let group = 0; group < groups; group++) {
    total += (group + 1) ** -exponent
    cumulative[group] = total
  }
  return () => {
    const target = rng.float64() * total
    let low = 0
    let high = groups - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle]! > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
