import { ConfigReader, isRecord, ownValue } from './config-reader.js'
import { NESTED_DEFAULTS } from './nested-defaults.js'

/** Sub-objects in which multimodal configs keep the language model, outermost name first. */
const NESTINGS = ['text_config', 'llm_config', 'language_config', 'language_model_config', 'thinker_config'] as const

/** Root fields that hold for the nested language model too, unless it has its own. */
const INHERITED = [
  'tie_word_embeddings',
  'torch_dtype',
  'dtype',
  'quantization_config',
  'max_position_embeddings',
  'vocab_size',
] as const

/** Fields of the language model inside a config, with the nesting of multimodal models undone. */
export function textModel(config: Readonly<Record<string, unknown>>, path: string = '', file?: string): ConfigReader {
  for (const name of NESTINGS) {
    const nested = config[name]
    if (!isRecord(nested) || Object.keys(nested).length === 0) continue
    const merged: Record<string, unknown> = { ...nested }
    for (const field of INHERITED) {
      if ((merged[field] === undefined || merged[field] === null) && config[field] !== undefined)
        merged[field] = config[field]
    }
    const defaults = ownValue(NESTED_DEFAULTS, nested['model_type']) ?? {}
    for (const [field, value] of Object.entries(defaults)) merged[field] ??= value
    merged['architectures'] = config['architectures'] ?? merged['architectures']
    return textModel(merged, path === '' ? name : `${path}.${name}`, file)
  }
  return new ConfigReader(withInnerConfigs(config), path, file)
}

/** MPT and DBRX keep attention and feed-forward figures in objects of their own. */
function withInnerConfigs(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = [config['attn_config'], config['ffn_config']].filter(isRecord)
  return inner.length === 0 ? config : Object.assign({}, ...inner, config)
}
