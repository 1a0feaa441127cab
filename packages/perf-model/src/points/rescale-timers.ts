import { type PassScale, type PassTimers, type PhaseTimers, passTimer } from '../pass-timers.js'
import type { PerfPoint } from './perf-point.js'

/**
 * Timers whose efficiency follows the user's points. Per phase, the ratio of measured to predicted time is taken at each
 * point; with four points or more that span a factor of two, one ratio for small and one for large passes, blended in the
 * logarithm of the predicted time, else their median. Time never falls as a pass grows.
 */
export function rescaleTimers(timers: PassTimers, points: readonly PerfPoint[]): PassTimers {
  return {
    prefill: rescalePhase(timers.prefill, points, 'prefill'),
    decode: rescalePhase(timers.decode, points, 'decode'),
  }
}

interface Ratio {
  readonly predictedMs: number
  readonly ratio: number
}

function ratiosOf(phase: PhaseTimers, points: readonly PerfPoint[], name: PerfPoint['phase']): readonly Ratio[] {
  const time = passTimer(phase)
  return points
    .filter((point) => point.phase === name)
    .map((point) => {
      const predictedMs =
        point.phase === 'prefill'
          ? time(point.batch, point.isl, point.prefix)
          : time(point.batch, point.context + 1, point.context)
      return { predictedMs, ratio: point.ms / predictedMs }
    })
    .sort((a, b) => a.predictedMs - b.predictedMs)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function rescalePhase(phase: PhaseTimers, points: readonly PerfPoint[], name: PerfPoint['phase']): PhaseTimers {
  const ratios = ratiosOf(phase, points, name)
  return ratios.length === 0 ? phase : { operators: phase.operators, scale: scaleOf(ratios) }
}

/** Scale as a function of the predicted ms of a pass: constant, or from small to large passes along log time. */
function scaleOf(ratios: readonly Ratio[]): PassScale {
  const all = median(ratios.map((entry) => entry.ratio))
  if (ratios.length < 4) return () => all
  const half = ratios.length >> 1
  const small = ratios.slice(0, half)
  const large = ratios.slice(half)
  const smallMs = Math.log(median(small.map((entry) => entry.predictedMs)))
  const largeMs = Math.log(median(large.map((entry) => entry.predictedMs)))
  if (largeMs - smallMs < Math.log(2)) return () => all
  const low = Math.log(median(small.map((entry) => entry.ratio)))
  const high = Math.log(median(large.map((entry) => entry.ratio)))
  const slope = Math.max(-0.9, (high - low) / (largeMs - smallMs))
  return (predictedMs) => {
    const clamped = Math.min(largeMs, Math.max(smallMs, Math.log(predictedMs)))
    return Math.exp(low + slope * (clamped - smallMs))
  }
}
