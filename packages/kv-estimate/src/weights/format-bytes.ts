import type { KvFormat, QuantizationSpec, WeightFormat } from '@spica/schema'

/** Bytes of a weight with its share of the scales: FP8 blocks carry one float32, 4-bit groups one scale of 1 or 2 bytes. */
export function weightBytes(format: WeightFormat, quantization: QuantizationSpec): number {
  const group = quantization.groupSize ?? 128
  switch (format) {
    case 'bfloat16':
      return 2
    case 'fp8':
    case 'int8_wo':
      return 1
    case 'fp8_block': {
      const [rows, columns] = quantization.weightBlock ?? [128, 128]
      return 1 + 4 / (rows * columns)
    }
    case 'nvfp4':
      return 0.5 + 1 / 16
    case 'mxfp4':
      return 0.5 + 1 / 32
    case 'w4afp8':
    case 'int4_wo':
      return 0.5 + 2 / group
  }
}

/** Bytes of one cached element. */
export function kvElementBytes(format: KvFormat): number {
  return format === 'bfloat16' ? 2 : 1
}
