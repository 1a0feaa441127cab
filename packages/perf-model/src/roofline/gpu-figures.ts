import type { HardwareSpec } from '@spica/schema'

/** Architecture generations whose kernels behave alike; coefficients travel inside one, hardly between two. */
export type GpuGeneration = 'ampere' | 'ada' | 'hopper' | 'blackwell'

/** Generation of a GPU by compute capability × 10. */
export function gpuGeneration(hardware: HardwareSpec): GpuGeneration {
  const { smVersion } = hardware.gpu
  if (smVersion >= 100) return 'blackwell'
  if (smVersion >= 90) return 'hopper'
  return smVersion >= 86 ? 'ada' : 'ampere'
}

/** Elementwise time in ms for a number of bytes: bytes over the reachable bandwidth plus a constant. */
export function elementwiseMs(hardware: HardwareSpec, bytes: number): number {
  const { memoryBandwidthBytesPerSecond, memoryEfficiency, memoryLatencySeconds } = hardware.gpu
  return (bytes / (memoryEfficiency * memoryBandwidthBytesPerSecond) + memoryLatencySeconds) * 1000
}

/** Bandwidth in bytes/s per GPU of the slowest link among `gpus` ranks: inside a node, inside a rack, or between. */
export function linkBandwidth(hardware: HardwareSpec, gpus: number): number {
  const { gpusPerNode, intraNodeBandwidthBytesPerSecond, interNodeBandwidthBytesPerSecond } = hardware.node
  return gpus <= gpusPerNode ? intraNodeBandwidthBytesPerSecond : interNodeBandwidthBytesPerSecond
}

/**
 * Factor on a collective measured on `measured` ranks when it runs on more: the extra ring steps, and the slower link
 * where the larger group leaves the node.
 */
export function wideningFactor(hardware: HardwareSpec, gpus: number, measured: number): number {
  if (gpus <= measured) return 1
  const steps = (((gpus - 1) / gpus) * measured) / Math.max(1, measured - 1)
  return (steps * linkBandwidth(hardware, measured)) / linkBandwidth(hardware, gpus)
}
