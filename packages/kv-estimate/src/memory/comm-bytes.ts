import type { HardwareSpec } from '@spica/schema'

/** Collective buffers of a group of `size` GPUs: the entry of the largest measured size that is not above it. */
export function commBytes(hardware: HardwareSpec, size: number): number {
  let best = 0
  let bytes = 0
  for (const [key, value] of Object.entries(hardware.memory.ncclBytesByTp)) {
    const measured = Number(key)
    if (measured <= size && measured > best) {
      best = measured
      bytes = value
    }
  }
  return bytes
}
