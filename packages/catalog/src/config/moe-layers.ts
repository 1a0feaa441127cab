import type { ConfigReader } from './config-reader.js'
import { hybridPattern } from './hybrid-pattern.js'

/** For each layer, whether its feed-forward part is routed experts. */
export function moeLayerFlags(reader: ConfigReader, layers: number): boolean[] {
  const pattern = hybridPattern(reader)
  if (pattern !== undefined) return [...pattern].map((letter) => letter === 'E')
  return listedLayers(reader, layers) ?? steppedLayers(reader, layers)
}

/** Configs that say it layer by layer. */
function listedLayers(reader: ConfigReader, layers: number): boolean[] | undefined {
  const frequency = reader.list('moe_layer_freq')
  if (frequency !== undefined) {
    if (frequency.length < layers) {
      throw reader.invalid('moe_layer_freq', `has ${frequency.length} entries for ${layers} layers`)
    }
    return frequency.slice(0, layers).map((flag) => flag === 1 || flag === true)
  }
  const kinds = reader.list('mlp_layer_types')
  if (kinds !== undefined && kinds.length >= layers) {
    return kinds.slice(0, layers).map((kind) => typeof kind === 'string' && /sparse|moe/.test(kind))
  }
  const named = reader.list('moe_layers') ?? enumeratedLayers(reader)
  if (named !== undefined) return fill(layers, (layer) => named.includes(layer))
  return undefined
}

/** Step-3 writes the expert layers as a string, `4,5,6,…`. */
function enumeratedLayers(reader: ConfigReader): readonly number[] | undefined {
  const text = reader.optionalString('moe_layers_enum')
  return text?.split(',').map((part) => Number(part.trim()))
}

/** Configs that give a start, a period or exceptions. */
function steppedLayers(reader: ConfigReader, layers: number): boolean[] {
  const interleave = reader.optionalInteger(['interleave_moe_layer_step'], 1)
  if (interleave !== undefined) return fill(layers, (layer) => (layer + 1) % interleave === 0)
  const period = reader.optionalInteger(['expert_layer_period'], 1)
  if (period !== undefined) {
    const offset = reader.optionalInteger(['expert_layer_offset']) ?? 0
    return fill(layers, (layer) => layer % period === offset)
  }
  const firstDense = reader.optionalInteger(['first_k_dense_replace', 'num_dense_layers', 'n_dense_layers']) ?? 0
  const start = Math.max(firstDense, reader.optionalInteger(['moe_layer_start_index']) ?? 0)
  const end = moeEnd(reader, layers)
  const frequency = reader.optionalInteger(['moe_layer_freq', 'moe_layer_interval'], 1) ?? 1
  const step = reader.optionalInteger(['decoder_sparse_step'], 1) ?? 1
  const dense = reader.list('mlp_only_layers') ?? []
  return fill(layers, (layer) => {
    if (layer < start || layer > end || dense.includes(layer)) return false
    return layer % frequency === 0 && (layer + 1) % step === 0
  })
}

function moeEnd(reader: ConfigReader, layers: number): number {
  const end = reader.raw('moe_layer_end_index')
  return typeof end === 'number' && end >= 0 ? end : layers - 1
}

function fill(layers: number, isMoe: (layer: number) => boolean): boolean[] {
  return Array.from({ length: layers }, (_, layer) => isMoe(layer))
}
