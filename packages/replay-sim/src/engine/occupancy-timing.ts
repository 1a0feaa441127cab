import type { OperatorTime, PassQuery, PerfModel } from '@spica/schema'

/** Prefill time of `tokens` new prompt tokens in one pass, ms (fit of the upstream mocker). */
function prefillMs(batch: number, meanIsl: number, meanPrefix: number): number {
  if (batch === 0 || meanIsl <= meanPrefix) return 0
  const tokens = batch * (meanIsl - meanPrefix)
  return Math.max(0, 4.209989e-7 * (tokens * tokens) + 1.518344e-2 * tokens + 16.50142)
}

/** Decode time from pool occupancy alone, ms (fit of the upstream mocker). */
function decodeMs(batch: number, activeKvTokens: number, _meanContext: number, totalKvTokens: number): number {
  if (batch === 0) return 0
  const r = totalKvTokens === 0 ? 1 : activeKvTokens / totalKvTokens
  return Math.max(1, -25.74 * (r * r) + 54.01 * r + 5.74)
}

function explain(query: PassQuery): readonly OperatorTime[] {
  const ms =
    query.phase === 'prefill'
      ? prefillMs(query.batch, query.isl, query.prefix)
      : decodeMs(query.batch, query.activeKvTokens ?? 0, query.context, query.totalKvTokens ?? 0)
  return [{ name: query.phase, ms, source: 'polynomial' }]
}

/** The timing upstream's mocker uses when no model is given: quadratic in new tokens, and in KV occupancy for decode. */
export const occupancyTiming: PerfModel = { name: 'polynomial', prefillMs, decodeMs, explain }
