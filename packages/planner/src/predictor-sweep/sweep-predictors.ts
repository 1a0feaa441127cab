import type { Forecaster } from '@spica/schema/core'
import { createForecaster } from '../forecast/create-forecaster.js'
import type { ForecasterSpec } from '../forecast/forecaster-spec.js'
import type { TraceWindow } from './traffic-windows.js'

/** A predictor to try: a preset's name, or a name made for a user's dictionary. */
export interface PredictorCandidate {
  readonly id: string
  readonly spec: ForecasterSpec
}

/** Losses of all candidates on one interval's windows. `loss` is null when no window could be scored. */
export interface PredictorSweepResult {
  readonly intervalSeconds: number
  readonly windows: number
  /** Windows before scoring starts. */
  readonly warmup: number
  readonly losses: Readonly<Record<string, number | null>>
  readonly winner: string
  /** Why this winner, when losses alone do not say. */
  readonly reason: string | null
}

export const FALLBACK_PREDICTOR = 'constant_last'
const WEIGHTS = { inputLoad: 0.4, outputLoad: 0.4, isl: 0.1, osl: 0.1 }

/** |ln(1 + max(p, 0)) − ln(1 + max(a, 0))| */
function logError(predicted: number, actual: number): number {
  return Math.abs(Math.log1p(Math.max(predicted, 0)) - Math.log1p(Math.max(actual, 0)))
}

function windowLoss(predicted: TraceWindow, actual: TraceWindow): number {
  return (
    WEIGHTS.inputLoad * logError(predicted.requests * predicted.isl, actual.requests * actual.isl) +
    WEIGHTS.outputLoad * logError(predicted.requests * predicted.osl, actual.requests * actual.osl) +
    WEIGHTS.isl * logError(predicted.isl, actual.isl) +
    WEIGHTS.osl * logError(predicted.osl, actual.osl)
  )
}

/** One-step-ahead forecasts of every window. */
export function forecastWindows(spec: ForecasterSpec, windows: readonly TraceWindow[]): TraceWindow[] {
  const series = {
    requests: createForecaster(spec),
    isl: createForecaster(spec),
    osl: createForecaster(spec),
  } satisfies Record<keyof TraceWindow, Forecaster>
  let last: TraceWindow = { requests: 0, isl: 0, osl: 0 }
  return windows.map((window) => {
    const raw = {
      requests: series.requests.predictNext(),
      isl: series.isl.predictNext(),
      osl: series.osl.predictNext(),
    }
    const forecast = Object.values(raw).every((value) => Number.isFinite(value)) ? raw : last
    for (const key of ['requests', 'isl', 'osl'] as const) series[key].add(window[key])
    last = window
    return forecast
  })
}

/** Mean loss of one predictor over the windows from `warmup` on; null when there are none. */
export function predictorLoss(spec: ForecasterSpec, windows: readonly TraceWindow[], warmup: number): number | null {
  if (windows.length <= warmup) return null
  const forecasts = forecastWindows(spec, windows)
  let sum = 0
  for (let t = warmup; t < windows.length; t++) sum += windowLoss(forecasts[t], windows[t])
  return sum / (windows.length - warmup)
}

/**
 * Tries every candidate on the same windows with the same warm-up (the largest number of points any of them needs) and picks the
 * lowest loss, the first listed on ties; `constant_last`, with a reason, when nothing could be scored.
 */
export function sweepPredictors(
  windows: readonly TraceWindow[],
  candidates: readonly PredictorCandidate[],
  intervalSeconds: number,
): PredictorSweepResult {
  const warmup = candidates.reduce((most, { spec }) => Math.max(most, createForecaster(spec).minPoints), 1)
  const losses: Record<string, number | null> = {}
  let winner: string | null = null
  let best = Number.POSITIVE_INFINITY
  for (const { id, spec } of candidates) {
    const loss = predictorLoss(spec, windows, warmup)
    losses[id] = loss !== null && Number.isFinite(loss) ? loss : null
    if (loss !== null && loss < best) {
      best = loss
      winner = id
    }
  }
  const reason =
    winner !== null
      ? null
      : `the trace has ${windows.length} windows of ${intervalSeconds} s, none left after a warm-up of ${warmup}`
  return { intervalSeconds, windows: windows.length, warmup, losses, winner: winner ?? FALLBACK_PREDICTOR, reason }
}
