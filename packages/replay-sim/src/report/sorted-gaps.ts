import type { GapLog } from './gap-log.js'

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Distinct gaps in ascending order with their total weights. */
export interface SortedGaps {
  readonly count: number
  readonly gapMs: Float64Array
  readonly weight: Float64Array
}

/** Up to here merging through a map is quicker, above it sorting first takes less memory. */
const MAPPED_PAIRS = 1 << 17

/**
 * Pairs sorted by gap with equal gaps merged and weightless ones left out, so that sums do not depend on how an engine
 * batched its records.
 */
export function sortGaps(log: GapLog): SortedGaps {
  return log.count <= MAPPED_PAIRS ? mergeThenSort(log) : sortThenMerge(log)
}

function mergeThenSort(log: GapLog): SortedGaps {
  const weightOf = new Map<number, number>()
  for (let pair = 0; pair < log.count; pair++) {
    const weight = log.weight[pair]!
    if (weight === 0) continue
    const gap = log.gapMs[pair]!
    const total = (weightOf.get(gap) ?? 0) + weight
    if (total === 0) weightOf.delete(gap)
    else weightOf.set(gap, total)
  }
  const gapMs = Float64Array.from(weightOf.keys()).sort()
  const weight = new Float64Array(gapMs.length)
  for (let index = 0; index < gapMs.length; index++) weight[index] = weightOf.get(gapMs[index]!)!
  return { count: gapMs.length, gapMs, weight }
}

/** Radix sort on the bits of the gaps: non-negative doubles order as their bit patterns do. */
export function sortThenMerge(log: GapLog): SortedGaps {
  const gaps = new Float64Array(log.count)
  const weights = new Float64Array(log.count)
  let count = 0
  for (let pair = 0; pair < log.count; pair++) {
    if (log.weight[pair] === 0) continue
    gaps[count] = log.gapMs[pair]!
    weights[count] = log.weight[pair]!
    count++
  }
  const order = sortedOrder(gaps, count)
  const gapMs = new Float64Array(count)
  const weight = new Float64Array(count)
  let merged = -1
  let last = Number.NaN
  for (let position = 0; position < count; position++) {
    const pair = order[position]!
    if (gaps[pair] !== last) {
      last = gaps[pair]!
      if (merged < 0 || weight[merged] !== 0) merged++
      gapMs[merged] = last
    }
    weight[merged]! += weights[pair]!
  }
  return { count: merged >= 0 && weight[merged] === 0 ? merged : merged + 1, gapMs, weight }
}

/** Positions of the first `count` values in ascending order. */
function sortedOrder(values: Float64Array, count: number): Uint32Array {
  const words = new Uint32Array(values.buffer)
  const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
  const low = new Uint32Array(count)
  const high = new Uint32Array(count)
  let order = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    order[index] = index
    low[index] = words[2 * index + (littleEndian ? 0 : 1)]!
    high[index] = words[2 * index + (littleEndian ? 1 : 0)]!
  }
  let target = new Uint32Array(count)
  for (let pass = 0; pass < 6; pass++) {
    if (!sortByDigit(pass < 3 ? low : high, (pass % 3) * DIGIT_BITS, order, target)) continue
    const swap = order
    order = target
    target = swap
  }
  return order
}

/** One stable counting pass; false when the digit is the same everywhere. */
function sortByDigit(keys: Uint32Array, shift: number, order: Uint32Array, target: Uint32Array): boolean {
  const count = keys.length
  const mask = DIGITS - 1
  const buckets = new Uint32Array(DIGITS)
  for (let index = 0; index < count; index++) buckets[(keys[index]! >>> shift) & mask]!++
  if (buckets.includes(count)) return false
  let sum = 0
  for (let bucket = 0; bucket < DIGITS; bucket++) {
    const size = buckets[bucket]!
    buckets[bucket] = sum
    sum += size
  }
  for (let position = 0; position < count; position++) {
    const index = order[position]!
    target[buckets[(keys[index]! >>> shift) & mask]!++] = index
  }
  return true
}
