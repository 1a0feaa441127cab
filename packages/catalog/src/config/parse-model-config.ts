import { type ModelSpec, SpicaError } from '@spica/schema'
import { attentionShape, indexerSpec, mlaSpec } from './attention-shape.js'
import { type ConfigReader, isRecord } from './config-reader.js'
import { feedForward } from './feed-forward.js'
import { FIELDS, QK_NORM_MODEL_TYPES, TIED_MODEL_TYPES, UNGATED_MODEL_TYPES } from './field-names.js'
import { hybridPattern } from './hybrid-pattern.js'
import { groupLayers } from './layer-plan.js'
import { modelFamily } from './model-family.js'
import { parseQuantization } from './quantization.js'
import { textModel } from './text-model.js'
import { tokenMixers } from './token-mixers.js'

export interface ParseModelConfigOptions {
  /** Name of the model; default `_name_or_path` of the config, else its architecture. */
  readonly name?: string
  /** File that the config came from, for messages. */
  readonly file?: string
}

/** Deepest model anyone may describe; a guard against configs that would fill memory. */
const MAX_LAYERS = 10_000

/**
 * Turns any Hugging Face `config.json`, with the `hf_quant_config.json` beside it where there is one, into a `ModelSpec`.
 * Throws `SpicaError` with code `missing-model-field`, `invalid-model-config` or `unsupported-quantization`.
 */
export function parseModelConfig(
  config: unknown,
  hfQuantConfig?: unknown,
  options: ParseModelConfigOptions = {},
): ModelSpec {
  if (!isRecord(config)) {
    throw new SpicaError('input', 'invalid-model-config', 'the model config must be a JSON object', {
      ...(options.file === undefined ? {} : { location: { file: options.file } }),
    })
  }
  const reader = textModel(config, '', options.file)
  const layers = layerCount(reader)
  const hidden = reader.integer(FIELDS.hidden)
  const attention = attentionShape(reader, hidden)
  const mla = mlaSpec(reader)
  const indexer = indexerSpec(reader)
  const layerGroups = groupLayers(tokenMixers(reader, { layers, hidden, attention, mla }))
  const ffn = feedForward(reader, layers, hidden)
  const modelType = reader.optionalString('model_type') ?? ''
  const architecture = architectureOf(reader, modelType)
  const rank = reader.optionalInteger(['o_lora_rank'], 1)
  const hyperConnections = reader.optionalInteger(['hc_mult'], 1)
  return {
    name: options.name ?? reader.optionalString('_name_or_path') ?? architecture,
    architecture,
    family: modelFamily({ architecture, modelType, layerGroups, mla, indexer, moe: ffn.moe }),
    layers,
    heads: attention.heads,
    kvHeads: attention.kvHeads,
    headDim: attention.headDim,
    hiddenSize: hidden,
    interSize: ffn.interSize,
    vocabSize: reader.integer(FIELDS.vocab),
    contextLength: reader.integer(FIELDS.context),
    tieWordEmbeddings: reader.optionalBoolean('tie_word_embeddings') ?? TIED_MODEL_TYPES.includes(modelType),
    qkNorm: usesQkNorm(reader, modelType),
    layerGroups,
    mla,
    indexer,
    moe: ffn.moe,
    mtpLayers: reader.optionalBoolean('use_mtp') === false ? 0 : (reader.optionalInteger(FIELDS.mtp) ?? 0),
    quantization: parseQuantization(reader, hfQuantConfig, ffn.moe !== null),
    denseFfn: ffn.denseFfn,
    gatedFfn: !UNGATED_MODEL_TYPES.includes(modelType),
    attentionOutputGate: reader.optionalBoolean('attn_output_gate') ?? /^qwen3_(next|5)/.test(modelType),
    ...(rank === undefined ? {} : { outputLora: { rank, groups: reader.optionalInteger(['o_groups'], 1) ?? 1 } }),
    ...(hyperConnections === undefined ? {} : { hyperConnections }),
    modelType,
  }
}

function layerCount(reader: ConfigReader): number {
  const pattern = hybridPattern(reader)
  const layers = reader.optionalInteger(FIELDS.layers, 1) ?? pattern?.length ?? reader.integer(FIELDS.layers)
  if (layers > MAX_LAYERS) throw reader.invalid(FIELDS.layers[0]!, `must be at most ${MAX_LAYERS}`)
  return layers
}

function architectureOf(reader: ConfigReader, modelType: string): string {
  const first = reader.list('architectures')?.[0]
  if (typeof first === 'string') return first
  if (modelType !== '') return modelType
  throw reader.missing(['architectures', 'model_type'])
}

function usesQkNorm(reader: ConfigReader, modelType: string): boolean {
  const field = reader.raw('use_qk_norm', 'qk_norm', 'qk_layernorm')
  if (typeof field === 'boolean') return field
  return QK_NORM_MODEL_TYPES.includes(modelType) || /^qwen3/.test(modelType)
}
