import type { ReplayReport } from '@spica/schema'
import type { RequestRow } from '../src/index.js'

const IGNORED = /^wall_time_ms$|^processed_.*_per_s$/
const SKETCHED = /^(median|p75|p90|p95|p99)_(itl_ms|output_token_throughput_per_user)$/

/** Keys whose values differ by more than the golden README allows, with both values. */
export function reportDifferences(ours: ReplayReport, golden: Record<string, number>, loosest = 0): string[] {
  const differences: string[] = []
  for (const [key, expected] of Object.entries(golden)) {
    if (IGNORED.test(key)) continue
    const value = ours[key]
    const tolerance = Math.max(loosest, SKETCHED.test(key) ? 2.5e-3 : key.startsWith('std_') ? 1e-6 : 1e-8)
    if (value === undefined || !(Math.abs(value - expected) <= tolerance * Math.max(1e-3, Math.abs(expected)))) {
      differences.push(`${key}: ${value} instead of ${expected}`)
    }
  }
  return differences
}

const UNCOMPARED = new Set(['uuid'])

/** Rows as tuples in an order that does not depend on ties. */
function canonical(rows: readonly RequestRow[], keys: readonly string[]): (number | string | null)[][] {
  const tuples = rows.map((row) =>
    keys.map((key) => (row as unknown as Record<string, number | string | null>)[key] ?? null),
  )
  const text = (value: number | string | null): string | number => value ?? -1
  return tuples.sort((a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const x = text(a[k]!)
      const y = text(b[k]!)
      if (typeof x === 'number' && typeof y === 'number') {
        if (Math.abs(x - y) > 1e-6) return x - y
      } else if (x !== y) return String(x) < String(y) ? -1 : 1
    }
    return 0
  })
}

/** How per-request rows differ; worker labels are left out when the peer draws them at random. */
export function rowDifferences(
  ours: readonly RequestRow[],
  golden: readonly RequestRow[],
  withWorkers: boolean,
): string[] {
  if (ours.length !== golden.length) return [`${ours.length} rows instead of ${golden.length}`]
  if (golden.length === 0) return []
  const keys = Object.keys(golden[0]!).filter(
    (key) => !UNCOMPARED.has(key) && (withWorkers || !key.endsWith('worker_idx')),
  )
  const a = canonical(ours, keys)
  const b = canonical(golden, keys)
  const differences: string[] = []
  for (let row = 0; row < a.length; row++) {
    for (let k = 0; k < keys.length; k++) {
      const x = a[row]![k]!
      const y = b[row]![k]!
      const close =
        typeof x === 'number' && typeof y === 'number' && Math.abs(x - y) <= Math.max(1e-6, 1e-9 * Math.abs(y))
      if (x !== y && !close) differences.push(`row ${row} ${keys[k]}: ${x} instead of ${y}`)
    }
  }
  return differences
}
