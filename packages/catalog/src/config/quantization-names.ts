import type { KvFormat, WeightFormat } from '@spica/schema'
import { isRecord } from './config-reader.js'

/** What one spelling of a quantisation stands for. */
export interface QuantizedFormat {
  readonly weights: WeightFormat
  readonly block: readonly [number, number] | null
  readonly defaultKv: KvFormat
  /** True when the format applies to experts alone. */
  readonly expertsOnly?: boolean
}

type Source = Readonly<Record<string, unknown>>

function plain(weights: WeightFormat, defaultKv: KvFormat = 'bfloat16'): QuantizedFormat {
  return { weights, block: null, defaultKv }
}

function fp8(block: readonly [number, number] | null): QuantizedFormat {
  return { weights: block === null ? 'fp8' : 'fp8_block', block, defaultKv: 'fp8' }
}

/** ModelOpt's `quant_algo`. */
export function algorithmFormat(algorithm: string, source: Source): QuantizedFormat | undefined {
  const name = algorithm.toUpperCase()
  if (name === 'NVFP4' || name === 'NVFP4_AWQ' || name === 'W4A4_NVFP4' || name === 'W4A8_NVFP4_FP8')
    return plain('nvfp4', 'fp8')
  if (name.startsWith('FP8_PB') || name === 'FP8_BLOCK_SCALES' || name === 'FP8_BLOCK') {
    return fp8(blockShape(source) ?? [128, 128])
  }
  if (name.startsWith('FP8')) return fp8(blockShape(source) ?? null)
  if (name.includes('MXFP4')) return { ...plain('mxfp4'), expertsOnly: true }
  if (name.startsWith('W4A8') && name.includes('FP8')) return plain('w4afp8', 'fp8')
  if (name === 'W4A8_AWQ') return plain('w4afp8', 'fp8')
  if (name.startsWith('W4A16') || name === 'INT4_AWQ' || name === 'INT4') return plain('int4_wo')
  if (name.startsWith('W8A16') || name.startsWith('W8A8') || name.startsWith('INT8')) return plain('int8_wo')
  if (name === 'NONE' || name === 'BF16' || name === 'FP16') return plain('bfloat16')
  return undefined
}

/** `quant_method` of Hugging Face configs. */
export function methodFormat(method: string, source: Source): QuantizedFormat | undefined {
  switch (method) {
    case 'fp8':
    case 'fbgemm_fp8':
    case 'deepseek_fp8':
    case 'modelopt':
    case 'modelopt_fp8':
    case 'finegrained_fp8':
      return fp8(blockShape(source))
    case 'modelopt_fp4':
    case 'nvfp4':
      return plain('nvfp4', 'fp8')
    case 'mxfp4':
      return { ...plain('mxfp4'), expertsOnly: true }
    case 'w4afp8':
    case 'w4a8_fp8':
      return plain('w4afp8', 'fp8')
    case 'awq':
    case 'awq_marlin':
    case 'gptq':
    case 'gptq_marlin':
    case 'auto-round':
    case 'auto_round':
    case 'autoround':
    case 'hqq':
    case 'aqlm':
    case 'moe_wna16':
      return byBits(bitsOf(source) ?? 4)
    case 'bitsandbytes':
      if (source['load_in_8bit'] === true || source['_load_in_8bit'] === true) return plain('int8_wo')
      return plain('int4_wo')
    case 'compressed-tensors':
    case 'compressed_tensors':
      return packFormat(source)
    case 'quark':
      return /fp4/i.test(JSON.stringify(source)) ? plain('mxfp4') : fp8(null)
    case 'experts_int8':
    case 'tpu_int8':
      return plain('int8_wo')
    case 'torchao':
      return /int4/i.test(JSON.stringify(source)) ? plain('int4_wo') : plain('int8_wo')
    case 'none':
      return plain('bfloat16')
    default:
      return undefined
  }
}

/** compressed-tensors' and ModelOpt's `config_groups`; the first group with weights decides. */
export function configGroupFormat(source: Source): QuantizedFormat | undefined {
  const groups = source['config_groups']
  if (!isRecord(groups)) return undefined
  for (const group of Object.values(groups)) {
    const weights = isRecord(group) ? group['weights'] : undefined
    if (!isRecord(weights)) continue
    const bits = weights['num_bits']
    const isFloat = weights['type'] === 'float'
    const format = `${String((group as Source)['format'] ?? '')} ${String(source['format'] ?? '')}`
    if (bits === 8) return isFloat ? fp8(blockShape(weights)) : plain('int8_wo')
    if (bits === 4 && isFloat) {
      const isMx = format.includes('mxfp4') || (weights['group_size'] === 32 && !format.includes('nvfp4'))
      return isMx ? plain('mxfp4') : plain('nvfp4', 'fp8')
    }
    if (typeof bits === 'number') return byBits(bits)
  }
  return undefined
}

function packFormat(source: Source): QuantizedFormat | undefined {
  const format = String(source['format'] ?? '')
  if (format.includes('nvfp4')) return plain('nvfp4', 'fp8')
  if (format.includes('mxfp4')) return plain('mxfp4')
  if (format.includes('float')) return fp8(blockShape(source))
  if (format.includes('pack')) return plain('int4_wo')
  if (format.includes('int')) return plain('int8_wo')
  return undefined
}

function byBits(bits: number): QuantizedFormat | undefined {
  if (bits === 16) return plain('bfloat16')
  if (bits === 8) return plain('int8_wo')
  return bits <= 4 ? plain('int4_wo') : plain('int8_wo')
}

/** `bits`, `w_bit` or `wbits`, as a number, "4" or "int4". */
function bitsOf(source: Source): number | undefined {
  for (const name of ['bits', 'w_bit', 'wbits', 'nbits', 'weight_bits']) {
    const value = source[name]
    if (typeof value === 'number' && value > 0) return value
    const digits = typeof value === 'string' ? /\d+/.exec(value) : null
    if (digits !== null) return Number(digits[0])
  }
  return undefined
}

/** `weight_block_size` or compressed-tensors' `block_structure`, as a pair, "128x128", or one number for both. */
function blockShape(source: Source): readonly [number, number] | null {
  const value = source['weight_block_size'] ?? source['block_structure']
  if (Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === 'number' && n > 0)) {
    return [value[0] as number, value[1] as number]
  }
  if (typeof value === 'number' && value > 0) return [value, value]
  const pair = typeof value === 'string' ? /^(\d+)\s*x\s*(\d+)$/i.exec(value) : null
  return pair === null ? null : [Number(pair[1]), Number(pair[2])]
}
