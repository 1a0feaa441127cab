/** One field of a user's GPU file. */
export interface HardwareField {
  /** Multiplies the written figure to get bytes, bytes per second, FLOP/s, seconds or watts. */
  readonly scale: number
  readonly integer?: boolean
  /** True when 0 is a sensible figure. */
  readonly mayBeZero?: boolean
}

const GIB = 2 ** 30

/** Keys of a GPU file, with their units in the name; see `docs` for the example. */
export const HARDWARE_FIELDS: Readonly<Record<string, HardwareField>> = {
  vram_gib: { scale: GIB },
  mem_bw_gbps: { scale: 1e9 },
  bf16_tflops: { scale: 1e12 },
  fp16_tflops: { scale: 1e12 },
  int8_tops: { scale: 1e12 },
  fp8_tflops: { scale: 1e12 },
  fp4_tflops: { scale: 1e12 },
  power_watts: { scale: 1 },
  sm_version: { scale: 1, integer: true },
  gpus_per_node: { scale: 1, integer: true },
  gpus_per_rack: { scale: 1, integer: true },
  intra_node_bw_gbps: { scale: 1e9 },
  inter_node_bw_gbps: { scale: 1e9 },
  pcie_bw_gbps: { scale: 1e9 },
  p2p_latency_us: { scale: 1e-6 },
  mem_efficiency: { scale: 1 },
  runtime_overhead_gib: { scale: GIB, mayBeZero: true },
}

/** Keys without which a GPU cannot be modelled. */
export const REQUIRED_HARDWARE_FIELDS: readonly string[] = ['vram_gib', 'mem_bw_gbps']
