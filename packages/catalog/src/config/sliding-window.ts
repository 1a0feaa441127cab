import { type ConfigReader, ownValue } from './config-reader.js'
import { FIELDS } from './field-names.js'
import { repeat } from './layer-plan.js'

/** Families that take `sliding_window` into account only when `use_sliding_window` is true. */
const NEEDS_SWITCH = ['qwen2', 'qwen2_moe', 'qwen3', 'qwen3_moe', 'qwen2_vl', 'qwen2_5_vl', 'mimo']

/** Every n-th layer is global in these families when the config does not say so. */
const DEFAULT_PATTERN: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3_text: 6,
  gemma3n_text: 5,
  cohere2: 4,
  olmo3: 4,
  exaone4: 4,
  gpt_oss: 2,
}

/** Window of each layer in tokens, or null where the layer sees the whole sequence. */
export function windowPerLayer(reader: ConfigReader, layers: number): (number | null)[] {
  const types = layerTypes(reader, layers)
  const chunk = reader.optionalInteger(['attention_chunk_size'], 1)
  const window = slidingWindow(reader)
  if (types !== undefined) {
    return types.map((type) => {
      if (type.startsWith('chunked')) return chunk ?? window
      if (type.startsWith('sliding') || type === 'local_attention' || type === 'swa') return window
      return null
    })
  }
  const hybrid = reader.list('hybrid_layer_pattern')
  if (hybrid !== undefined) {
    checkLength(reader, 'hybrid_layer_pattern', hybrid, layers)
    return hybrid.map((flag) => (flag === 1 || flag === true ? window : null))
  }
  const ropeFlags = reader.list('no_rope_layers')
  if (isLlama4(reader)) {
    if (chunk === undefined) return Array.from({ length: layers }, () => null)
    if (ropeFlags !== undefined && ropeFlags.length === layers)
      return ropeFlags.map((rope) => (rope === 1 ? chunk : null))
    const interval = reader.optionalInteger(['no_rope_layer_interval'], 1) ?? 4
    return Array.from({ length: layers }, (_, layer) => ((layer + 1) % interval === 0 ? null : chunk))
  }
  if (window === null) return Array.from({ length: layers }, () => null)
  return patternedWindows(reader, layers, window)
}

/** Layer kinds as a list, from the list itself, its counts, or a pattern string. */
export function layerTypes(reader: ConfigReader, layers: number): readonly string[] | undefined {
  for (const name of ['layer_types', 'layers_block_type']) {
    const value = reader.raw(name)
    if (Array.isArray(value)) {
      const types = value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
      // A list may carry the MTP layers at its end.
      if (types.length > layers && types.length <= layers + 8) return types.slice(0, layers)
      checkLength(reader, name, types, layers)
      return types
    }
    if (typeof value === 'object' && value !== null) {
      const counts = Object.entries(value).map(([type, count]) => [type, wholeCount(count)] as const)
      const total = counts.reduce((sum, [, count]) => sum + count, 0)
      if (total !== layers) throw reader.invalid(name, `counts ${total} layers, the config says ${layers}`)
      return counts.flatMap(([type, count]) => repeat(type, count))
    }
  }
  return undefined
}

function wholeCount(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

function slidingWindow(reader: ConfigReader): number | null {
  if (reader.optionalBoolean('use_sliding_window') === false) return null
  const modelType = reader.optionalString('model_type')?.replace(/_text$/, '') ?? ''
  if (NEEDS_SWITCH.includes(modelType) && reader.optionalBoolean('use_sliding_window') !== true) return null
  const window = reader.optionalInteger(FIELDS.window, 0)
  return window === undefined || window === 0 ? null : window
}

function patternedWindows(reader: ConfigReader, layers: number, window: number): (number | null)[] {
  const pattern = reader.raw('sliding_window_pattern', '_sliding_window_pattern', 'global_attn_every_n_layers')
  if (typeof pattern === 'string' && /^[LG]+$/i.test(pattern)) {
    return Array.from({ length: layers }, (_, layer) =>
      pattern[layer % pattern.length]!.toUpperCase() === 'L' ? window : null,
    )
  }
  const modelType = reader.optionalString('model_type') ?? ''
  const every = typeof pattern === 'number' && pattern > 0 ? pattern : ownValue(DEFAULT_PATTERN, modelType)
  if (every !== undefined) {
    return Array.from({ length: layers }, (_, layer) => ((layer + 1) % every === 0 ? null : window))
  }
  // Qwen's meaning: the layers from max_window_layers on slide, the ones before see everything.
  const from = reader.optionalInteger(['max_window_layers']) ?? 0
  const usesFrom = reader.optionalBoolean('use_sliding_window') === true
  return Array.from({ length: layers }, (_, layer) => (usesFrom && layer < from ? null : window))
}

function isLlama4(reader: ConfigReader): boolean {
  return (reader.optionalString('model_type') ?? '').startsWith('llama4')
}

export function checkLength(reader: ConfigReader, name: string, list: readonly unknown[], layers: number): void {
  if (list.length !== layers) throw reader.invalid(name, `has ${list.length} entries for ${layers} layers`)
}
