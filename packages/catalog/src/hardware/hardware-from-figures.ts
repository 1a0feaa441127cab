import type { HardwareSpec } from '@spica/schema'
import type { HardwareFigure } from './hardware-fields.js'

/** NCCL buffers measured at tensor-parallel sizes 2, 4 and 8. */
const NCCL_BYTES: Readonly<Record<string, number>> = {
  '1': 0,
  '2': 342 * 2 ** 20,
  '4': 392 * 2 ** 20,
  '8': 392 * 2 ** 20,
}

/**
 * A GPU of the user's own. What was left out: FP8, FP4 and INT8 the GPU does not have, 8 GPUs per node, PCIe 4 between them,
 * 200 Gbit/s between nodes, overheads as measured on data-centre GPUs.
 */
export function hardwareFromFigures(
  sku: string,
  figures: ReadonlyMap<HardwareFigure, number>,
  ncclBytesByTp: Readonly<Record<string, number>> | undefined,
): HardwareSpec {
  const pcie = figures.get('pcieBandwidth') ?? 32e9
  return {
    sku,
    gpu: {
      memoryBandwidthBytesPerSecond: figures.get('memoryBandwidth')!,
      memoryEfficiency: figures.get('memoryEfficiency') ?? 0.8,
      memoryLatencySeconds: figures.get('memoryLatency') ?? 3e-6,
      memoryCapacityBytes: Math.round(figures.get('vram')!),
      bf16Flops: figures.get('bf16')!,
      int8Flops: figures.get('int8') ?? null,
      fp8Flops: figures.get('fp8') ?? null,
      fp4Flops: figures.get('fp4') ?? null,
      powerWatts: figures.get('power') ?? null,
      smVersion: figures.get('sm') ?? 0,
    },
    node: {
      gpusPerNode: figures.get('gpusPerNode') ?? 8,
      interNodeBandwidthBytesPerSecond: figures.get('interNodeBandwidth') ?? 25e9,
      intraNodeBandwidthBytesPerSecond: figures.get('intraNodeBandwidth') ?? pcie,
      pcieBandwidthBytesPerSecond: pcie,
      p2pLatencySeconds: figures.get('p2pLatency') ?? 1e-5,
      gpusPerRack: figures.get('gpusPerRack') ?? null,
    },
    memory: {
      ncclBytesByTp: ncclBytesByTp ?? NCCL_BYTES,
      runtimeOverheadBytes: Math.round(figures.get('runtimeOverhead') ?? 3.5 * 2 ** 30),
    },
    ncclVersion: null,
    latestPerfDatabase: { vllm: null, sglang: null, trtllm: null },
    custom: true,
  }
}
