/** Figures of a GPU file after conversion: bytes, bytes per second, FLOP/s, seconds, watts or counts. */
export type HardwareFigure =
  | 'vram'
  | 'memoryBandwidth'
  | 'memoryEfficiency'
  | 'memoryLatency'
  | 'bf16'
  | 'int8'
  | 'fp8'
  | 'fp4'
  | 'power'
  | 'sm'
  | 'gpusPerNode'
  | 'gpusPerRack'
  | 'intraNodeBandwidth'
  | 'interNodeBandwidth'
  | 'pcieBandwidth'
  | 'p2pLatency'
  | 'runtimeOverhead'

/** One key of a user's GPU file. */
export interface HardwareField {
  readonly figure: HardwareFigure
  /** Multiplies the written figure. */
  readonly scale: number
  /** Largest sensible written figure; beyond it the unit is wrong. */
  readonly max: number
  readonly integer?: boolean
  /** True when 0 is a sensible figure. */
  readonly mayBeZero?: boolean
}

const GIB = 2 ** 30

function field(figure: HardwareFigure, scale: number, max: number, rest: Partial<HardwareField> = {}): HardwareField {
  return { figure, scale, max, ...rest }
}

const COUNT: Partial<HardwareField> = { integer: true }

/** Keys of a short GPU file, with their units in the name. GB/s are 10⁹ bytes per second. */
export const HARDWARE_FIELDS: Readonly<Record<string, HardwareField>> = {
  vram_gib: field('vram', GIB, 10_000),
  mem_bw_gbps: field('memoryBandwidth', 1e9, 1e6),
  bf16_tflops: field('bf16', 1e12, 1e6),
  fp16_tflops: field('bf16', 1e12, 1e6),
  int8_tops: field('int8', 1e12, 1e6),
  fp8_tflops: field('fp8', 1e12, 1e6),
  fp4_tflops: field('fp4', 1e12, 1e6),
  power_watts: field('power', 1, 1e5),
  sm_version: field('sm', 1, 1000, COUNT),
  gpus_per_node: field('gpusPerNode', 1, 1024, COUNT),
  gpus_per_rack: field('gpusPerRack', 1, 10_000, COUNT),
  intra_node_bw_gbps: field('intraNodeBandwidth', 1e9, 1e6),
  inter_node_bw_gbps: field('interNodeBandwidth', 1e9, 1e6),
  pcie_bw_gbps: field('pcieBandwidth', 1e9, 1e6),
  p2p_latency_us: field('p2pLatency', 1e-6, 1e6),
  mem_efficiency: field('memoryEfficiency', 1, 1),
  runtime_overhead_gib: field('runtimeOverhead', GIB, 1000, { mayBeZero: true }),
}

/** Keys of AIConfigurator's system files, by section, in base units. */
export const SYSTEM_FILE_FIELDS: Readonly<Record<string, Readonly<Record<string, HardwareField>>>> = {
  gpu: {
    mem_bw: field('memoryBandwidth', 1, 1e15),
    mem_bw_empirical_scaling_factor: field('memoryEfficiency', 1, 1),
    mem_empirical_constant_latency: field('memoryLatency', 1, 1, { mayBeZero: true }),
    mem_capacity: field('vram', 1, 1e13),
    bfloat16_tc_flops: field('bf16', 1, 1e18),
    int8_tc_flops: field('int8', 1, 1e18),
    fp8_tc_flops: field('fp8', 1, 1e18),
    fp4_tc_flops: field('fp4', 1, 1e18),
    power: field('power', 1, 1e5),
    sm_version: field('sm', 1, 1000, COUNT),
  },
  node: {
    num_gpus_per_node: field('gpusPerNode', 1, 1024, COUNT),
    num_gpus_per_rack: field('gpusPerRack', 1, 10_000, COUNT),
    inter_node_bw: field('interNodeBandwidth', 1, 1e15),
    intra_node_bw: field('intraNodeBandwidth', 1, 1e15),
    pcie_bw: field('pcieBandwidth', 1, 1e15),
    p2p_latency: field('p2pLatency', 1, 1),
  },
  misc: {
    other_mem: field('runtimeOverhead', 1, 1e12, { mayBeZero: true }),
  },
}

/** Keys of those files that no model here uses: accepted so that the files load unchanged. */
export const UNUSED_SYSTEM_FILE_KEYS: readonly string[] = [
  'data_dir',
  'gpu.float32_tc_flops',
  'node.inter_rack_bw',
  'node.inter_rack_latency',
  'misc.nccl_version',
  'misc.oneccl_version',
]

/** Figures without which a GPU cannot be modelled, with the key that gives them. */
export const REQUIRED_FIGURES: readonly (readonly [HardwareFigure, string])[] = [
  ['vram', 'vram_gib'],
  ['memoryBandwidth', 'mem_bw_gbps'],
  ['bf16', 'bf16_tflops'],
]
