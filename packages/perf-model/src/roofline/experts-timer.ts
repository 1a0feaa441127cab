import type { HardwareSpec } from '@spica/schema'
import type { ExpertsKernel } from '../operators/kernel.js'
import { peakFlops, WEIGHT_BYTES } from '../operators/serving-formats.js'
import { norm3, type Timer } from './timer.js'

/**
 * Launch ms; fractions of peak and bandwidth; `a` the exponent of the busiest rank's surplus in ep; `c` how fast experts
 * are touched as tokens come; padding rows per touched expert; padding of the expert width.
 */
export interface ExpertsCoefficients {
  readonly t0: number
  readonly ec: number
  readonly em: number
  readonly a: number
  readonly c: number
  readonly pad: number
  readonly i0: number
}

/** Time of the routed experts of the busiest rank as a function of the tokens that meet there. */
export function expertsCurve(
  c: ExpertsCoefficients,
  kernel: ExpertsKernel,
  hardware: HardwareSpec,
): (tokens: number) => number {
  const hidden = kernel.hiddenSize
  const inter = kernel.interSize / kernel.moeTp
  const matrices = kernel.gated ? 3 : 2
  const local = kernel.experts / kernel.moeEp
  const imbalance = kernel.moeEp ** c.a
  const perToken = kernel.topk / kernel.moeEp
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond * c.em
  const perExpertMemory = (matrices * hidden * inter * WEIGHT_BYTES[kernel.format] * 1000) / bandwidth
  const perRowMemory = ((4 * hidden + 2 * matrices * inter) * 1000) / bandwidth
  const perRow = (2 * matrices * hidden * (inter + c.i0) * 1000) / (peakFlops(hardware, kernel.format) * c.ec)
  const rate = c.c / local
  const { t0, pad } = c
  return (tokens) => {
    const mean = tokens * perToken
    const rows = Math.min(mean * imbalance, tokens * kernel.topk)
    const touched = Math.max(Math.min(local * (1 - Math.exp(-rate * rows)), rows), Math.min(1, mean))
    return t0 + norm3(perRow * (rows + touched * pad), perExpertMemory * touched + perRowMemory * rows)
  }
}

export function expertsTimer(c: ExpertsCoefficients, kernel: ExpertsKernel, hardware: HardwareSpec): Timer {
  const curve = expertsCurve(c, kernel, hardware)
  const factor = kernel.tokenFactor
  return (batch, length, prefix) => curve(batch * (length - prefix) * factor)
}
