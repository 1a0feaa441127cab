import type { TrialRecord } from './trial-record.js'

/** Counts of trials so far. `asked` is the sum of the others. */
export interface Tally {
  asked: number
  feasible: number
  infeasible: number
  failed: number
  unsupported: number
  timed_out: number
  cache_hit: number
}

export function emptyTally(): Tally {
  return { asked: 0, feasible: 0, infeasible: 0, failed: 0, unsupported: 0, timed_out: 0, cache_hit: 0 }
}

/** Counts one finished trial in. */
export function countTrial(tally: Tally, record: TrialRecord): void {
  tally.asked++
  if (record.status === 'timed-out') tally.timed_out++
  else if (record.status === 'cache-hit') tally.cache_hit++
  else tally[record.status]++
}

/** Distinct failure reasons with how often each came, most frequent first; the first `limit` of them and how many more. */
export function summariseReasons(
  records: readonly TrialRecord[],
  limit: number,
): { shown: { message: string; count: number }[]; more: number } {
  const counts = new Map<string, number>()
  for (const record of records) {
    if (record.reason === null || record.status === 'cache-hit') continue
    counts.set(record.reason.message, (counts.get(record.reason.message) ?? 0) + 1)
  }
  const sorted = [...counts].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count)
  return { shown: sorted.slice(0, limit), more: Math.max(0, sorted.length - limit) }
}
