import { type ConfigReader, ownValue } from './config-reader.js'

/** Letters for the words that newer Nemotron-H configs use. */
const LETTERS: Readonly<Record<string, string>> = {
  mamba: 'M',
  linear_attention: 'M',
  conv: 'M',
  attention: '*',
  full_attention: '*',
  mlp: '-',
  moe: 'E',
  M: 'M',
  '*': '*',
  '-': '-',
  E: 'E',
}

/**
 * Layer letters of Nemotron-H, where a layer is either a token mixer or a feed-forward part: M = Mamba-2, * = attention, - = dense
 * feed-forward, E = experts. From `hybrid_override_pattern`, or from a `layers_block_type` that names feed-forward layers.
 */
export function hybridPattern(reader: ConfigReader): string | undefined {
  const text = reader.optionalString('hybrid_override_pattern')
  if (text !== undefined) return text
  const words = reader.list('layers_block_type')
  const isNemotron = reader.optionalString('model_type') === 'nemotron_h'
  if (words === undefined || !(isNemotron || words.some((word) => word === 'mlp' || word === 'moe'))) return undefined
  return words.map((word) => ownValue(LETTERS, word) ?? '?').join('')
}
