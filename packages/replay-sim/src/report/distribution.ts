import type { SortedGaps } from './sorted-gaps.js'

/** Percentiles reported for every metric, with upstream's key prefixes. */
const PERCENTILES: readonly (readonly [string, number])[] = [
  ['median', 50],
  ['p75', 75],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
]

/** Target of the distribution keys. */
export type ReportDraft = Record<string, number>

/** Adds `mean_…`, `min_…`, `max_…`, `std_…` (population) and the percentile keys of plain samples; zeros when empty. */
export function addDistribution(report: ReportDraft, name: string, samples: Float64Array): void {
  const { length } = samples
  if (length === 0) {
    addZeros(report, name)
    return
  }
  let sum = 0
  for (let index = 0; index < length; index++) sum += samples[index]!
  const mean = sum / length
  let squares = 0
  for (let index = 0; index < length; index++) squares += (samples[index]! - mean) ** 2
  const sorted = samples.slice().sort()
  report[`mean_${name}`] = mean
  report[`min_${name}`] = sorted[0]!
  report[`max_${name}`] = sorted[length - 1]!
  report[`std_${name}`] = Math.sqrt(squares / length)
  for (const [key, percent] of PERCENTILES) report[`${key}_${name}`] = sorted[rank(length, percent)]!
}

/** The same for weighted gaps mapped through a monotone function; exact, where upstream uses a 0.1 % sketch. */
export function addWeightedDistribution(
  report: ReportDraft,
  name: string,
  gaps: SortedGaps,
  firstPair: number,
  map: (gapMs: number) => number,
  descending: boolean,
): void {
  const values = new Float64Array(gaps.count)
  let total = 0
  let sum = 0
  for (let pair = firstPair; pair < gaps.count; pair++) {
    const value = map(gaps.gapMs[pair]!)
    values[pair] = value
    total += gaps.weight[pair]!
    sum += value * gaps.weight[pair]!
  }
  if (total === 0) {
    addZeros(report, name)
    return
  }
  const mean = sum / total
  let squares = 0
  for (let pair = firstPair; pair < gaps.count; pair++) squares += gaps.weight[pair]! * (values[pair]! - mean) ** 2
  const first = values[firstPair]!
  const last = values[gaps.count - 1]!
  report[`mean_${name}`] = mean
  report[`min_${name}`] = descending ? last : first
  report[`max_${name}`] = descending ? first : last
  report[`std_${name}`] = Math.sqrt(squares / total)
  addWeightedPercentiles(report, name, gaps.weight, values, firstPair, total, descending)
}

/** Walks the pairs once; ranks count from the other end where the map turned the order round. */
function addWeightedPercentiles(
  report: ReportDraft,
  name: string,
  weight: Float64Array,
  values: Float64Array,
  firstPair: number,
  total: number,
  descending: boolean,
): void {
  let pair = firstPair
  let seen = weight[firstPair]!
  for (let index = 0; index < PERCENTILES.length; index++) {
    const [key, percent] = PERCENTILES[descending ? PERCENTILES.length - 1 - index : index]!
    const target = descending ? total - 1 - rank(total, percent) : rank(total, percent)
    while (seen <= target) seen += weight[++pair]!
    report[`${key}_${name}`] = values[pair]!
  }
}

/** Index of a percentile among n sorted samples: (n − 1)·p/100, halves rounded up, no interpolation. */
function rank(samples: number, percent: number): number {
  return Math.min(samples - 1, Math.floor(((samples - 1) * percent) / 100 + 0.5))
}

function addZeros(report: ReportDraft, name: string): void {
  for (const key of ['mean', 'min', 'max', 'std']) report[`${key}_${name}`] = 0
  for (const [key] of PERCENTILES) report[`${key}_${name}`] = 0
}
