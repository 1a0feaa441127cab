import type { HardwareSpec } from '@spica/schema'
import type { GemmKernel } from '../operators/kernel.js'
import { peakFlops, WEIGHT_BYTES } from '../operators/serving-formats.js'
import { norm4, type Timer } from './timer.js'

/**
 * Launch ms, fractions of peak and bandwidth (≤ 1), the padding in rows, columns and depth that small products pay, and the
 * host-bound floor in ms: f0 with few rows, f0 + f1 where backends change to their kernel for many.
 */
export interface GemmCoefficients {
  readonly t0: number
  readonly ec: number
  readonly em: number
  readonly m0: number
  readonly n0: number
  readonly k0: number
  readonly f0: number
  readonly f1: number
}

/** Rows from which, and over which, backends change from their few-row kernel to the many-row one. */
const FEW_ROWS = 16

/** Time of an m × n × k product as a function of m. */
export function gemmCurve(c: GemmCoefficients, kernel: GemmKernel, hardware: HardwareSpec): (rows: number) => number {
  const { n, k } = kernel
  const bytes = WEIGHT_BYTES[kernel.format]
  const perRow = (2 * (n + c.n0) * (k + c.k0) * 1000) / (peakFlops(hardware, kernel.format) * c.ec)
  const scale = 1000 / (hardware.gpu.memoryBandwidthBytesPerSecond * c.em)
  const weights = bytes * n * k * scale
  const activations = (bytes * k + 2 * n) * scale
  const { t0, m0, f0, f1 } = c
  return (rows) => {
    const floor = f0 + f1 * Math.min(1, Math.max(0, rows / FEW_ROWS - 1))
    return t0 + norm4(floor, norm4(perRow * (rows + m0), weights + activations * rows))
  }
}

export function gemmTimer(c: GemmCoefficients, kernel: GemmKernel, hardware: HardwareSpec): Timer {
  const curve = gemmCurve(c, kernel, hardware)
  if (kernel.rows === 'sequences') return (batch) => curve(batch)
  return (batch, length, prefix) => curve(batch * (length - prefix))
}
