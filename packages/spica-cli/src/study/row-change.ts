import { listHardware } from '@spica/catalog'
import { estimateRow, type KvEstimate, type KvRowOptions } from '@spica/kv-estimate'
import { GPUS_PER_WORKER } from '@spica/parallel-enum'
import { SEARCH_MENUS, SpicaError } from '@spica/schema'

/** Contexts below this are of no use. */
const LEAST_CONTEXT = 256

type Row = Readonly<Record<string, unknown>>

/** Bytes per GPU that one sequence of the longest length lacks; 0 when it fits. */
export function sequenceShortfallBytes(estimate: KvEstimate): number {
  if (holdsSequence(estimate)) return 0
  const { maxSequenceTokens, kvSizePerTokenBytes, stateBytesPerSequence, kvBudgetBytes } = estimate
  return Math.max(1, Math.ceil((maxSequenceTokens + 1) * kvSizePerTokenBytes + stateBytesPerSequence - kvBudgetBytes))
}

/** True when the cache of one GPU holds more than the longest sequence, as enumeration asks. */
export function holdsSequence({ totalKvSizeTokens, maxSequenceTokens }: KvEstimate): boolean {
  return totalKvSizeTokens !== null && totalKvSizeTokens > maxSequenceTokens
}

/**
 * The single changes of a `kv` row that make one sequence of its longest length fit, in words: a shorter context (the longest that
 * fits), more of the memory (up to 0.95), smaller batches, an FP8 cache, more GPUs, another backend, a GPU with more memory. Empty
 * when none is enough or the row fits already.
 */
export function rowChanges(row: Row, options: KvRowOptions): string[] {
  const holds = (patch: Row): boolean => {
    try {
      return holdsSequence(estimateRow({ ...row, ...patch }, options))
    } catch (error) {
      if (error instanceof SpicaError && error.kind === 'input') return false
      throw error
    }
  }
  if (holds({})) return []
  const now = estimateRow(row, options)
  const first = <T>(values: readonly T[], patch: (value: T) => Row): string[] => {
    const found = values.find((value) => holds(patch(value)))
    if (found === undefined) return []
    return [
      Object.entries(patch(found))
        .map(([key, value]) => `--${key.replaceAll('_', '-')} ${String(value)}`)
        .join(' '),
    ]
  }
  const fraction = Number(row['memory_fraction'] ?? 0.9)
  const batched = Number(row['max_num_batched_tokens'] ?? 8192)
  const tp = Number(row['tp'] ?? 1)
  const context = longestContext(now.maxSequenceTokens, (tokens) => holds({ context_length: tokens }))
  return [
    ...(context === null ? [] : [`--context-length ${context} or less (now ${now.maxSequenceTokens})`]),
    ...first(hundredths(fraction), (value) => ({ memory_fraction: value })),
    ...first(powersBelow(batched), (value) => ({ max_num_batched_tokens: value })),
    ...(now.kvFormat === 'fp8' ? [] : first(['fp8'], (value) => ({ kv_cache_dtype: value }))),
    ...first(
      GPUS_PER_WORKER.filter((gpus) => gpus > tp),
      (value) => ({ tp: value }),
    ),
    ...first(
      SEARCH_MENUS.backend.filter((name) => name !== row['backend']),
      (value) => ({ backend: value }),
    ),
    ...first(
      [...listHardware()]
        .filter(({ gpu }) => gpu.memoryCapacityBytes > now.capacityBytes)
        .sort((a, b) => a.gpu.memoryCapacityBytes - b.gpu.memoryCapacityBytes),
      ({ sku }) => ({ hardware_sku: sku }),
    ),
  ]
}

/** Two-digit memory fractions above one, up to 0.95. */
function hundredths(above: number): number[] {
  return Array.from({ length: 95 }, (_, k) => (k + 1) / 100).filter((value) => value > above)
}

/** Powers of two below a number, largest first, down to 512. */
function powersBelow(limit: number): number[] {
  return [16384, 8192, 4096, 2048, 1024, 512].filter((value) => value < limit)
}

function longestContext(now: number, holds: (tokens: number) => boolean): number | null {
  const least = Math.min(LEAST_CONTEXT, now - 1)
  if (least < 1 || !holds(least)) return null
  let good = least
  let bad = now
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (holds(middle)) good = middle
    else bad = middle
  }
  return good
}
