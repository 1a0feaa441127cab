import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { type ForecasterSpec, forecastWindows, sweepPredictors, traceWindows } from '../src/index.js'

interface GoldenPreset {
  readonly loss: number | string
  readonly pred: readonly [number[], number[], number[]]
}
interface GoldenCase {
  readonly trace: string
  readonly interval_s: number
  readonly warmup: number
  readonly windows: readonly [number, number, number][]
  readonly presets: Readonly<Record<string, GoldenPreset | null>>
  readonly complete: boolean
  readonly winner: string | null
}

const BASE = { log1p: false, windowSize: 50, qLevel: 1, qTrend: 0.1, r: 10, minPoints: 5 }
const REACTIVE = { qLevel: 10, qTrend: 1, r: 5, minPoints: 3 }
const PRESETS: Readonly<Record<string, Partial<ForecasterSpec> & Pick<ForecasterSpec, 'family'>>> = {
  constant_last: { family: 'constant' },
  arima_raw: { family: 'arima' },
  arima_log1p: { family: 'arima', log1p: true },
  prophet_w20_raw: { family: 'prophet', windowSize: 20 },
  prophet_w20_log1p: { family: 'prophet', windowSize: 20, log1p: true },
  prophet_w50_raw: { family: 'prophet' },
  prophet_w50_log1p: { family: 'prophet', log1p: true },
  kalman_default_raw: { family: 'kalman' },
  kalman_default_log1p: { family: 'kalman', log1p: true },
  kalman_reactive_raw: { family: 'kalman', ...REACTIVE },
  kalman_reactive_log1p: { family: 'kalman', ...REACTIVE, log1p: true },
}
/** Relative tolerance of a loss by family. */
const TOLERANCE = { constant: 1e-8, kalman: 1e-8, prophet: 0.03, arima: 0.1 }

function specOf(id: string, intervalSeconds: number): ForecasterSpec {
  return { ...BASE, intervalSeconds, ...PRESETS[id] } as ForecasterSpec
}

function windowsOf(trace: string, intervalSeconds: number) {
  const rows = readGoldenText(`predictors/traces/${trace}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { timestamp: number; input_length: number; output_length: number })
  const columns = {
    timestampMs: rows.map((row) => row.timestamp),
    inputTokens: rows.map((row) => row.input_length),
    outputTokens: rows.map((row) => row.output_length),
  }
  return traceWindows(columns, intervalSeconds)
}

const cases = hasGolden ? readGoldenJson<{ cases: GoldenCase[] }>('predictors/predictors.json').cases : []

describe.skipIf(!hasGolden)('load predictors on the golden traces', () => {
  for (const golden of cases) {
    const name = `${golden.trace} at ${golden.interval_s} s`
    it(`${name}: windows, losses and winner`, () => {
      const windows = windowsOf(golden.trace, golden.interval_s)
      expect(windows.length).toBe(golden.windows.length)
      windows.forEach((window, i) => {
        const [requests, isl, osl] = golden.windows[i] ?? []
        expect(window.requests).toBe(requests)
        expect(window.isl).toBeCloseTo(isl ?? Number.NaN, 6)
        expect(window.osl).toBeCloseTo(osl ?? Number.NaN, 6)
      })
      const measured = Object.keys(PRESETS).filter((id) => golden.presets[id] != null)
      const result = sweepPredictors(
        windows,
        measured.map((id) => ({ id, spec: specOf(id, golden.interval_s) })),
        golden.interval_s,
      )
      expect(result.warmup).toBe(golden.warmup)
      for (const id of measured) {
        const expected = Number(golden.presets[id]?.loss)
        const loss = result.losses[id]
        if (!Number.isFinite(expected)) {
          expect(loss, id).toBeNull()
          continue
        }
        const tolerance = TOLERANCE[specOf(id, golden.interval_s).family]
        expect(Math.abs((loss ?? Number.NaN) - expected), `${id}: ${loss} against ${expected}`).toBeLessThanOrEqual(
          tolerance * expected + 1e-9,
        )
      }
      if (!golden.complete || golden.winner === null) return
      const bestLoss = Number(golden.presets[golden.winner]?.loss)
      const chosen = Number(golden.presets[result.winner]?.loss)
      const slack = TOLERANCE[specOf(result.winner, golden.interval_s).family]
      expect(result.winner === golden.winner || chosen <= bestLoss * (1 + slack), `winner ${result.winner}`).toBe(true)
    })

    it(`${name}: constant and Kalman forecasts to 1e-8`, () => {
      for (const [id, { family }] of Object.entries(PRESETS)) {
        const expected = golden.presets[id]
        if (expected == null || (family !== 'constant' && family !== 'kalman')) continue
        const forecasts = forecastWindows(specOf(id, golden.interval_s), windowsOf(golden.trace, golden.interval_s))
        forecasts.forEach((forecast, t) => {
          ;[forecast.requests, forecast.isl, forecast.osl].forEach((value, series) => {
            const reference = expected.pred[series]?.[t] ?? Number.NaN
            expect(Math.abs(value - reference) / Math.max(1, Math.abs(reference)), `${id} ${t}`).toBeLessThan(1e-8)
          })
        })
      }
    })
  }
})
