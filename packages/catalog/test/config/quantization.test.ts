import { describe, expect, it } from 'vitest'
import { parseModelConfig } from '../../src/index.js'
import { DENSE, MOE } from './base-configs.js'

function formats(quantization_config: unknown, side?: unknown, extra: Record<string, unknown> = {}): string {
  const found = parseModelConfig({ ...MOE, quantization_config, ...extra }, side).quantization
  return [found.gemm, found.moe, found.attention, found.sharedExpert, found.kv].join(' ')
}

describe('quantisation spellings', () => {
  it('none', () => {
    expect(formats(undefined)).toBe('bfloat16 bfloat16 bfloat16 bfloat16 bfloat16')
    expect(formats(null)).toBe('bfloat16 bfloat16 bfloat16 bfloat16 bfloat16')
    expect(formats({})).toBe('bfloat16 bfloat16 bfloat16 bfloat16 bfloat16')
  })

  it('FP8 by block, by tensor, and from other makers', () => {
    const block = { quant_method: 'fp8', fmt: 'e4m3', weight_block_size: [128, 128] }
    expect(formats(block)).toBe('fp8_block fp8_block fp8_block fp8_block fp8')
    expect(parseModelConfig({ ...MOE, quantization_config: block }).quantization.weightBlock).toEqual([128, 128])
    expect(formats({ quant_method: 'fp8' })).toBe('fp8 fp8 fp8 fp8 fp8')
    expect(formats({ quant_method: 'fbgemm_fp8' })).toBe('fp8 fp8 fp8 fp8 fp8')
    const channel = { num_bits: 8, type: 'float', strategy: 'channel' }
    const tensors = {
      quant_method: 'compressed-tensors',
      format: 'float-quantized',
      config_groups: { group_0: { weights: channel } },
    }
    expect(formats(tensors)).toBe('fp8 fp8 fp8 fp8 fp8')
    const blocks = {
      quant_method: 'compressed-tensors',
      config_groups: { g: { weights: { ...channel, block_structure: '64x128' } } },
    }
    expect(parseModelConfig({ ...MOE, quantization_config: blocks }).quantization).toMatchObject({
      gemm: 'fp8_block',
      weightBlock: [64, 128],
    })
  })

  it('4-bit weights under all their names', () => {
    expect(formats({ quant_method: 'awq', w_bit: 4, group_size: 128 })).toBe('int4_wo int4_wo int4_wo int4_wo bfloat16')
    expect(formats({ quant_method: 'gptq', bits: 'int4', groupsize: '64' })).toBe(
      'int4_wo int4_wo int4_wo int4_wo bfloat16',
    )
    expect(
      parseModelConfig({ ...MOE, quantization_config: { quant_method: 'gptq', bits: 4, groupsize: '64' } }).quantization
        .groupSize,
    ).toBe(64)
    const perRow = parseModelConfig({ ...MOE, quantization_config: { quant_method: 'gptq', bits: 4, group_size: -1 } })
    expect(perRow.quantization.groupSize).toBeUndefined()
    expect(formats({ quant_method: 'gptq', bits: 8 })).toBe('int8_wo int8_wo int8_wo int8_wo bfloat16')
    expect(formats({ quant_method: 'bitsandbytes', load_in_4bit: true })).toBe(
      'int4_wo int4_wo int4_wo int4_wo bfloat16',
    )
    expect(formats({ quant_method: 'bitsandbytes', load_in_8bit: true })).toBe(
      'int8_wo int8_wo int8_wo int8_wo bfloat16',
    )
    expect(formats({ quant_method: 'w4afp8' })).toBe('w4afp8 w4afp8 w4afp8 w4afp8 fp8')
  })

  it('MXFP4 quantises the experts alone', () => {
    expect(formats({ quant_method: 'mxfp4' })).toBe('bfloat16 mxfp4 bfloat16 bfloat16 bfloat16')
  })

  it('experts of a format of their own', () => {
    const block = { quant_method: 'fp8', weight_block_size: [128, 128] }
    expect(formats(block, undefined, { expert_dtype: 'fp4' })).toBe('fp8_block mxfp4 fp8_block fp8_block fp8')
  })

  it('ignore lists take parts out, by name, glob or expression', () => {
    const weights = { num_bits: 4, group_size: 32, type: 'int' }
    const kimi = {
      quant_method: 'compressed-tensors',
      format: 'pack-quantized',
      config_groups: { group_0: { weights } },
      ignore: ['lm_head', 're:.*self_attn.*', 're:.*shared_experts.*', 're:.*mlp\\.(gate|up|gate_up|down)_proj.*'],
    }
    expect(formats(kimi)).toBe('bfloat16 int4_wo bfloat16 bfloat16 bfloat16')
    const nvfp4 = (exclude_modules: string[]) => ({
      quantization: { quant_algo: 'NVFP4', kv_cache_quant_algo: 'FP8', exclude_modules },
    })
    expect(formats(undefined, nvfp4(['lm_head']))).toBe('nvfp4 nvfp4 nvfp4 nvfp4 fp8')
    expect(formats(undefined, nvfp4(['lm_head', '*shared_experts*']))).toBe('nvfp4 nvfp4 nvfp4 bfloat16 fp8')
    expect(formats(undefined, nvfp4(['model.layers.7.self_attn.kv_b_proj']))).toBe('nvfp4 nvfp4 bfloat16 nvfp4 fp8')
    expect(formats(undefined, nvfp4(['vision_model.layers.1.self_attn.q_proj', 'model.layers.0.mlp.gate']))).toBe(
      'nvfp4 nvfp4 nvfp4 nvfp4 fp8',
    )
    expect(formats(undefined, nvfp4(['re:(broken']))).toBe('nvfp4 nvfp4 nvfp4 nvfp4 fp8')
  })

  it('expressions that could take forever are passed over', () => {
    const ignore = ['re:(.+)+x$', `re:${'a'.repeat(400)}`]
    const weights = { num_bits: 4, type: 'int' }
    const source = { quant_method: 'compressed-tensors', config_groups: { g: { weights } }, ignore }
    expect(formats(source)).toBe('int4_wo int4_wo int4_wo int4_wo bfloat16')
  })

  it('the side file decides, and may be mixed per layer', () => {
    const quantized_layers = {
      'model.layers.1.mixer.experts.0.up_proj': { quant_algo: 'NVFP4', group_size: 16 },
      'model.layers.1.mixer.experts.1.up_proj': { quant_algo: 'NVFP4', group_size: 16 },
      'model.layers.1.mixer.shared_experts.up_proj': { quant_algo: 'FP8' },
      'model.layers.2.mixer.in_proj': { quant_algo: 'FP8' },
    }
    const side = { quantization: { quant_algo: 'MIXED_PRECISION', kv_cache_quant_algo: 'FP8', quantized_layers } }
    expect(formats(undefined, side)).toBe('fp8 nvfp4 bfloat16 fp8 fp8')
  })

  it('a mixed side file over an FP8 config changes what it names', () => {
    const quantized_layers = {
      'layers.0.ffn.experts': { quant_algo: 'NVFP4' },
      'layers.1.ffn.experts': { quant_algo: 'NVFP4' },
    }
    const side = { quantization: { quant_algo: 'MIXED_PRECISION', kv_cache_quant_algo: null, quantized_layers } }
    const block = { quant_method: 'fp8', weight_block_size: [128, 128] }
    expect(formats(block, side, { expert_dtype: 'fp4' })).toBe('fp8_block nvfp4 fp8_block fp8_block fp8')
  })

  it('caches: declared as object or text, else by the weights', () => {
    const awq = { quant_method: 'awq', bits: 4 }
    expect(
      parseModelConfig({ ...DENSE, quantization_config: { ...awq, kv_cache_scheme: { num_bits: 8, type: 'float' } } })
        .quantization,
    ).toMatchObject({ kv: 'fp8', kvDeclared: true })
    expect(
      parseModelConfig({ ...DENSE, quantization_config: { ...awq, kv_cache_scheme: 'FP8' } }).quantization.kv,
    ).toBe('fp8')
    expect(
      parseModelConfig({ ...DENSE, quantization_config: { ...awq, kv_cache_scheme: null } }).quantization,
    ).toMatchObject({ kv: 'bfloat16', kvDeclared: false })
    expect(
      parseModelConfig({ ...DENSE, quantization_config: { ...awq, kv_cache_scheme: { num_bits: 8, type: 'int' } } })
        .quantization.kv,
    ).toBe('int8')
  })

  it('unknown methods are refused by name', () => {
    expect(() => formats({ quant_method: 'rot13' })).toThrow(/rot13/)
  })
})
