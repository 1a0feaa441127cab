import type { HardwareSpec } from '@spica/schema'
import type { AllReduceKernel, CollectiveKernel } from '../operators/kernel.js'
import { wideningFactor } from './gpu-figures.js'
import type { Timer } from './timer.js'

/**
 * Latency t0·(g/4)^x, medium-message term t1·√MB·(g/4)^y, and bandwidth as fraction e·(g/4)^z of the link; `largest` is the
 * largest group that was measured.
 */
export interface CollectiveCoefficients {
  readonly t0: number
  readonly t1: number
  readonly e: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly largest: number
}

/** Time of a collective over `gpus` ranks as a function of the message in BF16 elements. */
export function collectiveCurve(
  c: CollectiveCoefficients,
  traffic: number,
  gpus: number,
  hardware: HardwareSpec,
): (elements: number) => number {
  if (gpus <= 1) return () => 0
  const group = Math.min(gpus, c.largest)
  const relative = group / 4
  const latency = c.t0 * relative ** c.x
  const medium = c.t1 * relative ** c.y * Math.sqrt(2e-6)
  const share = Math.min(1, c.e * relative ** c.z)
  const bandwidth = hardware.node.intraNodeBandwidthBytesPerSecond * share
  const perElement = (traffic * 2 * ((group - 1) / group) * 1000) / bandwidth
  const factor = wideningFactor(hardware, gpus, group)
  const first = latency * Math.sqrt(latency)
  return (elements) => {
    const b = medium * Math.sqrt(elements)
    const d = perElement * elements
    const sum = Math.cbrt(first + b * Math.sqrt(b) + d * Math.sqrt(d))
    return factor * sum * sum
  }
}

/** Bytes each link carries per byte of message: twice round for an all-reduce, once for a gather or a scatter. */
export const COLLECTIVE_TRAFFIC: Readonly<Record<'all_reduce' | 'all_gather' | 'reduce_scatter', number>> = {
  all_reduce: 2,
  all_gather: 1,
  reduce_scatter: 1,
}

export function collectiveTimer(
  c: CollectiveCoefficients,
  kernel: AllReduceKernel | CollectiveKernel,
  hardware: HardwareSpec,
): Timer {
  const traffic = COLLECTIVE_TRAFFIC[kernel.kind === 'all-reduce' ? 'all_reduce' : kernel.collective]
  const curve = collectiveCurve(c, traffic, kernel.gpus, hardware)
  const perToken = kernel.elementsPerToken
  return (batch, length, prefix) => curve(batch * (length - prefix) * perToken)
}
