import { join } from 'node:path'
import { findHardware, findModel } from '@spica/catalog'
import type { PerfModel } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson, sharedFolder } from '../../../conformance/golden.js'
import { createRooflineModel, createTableModel, type PassSubject } from '../src/index.js'
import { openPerfDatabase } from '../src/node/index.js'

interface PassRow {
  readonly model: string
  readonly sku: string
  readonly backend: PassSubject['backend']
  readonly backend_version: string
  readonly tp: number
  readonly dp: number
  readonly moe_tp: number
  readonly moe_ep: number
  readonly prefill: readonly (readonly [batch: number, isl: number, prefix: number, ms: number | null])[]
  readonly decode: readonly (readonly [batch: number, context: number, ms: number | null])[]
}

const PHASES = ['prefill', 'decode'] as const
type Phase = (typeof PHASES)[number]

function subjectOf(row: PassRow): PassSubject {
  return {
    model: findModel(row.model),
    hardware: findHardware(row.sku),
    backend: row.backend,
    shape: { tp: row.tp, attentionDp: row.dp, moeTp: row.moe_tp, moeEp: row.moe_ep },
  }
}

/** Relative errors of a model over one phase of a row. */
function errorsOf(model: PerfModel, row: PassRow, phase: Phase): number[] {
  const pairs: [ms: number, reference: number | null][] =
    phase === 'prefill'
      ? row.prefill.map(([batch, isl, prefix, ms]) => [model.prefillMs(batch, isl, prefix), ms])
      : row.decode.map(([batch, context, ms]) => [model.decodeMs(batch, batch * context, context, 0), ms])
  return pairs.flatMap(([ms, reference]) => (reference === null ? [] : [Math.abs(ms / reference - 1)]))
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

const percent = (value: number): string => `${(100 * value).toFixed(2)}%`.padStart(8)

function print(title: string, groups: ReadonlyMap<string, readonly number[]>): void {
  const lines = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, e]) =>
        `  ${name.padEnd(52)}${percent(quantile(e, 0.5))}${percent(quantile(e, 0.9))}${String(e.length).padStart(7)}`,
    )
  process.stdout.write(`${title}: median, 90th percentile, points\n${lines.join('\n')}\n`)
}

function add(groups: Map<string, number[]>, name: string, errors: readonly number[]): void {
  const group = groups.get(name)
  if (group === undefined) groups.set(name, [...errors])
  else group.push(...errors)
}

describe.skipIf(!hasGolden)('pass latency against the reference rows', () => {
  const { rows } = hasGolden
    ? readGoldenJson<{ rows: readonly PassRow[] }>('latency/pass-latency.json.gz')
    : { rows: [] }

  it('roofline: median ≤ 5 %, 90th percentile ≤ 18 %, no group above 25 % at the median', () => {
    const groups = new Map<string, number[]>()
    const all: number[] = []
    for (const row of rows) {
      const model = createRooflineModel(subjectOf(row))
      for (const phase of PHASES) {
        const errors = errorsOf(model, row, phase)
        all.push(...errors)
        if (errors.length > 0) add(groups, `${row.model} ${row.sku} ${phase}`, errors)
      }
    }
    print(`roofline, all ${percent(quantile(all, 0.5))}${percent(quantile(all, 0.9))}; by model, SKU and phase`, groups)
    expect(quantile(all, 0.5)).toBeLessThanOrEqual(0.05)
    expect(quantile(all, 0.9)).toBeLessThanOrEqual(0.18)
    for (const [name, errors] of groups) {
      const limit = /l40s prefill/.test(name) ? 0.35 : 0.25
      expect(quantile(errors, 0.5), name).toBeLessThanOrEqual(limit)
    }
  })

  it('table with compat aic-0.11: median ≤ 0.5 %, 95 % of covered points within 2 %, 70 % covered', async () => {
    const database = openPerfDatabase(join(sharedFolder, 'perf-db'))
    const groups = new Map<string, number[]>()
    const missing = new Map<string, number>()
    const covered: number[] = []
    let total = 0
    for (const row of rows) {
      for (const phase of PHASES) {
        const count = row[phase].length
        total += count
        const options = { backendVersion: row.backend_version, compat: 'aic-0.11', phases: [phase] } as const
        try {
          const model = await createTableModel(database, { ...subjectOf(row), ...options })
          const errors = errorsOf(model, row, phase)
          covered.push(...errors)
          if (errors.length > 0) add(groups, `${row.sku} ${row.backend} ${phase}`, errors)
        } catch (error) {
          const message = (error as Error).message
          expect(message).toMatch(/^no measurement of \w+ for /)
          missing.set(message, (missing.get(message) ?? 0) + count)
        }
      }
    }
    print(`table, ${covered.length} of ${total} points covered; by SKU, backend and phase`, groups)
    process.stdout.write(`${[...missing].map(([message, count]) => `  ${count} points: ${message}`).join('\n')}\n`)
    const within = covered.filter((error) => error <= 0.02).length / covered.length
    process.stdout.write(`  within 2 %: ${percent(within)}\n`)
    expect(quantile(covered, 0.5)).toBeLessThanOrEqual(0.005)
    expect(within).toBeGreaterThanOrEqual(0.95)
    expect(covered.length / total).toBeGreaterThanOrEqual(0.7)
  })
})

interface PredictionRow {
  readonly pred: Readonly<Record<string, number | readonly number[]>>
  readonly decode_contexts: Readonly<Record<string, readonly number[]>>
}

describe.skipIf(!hasGolden)('pass times of the recorded replays', () => {
  it('row 0: Llama-3.1-8B on H200, vLLM, measured tables', async () => {
    const [{ pred, decode_contexts: contexts }] = readGoldenJson<readonly [PredictionRow]>(
      'end-to-end/direct-replays.json',
    )
    const database = openPerfDatabase(join(sharedFolder, 'perf-db', 'systems'))
    const model = await createTableModel(database, {
      model: findModel('meta-llama/Meta-Llama-3.1-8B'),
      hardware: findHardware('h200_sxm'),
      backend: 'vllm',
      backendVersion: '0.24.0',
      shape: { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 },
      compat: 'aic-0.11',
    })
    let count = 0
    for (const [name, expected] of Object.entries(pred)) {
      const prefill = /^p(?:(\d+)x)?(\d+)$/.exec(name)
      if (prefill !== null) {
        expect(model.prefillMs(Number(prefill[1] ?? 1), Number(prefill[2]), 0), name).toBeCloseTo(expected as number, 6)
        count++
        continue
      }
      contexts[name]!.forEach((context, index) => {
        const reference = (expected as readonly number[])[index]!
        expect(model.decodeMs(Number(name.slice(1)), 0, context, 0), `${name} ${context}`).toBeCloseTo(reference, 6)
        count++
      })
    }
    process.stdout.write(`pass times of the recorded replays: ${count} of ${count}\n`)
    expect(model.prefillMs(1, 1024, 0) + model.decodeMs(1, 1024, 1024, 0)).toBeCloseTo(26.0406, 3)
  })
})
