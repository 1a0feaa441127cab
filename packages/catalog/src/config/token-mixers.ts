import type { MlaSpec, RecurrentSpec } from '@spica/schema'
import type { AttentionShape } from './attention-shape.js'
import type { ConfigReader } from './config-reader.js'
import { hybridPattern } from './hybrid-pattern.js'
import { type LayerMixer, repeat } from './layer-plan.js'
import {
  gatedDeltaSpec,
  kimiDeltaSpec,
  lightningSpec,
  mamba1Spec,
  mamba2Spec,
  shortConvSpec,
} from './recurrent-state.js'
import { checkLength, layerTypes, windowPerLayer } from './sliding-window.js'

/** What is known before the layers are laid out. */
export interface MixerContext {
  readonly layers: number
  readonly hidden: number
  readonly attention: AttentionShape
  readonly mla: MlaSpec | null
}

/**
 * Token mixer of every layer. Falcon-H1 runs attention and Mamba side by side, so the list may be longer than the model is
 * deep. The order inside the model is kept where the config gives it.
 */
export function tokenMixers(reader: ConfigReader, context: MixerContext): LayerMixer[] {
  const pattern = hybridPattern(reader)
  if (pattern !== undefined) return nemotronHybrid(reader, context, pattern)
  if (reader.list('block_configs') !== undefined || reader.has('block_configs_summary'))
    return blockConfigs(reader, context)
  if (reader.list('compress_ratios') !== undefined) return compressedLayers(reader, context)
  const linear = reader.child('linear_attn_config')
  if (linear !== undefined && linear.list('kda_layers') !== undefined) {
    return indexedHybrid(context, linear.list('kda_layers')!, kimiDeltaSpec(reader, linear, context.hidden), reader)
  }
  const lightning = reader.list('attn_type_list')
  if (lightning !== undefined) {
    checkLength(reader, 'attn_type_list', lightning, context.layers)
    const spec = lightningSpec(context.attention.heads, context.attention.headDim, context.hidden)
    return lightning.map((type) => (type === 0 ? recurrentLayer(spec) : fullLayer(context)))
  }
  if (reader.optionalString('model_type') === 'falcon_h1') {
    const spec = mamba2Spec(reader, context.hidden)
    return [...repeat(fullLayer(context), context.layers), ...repeat(recurrentLayer(spec), context.layers)]
  }
  return ordinaryLayers(reader, context)
}

function ordinaryLayers(reader: ConfigReader, context: MixerContext): LayerMixer[] {
  const recurrent = recurrentFlags(reader, context.layers)
  const windows = windowPerLayer(reader, context.layers)
  const recurrentSpec = recurrent.some(Boolean) ? recurrentOf(reader, context) : undefined
  const heads = headsPerLayer(reader, context.layers)
  const sharedFrom = context.layers - (reader.optionalInteger(['num_kv_shared_layers']) ?? 0)
  return windows.map((window, layer): LayerMixer => {
    if (recurrent[layer]) return recurrentLayer(recurrentSpec!)
    const common = window === null ? globalLayer(reader, context) : slidingLayer(reader, context, window)
    const mixer = heads === undefined || common.heads === undefined ? common : { ...common, heads: heads[layer]! }
    return layer >= sharedFrom ? { ...mixer, sharesKv: true } : mixer
  })
}

/** Query heads of each layer where they differ (Laguna). */
function headsPerLayer(reader: ConfigReader, layers: number): readonly number[] | undefined {
  const heads = reader.list('num_attention_heads_per_layer')
  if (heads === undefined) return undefined
  checkLength(reader, 'num_attention_heads_per_layer', heads, layers)
  return heads.map((count) => {
    if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 1e6) return count
    throw reader.invalid('num_attention_heads_per_layer', 'must hold whole numbers of at least 1')
  })
}

/** Which layers keep a recurrent state instead of a KV cache. */
function recurrentFlags(reader: ConfigReader, layers: number): readonly boolean[] {
  const types = layerTypes(reader, layers)
  if (types !== undefined) return types.map((type) => /linear|mamba|recurrent|conv|delta/.test(type))
  const interval = reader.optionalInteger(['full_attention_interval'], 1)
  if (interval !== undefined) return Array.from({ length: layers }, (_, layer) => (layer + 1) % interval !== 0)
  const period = reader.optionalInteger(['attn_layer_period'], 1)
  if (period !== undefined) {
    const offset = reader.optionalInteger(['attn_layer_offset']) ?? 0
    return Array.from({ length: layers }, (_, layer) => layer % period !== offset)
  }
  const attention = reader.list('attn_layer_indices')
  if (attention !== undefined) return Array.from({ length: layers }, (_, layer) => !attention.includes(layer))
  const modelType = reader.optionalString('model_type') ?? ''
  return repeat(modelType === 'mamba' || modelType === 'mamba2', layers)
}

function recurrentOf(reader: ConfigReader, context: MixerContext): RecurrentSpec {
  if (reader.has('linear_num_value_heads')) return gatedDeltaSpec(reader, context.hidden)
  if (reader.has('conv_L_cache')) return shortConvSpec(reader, context.hidden)
  if (reader.has('mamba_num_heads', 'mamba_n_heads') || reader.optionalString('model_type') === 'mamba2') {
    return mamba2Spec(reader, context.hidden)
  }
  if (reader.has('mamba_d_state', 'state_size')) return mamba1Spec(reader, context.hidden)
  throw reader.missing(['linear_num_value_heads', 'mamba_num_heads', 'mamba_d_state'])
}

function recurrentLayer(recurrent: RecurrentSpec): LayerMixer {
  return { mixer: 'recurrent', recurrent }
}

function fullLayer(context: MixerContext): LayerMixer {
  if (context.mla !== null) return { mixer: 'mla' }
  const { heads, kvHeads, headDim, vHeadDim } = context.attention
  return { mixer: 'full', heads, kvHeads, headDim, vHeadDim }
}

/** A layer that sees the whole sequence; Gemma-4 gives these their own head count and size. */
function globalLayer(reader: ConfigReader, context: MixerContext): LayerMixer {
  if (context.mla !== null) return fullLayer(context)
  const { heads, kvHeads, headDim, vHeadDim } = context.attention
  const globalDim = reader.optionalInteger(['global_head_dim'], 1)
  const layer: LayerMixer = {
    mixer: 'full',
    heads,
    kvHeads: reader.optionalInteger(['num_global_key_value_heads'], 1) ?? kvHeads,
    headDim: globalDim ?? headDim,
    vHeadDim: globalDim ?? vHeadDim,
  }
  return reader.optionalBoolean('attention_k_eq_v') === true ? { ...layer, keyEqualsValue: true } : layer
}

/** A windowed layer; MiMo gives these their own head counts and sizes (`swa_*`). */
function slidingLayer(reader: ConfigReader, context: MixerContext, window: number): LayerMixer {
  const { heads, kvHeads, headDim, vHeadDim } = context.attention
  const swaDim = reader.optionalInteger(['swa_head_dim'], 1)
  return {
    mixer: 'sliding',
    window,
    heads: reader.optionalInteger(['swa_num_attention_heads'], 1) ?? heads,
    kvHeads: reader.optionalInteger(['swa_num_key_value_heads'], 1) ?? kvHeads,
    headDim: swaDim ?? headDim,
    vHeadDim: reader.optionalInteger(['swa_v_head_dim'], 1) ?? swaDim ?? vHeadDim,
  }
}

/** Nemotron-H: M = Mamba-2, * = attention, - = dense feed-forward, E = experts; only the first two mix tokens. */
function nemotronHybrid(reader: ConfigReader, context: MixerContext, pattern: string): LayerMixer[] {
  if (!/^[-ME*]+$/.test(pattern)) {
    throw reader.invalid('hybrid_override_pattern', 'may only hold M, *, - and E')
  }
  if (pattern.length !== context.layers) {
    throw reader.invalid(
      'hybrid_override_pattern',
      `describes ${pattern.length} layers, the config says ${context.layers}`,
    )
  }
  const mamba = pattern.includes('M') ? mamba2Spec(reader, context.hidden) : undefined
  return [...pattern].map((letter): LayerMixer => {
    if (letter === 'M') return recurrentLayer(mamba!)
    return letter === '*' ? fullLayer(context) : { mixer: 'none' }
  })
}

/** DeciLM / Nemotron-NAS: each block may have its attention removed or its KV head count changed. */
function blockConfigs(reader: ConfigReader, context: MixerContext): LayerMixer[] {
  const blocks = reader.list('block_configs')
  if (blocks === undefined) {
    const without = reader.child('block_configs_summary')!.integer(['no_attention'], 0)
    return [...repeat(fullLayer(context), context.layers - without), ...repeat<LayerMixer>({ mixer: 'none' }, without)]
  }
  checkLength(reader, 'block_configs', blocks, context.layers)
  return blocks.map((block): LayerMixer => {
    const attention = (
      block as { attention?: { no_op?: unknown; n_heads_in_group?: unknown; replace_with_linear?: unknown } }
    )?.attention
    if (attention === undefined || attention.no_op === true || attention.replace_with_linear === true)
      return { mixer: 'none' }
    const group = attention.n_heads_in_group
    if (typeof group !== 'number' || group <= 0) return { mixer: 'none' }
    return { ...fullLayer(context), kvHeads: Math.max(1, Math.floor(context.attention.heads / group)) }
  })
}

/** DeepSeek-V4: per-layer compression ratios; extra entries at the end belong to the MTP layers. */
function compressedLayers(reader: ConfigReader, context: MixerContext): LayerMixer[] {
  const ratios = reader.list('compress_ratios')!.slice(0, context.layers)
  checkLength(reader, 'compress_ratios', ratios, context.layers)
  const window = reader.optionalInteger(['sliding_window'], 1) ?? 128
  const { heads, kvHeads, headDim } = context.attention
  return ratios.map((ratio): LayerMixer => {
    if (typeof ratio !== 'number' || !Number.isInteger(ratio) || ratio < 0) {
      throw reader.invalid('compress_ratios', 'must hold whole numbers of at least 0')
    }
    return { mixer: 'compressed', window, compressRatio: ratio, heads, kvHeads, headDim }
  })
}

/** Kimi-Linear numbers its layers from 1. */
function indexedHybrid(
  context: MixerContext,
  indices: readonly unknown[],
  spec: RecurrentSpec,
  reader: ConfigReader,
): LayerMixer[] {
  const linear = new Set(indices)
  if ([...linear].some((index) => typeof index !== 'number' || index < 1 || index > context.layers)) {
    throw reader.invalid('linear_attn_config', `kda_layers must hold layer numbers from 1 to ${context.layers}`)
  }
  return Array.from({ length: context.layers }, (_, layer) =>
    linear.has(layer + 1) ? recurrentLayer(spec) : fullLayer(context),
  )
}
