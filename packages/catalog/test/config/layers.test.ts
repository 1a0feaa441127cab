import type { LayerGroup } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { parseModelConfig } from '../../src/index.js'
import { DENSE, MLA, MOE } from './base-configs.js'

function summary(groups: readonly LayerGroup[]): string {
  return groups
    .map((group) => `${group.mixer}${group.window === undefined ? '' : `(${group.window})`}×${group.count}`)
    .join(' ')
}

function layersOf(fields: Record<string, unknown>, base: Readonly<Record<string, unknown>> = DENSE): string {
  return summary(parseModelConfig({ ...base, ...fields }).layerGroups)
}

describe('sliding windows', () => {
  it('are off without a window, with null, and with use_sliding_window false', () => {
    expect(layersOf({})).toBe('full×12')
    expect(layersOf({ sliding_window: null })).toBe('full×12')
    expect(layersOf({ sliding_window: 4096, use_sliding_window: false })).toBe('full×12')
    expect(layersOf({ sliding_window: 0 })).toBe('full×12')
  })

  it('need the switch in the Qwen family but not in Mistral', () => {
    expect(layersOf({ model_type: 'qwen2', sliding_window: 4096 })).toBe('full×12')
    expect(layersOf({ model_type: 'mistral', sliding_window: 4096 })).toBe('sliding(4096)×12')
  })

  it('begin at max_window_layers when switched on', () => {
    const fields = { model_type: 'qwen2', sliding_window: 4096, use_sliding_window: true, max_window_layers: 8 }
    expect(layersOf(fields)).toBe('full×8 sliding(4096)×4')
    expect(layersOf({ ...fields, max_window_layers: 12 })).toBe('full×12')
  })

  it('follow layer_types, unless switched off', () => {
    const layer_types = Array.from({ length: 12 }, (_, layer) =>
      layer % 2 === 0 ? 'sliding_attention' : 'full_attention',
    )
    expect(layersOf({ layer_types, sliding_window: 128 })).toBe('sliding(128)×6 full×6')
    expect(layersOf({ layer_types, sliding_window: 128, use_sliding_window: false })).toBe('full×12')
  })

  it('take counts in place of a list, when they add up', () => {
    const counted = { sliding_window: 128, layer_types: { sliding_attention: 8, full_attention: 4 } }
    expect(layersOf(counted)).toBe('sliding(128)×8 full×4')
    expect(() => layersOf({ ...counted, layer_types: { full_attention: 2e9 } })).toThrow(/counts 2000000000 layers/)
  })

  it('follow a pattern: a number, letters, or the family', () => {
    expect(layersOf({ sliding_window: 512, sliding_window_pattern: 6 })).toBe('sliding(512)×10 full×2')
    expect(layersOf({ sliding_window: 512, sliding_window_pattern: 'LLLG' })).toBe('sliding(512)×9 full×3')
    expect(layersOf({ sliding_window: 512, model_type: 'gemma3_text' })).toBe('sliding(512)×10 full×2')
    expect(layersOf({ sliding_window: 512, model_type: 'gemma2' })).toBe('sliding(512)×6 full×6')
    expect(layersOf({ sliding_window: 128, model_type: 'gpt_oss' })).toBe('sliding(128)×6 full×6')
  })

  it('take other head counts and sizes where the config gives them', () => {
    const spec = parseModelConfig({
      ...DENSE,
      head_dim: 192,
      v_head_dim: 128,
      sliding_window: 128,
      hybrid_layer_pattern: [0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
      swa_num_key_value_heads: 8,
      swa_head_dim: 96,
      swa_v_head_dim: 64,
    })
    expect(spec.layerGroups).toEqual([
      { mixer: 'full', count: 2, heads: 16, kvHeads: 4, headDim: 192, vHeadDim: 128 },
      { mixer: 'sliding', count: 10, window: 128, heads: 16, kvHeads: 8, headDim: 96, vHeadDim: 64 },
    ])
  })

  it('may have their own number of query heads, layer by layer', () => {
    const num_attention_heads_per_layer = Array.from({ length: 12 }, (_, layer) => (layer % 4 === 0 ? 16 : 24))
    const layer_types = num_attention_heads_per_layer.map((heads) =>
      heads === 16 ? 'full_attention' : 'sliding_attention',
    )
    const groups = parseModelConfig({
      ...DENSE,
      sliding_window: 512,
      layer_types,
      num_attention_heads_per_layer,
    }).layerGroups
    expect(groups.map((group) => [group.mixer, group.heads, group.count])).toEqual([
      ['full', 16, 3],
      ['sliding', 24, 9],
    ])
    expect(() => layersOf({ num_attention_heads_per_layer: [16] })).toThrow(/1 entries/)
  })

  it('are chunks in Llama-4, every fourth layer global', () => {
    const llama4 = { model_type: 'llama4_text', attention_chunk_size: 8192 }
    expect(layersOf(llama4)).toBe('sliding(8192)×9 full×3')
    expect(layersOf({ ...llama4, no_rope_layers: [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0] })).toBe('sliding(8192)×8 full×4')
    expect(layersOf({ model_type: 'llama4_text' })).toBe('full×12')
  })

  it('leave shared caches out of the count of caches', () => {
    const groups = parseModelConfig({ ...DENSE, num_kv_shared_layers: 4 }).layerGroups
    expect(groups.map((group) => [group.count, group.sharesKv ?? false])).toEqual([
      [8, false],
      [4, true],
    ])
  })
})

describe('recurrent layers', () => {
  const gated = {
    linear_num_key_heads: 4,
    linear_key_head_dim: 64,
    linear_num_value_heads: 8,
    linear_value_head_dim: 64,
    linear_conv_kernel_dim: 4,
  }

  it('come from layer_types or an interval in Qwen3-Next', () => {
    const layer_types = Array.from({ length: 12 }, (_, layer) =>
      layer % 4 === 3 ? 'full_attention' : 'linear_attention',
    )
    expect(layersOf({ ...gated, layer_types })).toBe('recurrent×9 full×3')
    expect(layersOf({ ...gated, full_attention_interval: 4, model_type: 'qwen3_next' })).toBe('recurrent×9 full×3')
  })

  it('keep (2 keys + values) · (kernel − 1) and valueHeads · keyDim · valueDim elements', () => {
    const spec = parseModelConfig({ ...DENSE, ...gated, full_attention_interval: 4 })
    const recurrent = spec.layerGroups[0]!.recurrent!
    expect(spec.family).toBe('hybrid')
    expect(recurrent.convStateElements).toBe((2 * 4 * 64 + 8 * 64) * 3)
    expect(recurrent.ssmStateElements).toBe(8 * 64 * 64)
    expect(recurrent.ssmStateBytes).toBe(4)
  })

  it('come from the letters of Nemotron-H', () => {
    const mamba = { mamba_num_heads: 32, mamba_head_dim: 64, ssm_state_size: 128, n_groups: 8, conv_kernel: 4 }
    const fields = { ...mamba, hybrid_override_pattern: 'M-M*M-M-M*M-', model_type: 'nemotron_h' }
    const spec = parseModelConfig({ ...DENSE, ...fields })
    expect(summary(spec.layerGroups)).toBe('recurrent×6 none×4 full×2')
    expect(spec.denseFfn).toEqual([{ count: 4, interSize: 2816 }])
    expect(spec.gatedFfn).toBe(false)
    const state = spec.layerGroups[0]!.recurrent!
    expect(state.ssmStateElements).toBe(32 * 64 * 128)
    expect(state.convStateElements).toBe((32 * 64 + 2 * 8 * 128) * 3)
    expect(state.ssmStateBytes).toBe(2)
    const float = parseModelConfig({ ...DENSE, ...fields, mamba_ssm_cache_dtype: 'float32' })
    expect(float.layerGroups[0]!.recurrent!.ssmStateBytes).toBe(4)
  })

  it('come from the words of newer Nemotron-H configs', () => {
    const mamba = { mamba_num_heads: 32, mamba_head_dim: 64, ssm_state_size: 128, n_groups: 8, conv_kernel: 4 }
    const layers_block_type = [
      'mamba',
      'moe',
      'mamba',
      'attention',
      'moe',
      'mamba',
      'mlp',
      'mamba',
      'moe',
      'attention',
      'mamba',
      'moe',
    ]
    const spec = parseModelConfig({ ...MOE, ...mamba, layers_block_type, model_type: 'nemotron_h' })
    expect(summary(spec.layerGroups)).toBe('recurrent×5 none×5 full×2')
    expect(spec.moe!.layers).toBe(4)
    expect(spec.denseFfn).toEqual([{ interSize: 2816, count: 1 }])
  })

  it('are numbered from 1 in Kimi-Linear, beside latent attention', () => {
    const linear_attn_config = {
      kda_layers: [1, 2, 3, 5, 6, 7, 9, 10, 11],
      full_attn_layers: [4, 8, 12],
      num_heads: 16,
      head_dim: 64,
      short_conv_kernel_size: 4,
    }
    expect(layersOf({ linear_attn_config }, MLA)).toBe('recurrent×9 mla×3')
  })

  it('run beside attention in Falcon-H1', () => {
    const mamba = { mamba_n_heads: 8, mamba_d_head: 64, mamba_d_state: 128, mamba_n_groups: 1, mamba_d_conv: 4 }
    expect(layersOf({ ...mamba, model_type: 'falcon_h1' })).toBe('full×12 recurrent×12')
  })

  it('follow Jamba periods, Bamba indices, LFM2 convolutions and MiniMax lists', () => {
    const jamba = { attn_layer_period: 4, attn_layer_offset: 1, mamba_d_state: 16, mamba_d_conv: 4, mamba_expand: 2 }
    expect(layersOf({ ...jamba, model_type: 'jamba' })).toBe('recurrent×9 full×3')
    const bamba = { attn_layer_indices: [3, 9], mamba_n_heads: 8, mamba_d_head: 64, mamba_d_state: 128 }
    expect(layersOf(bamba)).toBe('recurrent×10 full×2')
    const layer_types = ['conv', 'conv', 'full_attention', 'conv', 'conv', 'full_attention'].flatMap((type) => [
      type,
      type,
    ])
    expect(layersOf({ layer_types, conv_L_cache: 3 })).toBe('recurrent×8 full×4')
    expect(layersOf({ attn_type_list: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1] })).toBe('recurrent×8 full×4')
  })
})

describe('other mixers', () => {
  it('latent attention, with and without an indexer and a low-rank query', () => {
    const plain = parseModelConfig(MLA)
    expect(plain.family).toBe('deepseek')
    expect(plain.mla).toEqual({ qLoraRank: 384, kvLoraRank: 512, qkNopeHeadDim: 128, qkRopeHeadDim: 64, vHeadDim: 128 })
    expect(parseModelConfig({ ...MLA, q_lora_rank: null }).mla!.qLoraRank).toBe(0)
    const sparse = parseModelConfig({ ...MLA, index_topk: 2048, index_n_heads: 32, index_head_dim: 128 })
    expect(sparse.family).toBe('deepseek-v32')
    expect(sparse.indexer).toEqual({ heads: 32, headDim: 128, topk: 2048 })
  })

  it('compressed layers, the entry of the MTP layer left out', () => {
    const compress_ratios = [0, 0, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 0]
    const groups = parseModelConfig({ ...DENSE, compress_ratios, sliding_window: 128 }).layerGroups
    expect(groups.map((group) => [group.compressRatio, group.count])).toEqual([
      [0, 2],
      [4, 5],
      [128, 5],
    ])
  })

  it('blocks of a searched architecture', () => {
    const block = (group: number | null, multiple: number) => ({
      attention: { n_heads_in_group: group, no_op: group === null },
      ffn: { ffn_mult: multiple, no_op: false },
    })
    const block_configs = [...Array(8).fill(block(8, 2)), ...Array(4).fill(block(null, 1))]
    const spec = parseModelConfig({ ...DENSE, num_key_value_heads: null, intermediate_size: null, block_configs })
    expect(spec.kvHeads).toBe(2)
    expect(summary(spec.layerGroups)).toBe('full×8 none×4')
    expect(spec.denseFfn).toEqual([
      { interSize: 1536, count: 8 },
      { interSize: 768, count: 4 },
    ])
  })
})

describe('expert layers', () => {
  const layersWith = (fields: Record<string, unknown>) => parseModelConfig({ ...MOE, ...fields }).moe!.layers

  it('follow every spelling of which layers have experts', () => {
    expect(layersWith({})).toBe(12)
    expect(layersWith({ first_k_dense_replace: 3 })).toBe(9)
    expect(layersWith({ moe_layer_freq: [0, ...Array(11).fill(1)] })).toBe(11)
    expect(layersWith({ first_k_dense_replace: 1, moe_layer_freq: 2 })).toBe(5)
    expect(layersWith({ interleave_moe_layer_step: 2 })).toBe(6)
    expect(layersWith({ decoder_sparse_step: 2 })).toBe(6)
    expect(layersWith({ mlp_only_layers: [0, 1] })).toBe(10)
    expect(layersWith({ expert_layer_period: 2, expert_layer_offset: 1 })).toBe(6)
    expect(layersWith({ mlp_layer_types: ['dense', ...Array(11).fill('sparse')] })).toBe(11)
    expect(layersWith({ moe_layers_enum: '4,5,6,7,8,9,10,11' })).toBe(8)
    expect(layersWith({ moe_layer_start_index: 2, moe_layer_end_index: 10 })).toBe(9)
  })

  it('leave the rest dense, at the dense size', () => {
    const spec = parseModelConfig({ ...MOE, first_k_dense_replace: 3, dense_intermediate_size: 4096 })
    expect(spec.denseFfn).toEqual([{ interSize: 4096, count: 3 }])
  })

  it('count shared experts by number or by size', () => {
    const shared = (fields: Record<string, unknown>) => parseModelConfig({ ...MOE, ...fields }).moe!.sharedInterSize
    expect(shared({})).toBe(0)
    expect(shared({ n_shared_experts: 2 })).toBe(1024)
    expect(shared({ num_shared_experts: 1 })).toBe(512)
    expect(shared({ shared_expert_intermediate_size: 768 })).toBe(768)
    expect(shared({ n_shared_experts: 1, moe_shared_expert_intermediate_size: 640 })).toBe(640)
    expect(shared({ n_shared_experts: null, shared_intermediate_size: 0 })).toBe(0)
    expect(shared({ share_expert_dim: 384 })).toBe(384)
  })

  it('read experts, top-k and sizes under their other names', () => {
    const { num_experts: _a, num_experts_per_tok: _b, moe_intermediate_size: _c, ...bare } = MOE
    const spec = parseModelConfig({ ...bare, num_local_experts: 16, experts_per_token: 2 })
    expect(spec.moe).toMatchObject({ experts: 16, topk: 2, interSize: 2816 })
    expect(parseModelConfig({ ...bare, n_routed_experts: 8, top_k_experts: 2 }).moe).toMatchObject({
      experts: 8,
      topk: 2,
    })
    expect(parseModelConfig({ ...bare, num_experts: 0 }).moe).toBeNull()
  })

  it('read MTP layers, unless switched off', () => {
    expect(parseModelConfig({ ...MOE, num_mtp_modules: 3 }).mtpLayers).toBe(3)
    expect(parseModelConfig({ ...MOE, num_mtp_modules: 3, use_mtp: false }).mtpLayers).toBe(0)
    expect(parseModelConfig({ ...MOE, mtp_num_hidden_layers: 1 }).mtpLayers).toBe(1)
  })
})
