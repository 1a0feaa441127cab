/** Facts of one GPU type. Bytes are bytes, bandwidths bytes per second and GPU, peaks FLOP/s. */
export interface HardwareSpec {
  readonly sku: string
  readonly gpu: {
    readonly memoryBandwidthBytesPerSecond: number
    /** Fraction of the bandwidth that elementwise kernels reach; default 0.8. */
    readonly memoryEfficiency: number
    /** Constant latency of an elementwise kernel, seconds; default 3e-6. */
    readonly memoryLatencySeconds: number
    readonly memoryCapacityBytes: number
    readonly bf16Flops: number
    readonly int8Flops: number | null
    readonly fp8Flops: number | null
    readonly fp4Flops: number | null
    readonly powerWatts: number | null
    /** CUDA compute capability × 10, e.g. 90 for Hopper, 100 for Blackwell; 0 for other makers. */
    readonly smVersion: number
  }
  readonly node: {
    readonly gpusPerNode: number
    readonly interNodeBandwidthBytesPerSecond: number
    readonly intraNodeBandwidthBytesPerSecond: number
    readonly pcieBandwidthBytesPerSecond: number | null
    readonly p2pLatencySeconds: number
    /** GPUs joined by the fast link when that is more than a node (NVL72), else null. */
    readonly gpusPerRack: number | null
  }
  readonly memory: {
    /** NCCL buffers per rank by tensor-parallel size, bytes. */
    readonly ncclBytesByTp: Readonly<Record<string, number>>
    readonly runtimeOverheadBytes: number
  }
  readonly ncclVersion: string | null
  /** Latest measured database per backend, or null where none exists. */
  readonly latestPerfDatabase: Readonly<Record<'vllm' | 'sglang' | 'trtllm', string | null>>
  /** All measured database versions per backend, when known. */
  readonly perfDatabaseVersions?: Readonly<Record<'vllm' | 'sglang' | 'trtllm', readonly string[]>>
  /** True when the figures come from the user's own YAML. */
  readonly custom: boolean
}
