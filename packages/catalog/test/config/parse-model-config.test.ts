import { SpicaError } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { parseModelConfig } from '../../src/index.js'
import { DENSE, MLA, MOE } from './base-configs.js'

function failure(config: unknown): SpicaError {
  try {
    parseModelConfig(config, undefined, { file: 'models/x/config.json' })
  } catch (error) {
    if (error instanceof SpicaError) return error
    throw error
  }
  throw new Error('the config was accepted')
}

describe('parseModelConfig', () => {
  it('fills what configs leave out', () => {
    const spec = parseModelConfig(DENSE)
    expect(spec).toMatchObject({
      family: 'dense',
      headDim: 64,
      kvHeads: 4,
      mtpLayers: 0,
      moe: null,
      mla: null,
      gatedFfn: true,
    })
    expect(parseModelConfig({ ...DENSE, num_key_value_heads: undefined }).kvHeads).toBe(16)
    expect(parseModelConfig({ ...DENSE, head_dim: 128 }).headDim).toBe(128)
  })

  it('reads old spellings', () => {
    const gpt2 = {
      architectures: ['GPT2LMHeadModel'],
      model_type: 'gpt2',
      n_embd: 768,
      n_layer: 12,
      n_head: 12,
      vocab_size: 50257,
      n_positions: 1024,
    }
    expect(parseModelConfig(gpt2)).toMatchObject({
      layers: 12,
      heads: 12,
      kvHeads: 12,
      hiddenSize: 768,
      interSize: 3072,
      contextLength: 1024,
      gatedFfn: false,
    })
    expect(parseModelConfig({ ...gpt2, model_type: 'falcon', multi_query: true }).kvHeads).toBe(1)
  })

  it('reads the inner objects of DBRX and the shared head of Falcon', () => {
    const dbrx = {
      architectures: ['DbrxForCausalLM'],
      model_type: 'dbrx',
      d_model: 6144,
      n_heads: 48,
      n_layers: 40,
      max_seq_len: 32768,
      vocab_size: 100352,
      attn_config: { kv_n_heads: 8 },
      ffn_config: { ffn_hidden_size: 10752, moe_num_experts: 16, moe_top_k: 4 },
    }
    expect(parseModelConfig(dbrx)).toMatchObject({
      kvHeads: 8,
      moe: { experts: 16, topk: 4, interSize: 10752, layers: 40 },
    })
    const falcon = {
      ...DENSE,
      model_type: 'falcon',
      num_kv_heads: 16,
      num_key_value_heads: undefined,
      multi_query: true,
    }
    expect(parseModelConfig(falcon).kvHeads).toBe(1)
    expect(parseModelConfig({ ...falcon, new_decoder_architecture: true }).kvHeads).toBe(16)
  })

  it('undoes the nesting of multimodal configs and inherits from the root', () => {
    for (const name of ['text_config', 'llm_config', 'language_config']) {
      const { architectures, max_position_embeddings, ...text } = DENSE
      const nested = {
        architectures: ['SomeVisionModel'],
        max_position_embeddings,
        tie_word_embeddings: true,
        quantization_config: { quant_method: 'fp8' },
        vision_config: { hidden_size: 99 },
        [name]: text,
      }
      expect(architectures).toBeDefined()
      expect(parseModelConfig(nested)).toMatchObject({
        architecture: 'SomeVisionModel',
        hiddenSize: 1024,
        contextLength: 8192,
        tieWordEmbeddings: true,
        quantization: { gemm: 'fp8' },
      })
    }
  })

  it('knows what nested language models leave to their class', () => {
    const gemma = {
      architectures: ['Gemma3ForConditionalGeneration'],
      model_type: 'gemma3',
      text_config: {
        model_type: 'gemma3_text',
        hidden_size: 2560,
        intermediate_size: 10240,
        num_hidden_layers: 34,
        sliding_window: 1024,
      },
    }
    const spec = parseModelConfig(gemma)
    expect(spec).toMatchObject({ heads: 8, kvHeads: 4, headDim: 256, vocabSize: 262208, tieWordEmbeddings: true })
    expect(spec.layerGroups.map((group) => [group.mixer, group.count])).toEqual([
      ['sliding', 29],
      ['full', 5],
    ])
    const llava = {
      architectures: ['LlavaForConditionalGeneration'],
      text_config: { model_type: 'llama', vocab_size: 32064 },
    }
    expect(parseModelConfig(llava)).toMatchObject({ layers: 32, hiddenSize: 4096, interSize: 11008 })
  })

  it('names the missing field, its other spellings, the file and the place', () => {
    for (const field of [
      'hidden_size',
      'num_hidden_layers',
      'num_attention_heads',
      'vocab_size',
      'intermediate_size',
      'max_position_embeddings',
    ]) {
      const error = failure({ ...DENSE, [field]: undefined })
      expect(error.code).toBe('missing-model-field')
      expect(error.message).toContain(field)
      expect(error.location).toEqual({ file: 'models/x/config.json', path: field })
    }
    expect(failure({ ...MOE, num_experts_per_tok: null }).message).toContain('num_experts_per_tok')
    expect(failure({ ...MLA, qk_rope_head_dim: undefined }).message).toContain('qk_rope_head_dim')
    expect(failure({ text_config: { ...DENSE, model_type: 'x', hidden_size: undefined } }).location!.path).toBe(
      'text_config.hidden_size',
    )
    expect(failure({ ...DENSE, architectures: undefined, model_type: undefined }).message).toContain('architectures')
  })

  it('refuses figures that mean nothing', () => {
    for (const value of [0, -1, 1.5, '12', Number.NaN, 1e30, [1, 2], {}]) {
      expect(failure({ ...DENSE, num_hidden_layers: value }).code).toBe('invalid-model-config')
    }
    expect(failure({ ...DENSE, num_hidden_layers: 1e9 }).message).toContain('at most 10000')
    expect(failure({ ...DENSE, num_key_value_heads: 5 }).message).toContain('divide')
    expect(failure({ ...MOE, num_experts_per_tok: 33 }).message).toContain('exceeds')
    expect(failure({ ...DENSE, layer_types: ['full_attention'] }).message).toContain('1 entries for 12 layers')
    expect(failure({ ...DENSE, hybrid_override_pattern: 'MX' }).code).toMatch(/invalid-model-config/)
    expect(failure('text').code).toBe('invalid-model-config')
    expect(failure([]).code).toBe('invalid-model-config')
    expect(failure(null).code).toBe('invalid-model-config')
  })
})
