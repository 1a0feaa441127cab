import type { OperatorTime, PassQuery, PerfModel } from '@spica/schema'

/**
 * The replay engine's built-in polynomial. Prefill is a quadratic in the new tokens of the pass, decode a quadratic in the
 * share of the KV pool in use; batch and context of decode are ignored. Sums are evaluated square first, because other orders
 * flip ties when a time is rounded to whole nanoseconds. Decode peaks at about 105 % occupancy, beyond any legal pool.
 */
export function createPolynomialModel(): PerfModel {
  return {
    name: 'polynomial',
    prefillMs: polynomialPrefillMs,
    decodeMs(batch: number, activeKvTokens: number, _meanContext: number, totalKvTokens: number): number {
      return polynomialDecodeMs(batch, activeKvTokens, totalKvTokens)
    },
    explain(query: PassQuery): readonly OperatorTime[] {
      const ms =
        query.phase === 'prefill'
          ? polynomialPrefillMs(query.batch, query.isl, query.prefix)
          : polynomialDecodeMs(
              query.batch,
              query.activeKvTokens ?? query.batch * query.context,
              query.totalKvTokens ?? 0,
            )
      return [{ name: query.phase, ms, source: 'polynomial' }]
    },
  }
}

function polynomialPrefillMs(batch: number, meanIsl: number, meanPrefix: number): number {
  if (batch === 0 || meanIsl <= meanPrefix) return 0
  const tokens = batch * (meanIsl - meanPrefix)
  return Math.max(0, 4.209989e-7 * (tokens * tokens) + 1.518344e-2 * tokens + 16.50142)
}

function polynomialDecodeMs(batch: number, activeKvTokens: number, totalKvTokens: number): number {
  if (batch === 0) return 0
  const occupancy = totalKvTokens === 0 ? 1 : activeKvTokens / totalKvTokens
  return Math.max(1, -25.74 * (occupancy * occupancy) + 54.01 * occupancy + 5.74)
}
