import type { MlaSpec, SparseIndexerSpec } from '@spica/schema'
import type { ConfigReader } from './config-reader.js'
import { FIELDS } from './field-names.js'

/** Head counts and sizes of the ordinary attention layers. */
export interface AttentionShape {
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
  readonly vHeadDim: number
}

/** Heads, KV heads and head size. Absent KV heads mean one per head, an absent head size hidden / heads. */
export function attentionShape(reader: ConfigReader, hidden: number): AttentionShape {
  const heads = reader.integer(FIELDS.heads)
  const kvHeads = kvHeadCount(reader, heads)
  if (kvHeads > heads || heads % kvHeads !== 0) {
    throw reader.invalid(FIELDS.kvHeads[0]!, `(${kvHeads}) must divide the ${heads} attention heads`)
  }
  const headDim = reader.optionalInteger(FIELDS.headDim, 1) ?? Math.floor(hidden / heads)
  if (headDim < 1) throw reader.invalid(FIELDS.heads[0]!, `(${heads}) exceeds the hidden size ${hidden}`)
  return { heads, kvHeads, headDim, vHeadDim: reader.optionalInteger(['v_head_dim'], 1) ?? headDim }
}

/** One head group per KV head in DeciLM's `block_configs`, which leave `num_key_value_heads` null. */
function blockConfigKvHeads(reader: ConfigReader, heads: number): number | undefined {
  for (const block of reader.list('block_configs') ?? []) {
    const group = (block as { attention?: { n_heads_in_group?: unknown } } | null)?.attention?.n_heads_in_group
    if (typeof group === 'number' && group > 0) return Math.max(1, Math.floor(heads / group))
  }
  // A summary of the blocks stands for the family's usual eight heads per group.
  if (reader.has('block_configs_summary')) return Math.max(1, Math.floor(heads / 8))
  return undefined
}

/** Falcon and StarCoder share one KV head over all heads, whatever `num_kv_heads` says, except in Falcon's newer layout. */
function kvHeadCount(reader: ConfigReader, heads: number): number {
  const shared =
    reader.optionalBoolean('multi_query') === true && reader.optionalBoolean('new_decoder_architecture') !== true
  if (shared) return 1
  return reader.optionalInteger(FIELDS.kvHeads, 1) ?? blockConfigKvHeads(reader, heads) ?? heads
}

/** Latent attention, when the config has a `kv_lora_rank`. A null `q_lora_rank` (V2-Lite) is 0: no low-rank query. */
export function mlaSpec(reader: ConfigReader): MlaSpec | null {
  const kvLoraRank = reader.optionalInteger(['kv_lora_rank'], 1)
  if (kvLoraRank === undefined) return null
  return {
    qLoraRank: reader.optionalInteger(['q_lora_rank']) ?? 0,
    kvLoraRank,
    qkNopeHeadDim: reader.integer(['qk_nope_head_dim']),
    qkRopeHeadDim: reader.integer(['qk_rope_head_dim']),
    vHeadDim: reader.integer(['v_head_dim']),
  }
}

/** DeepSeek's indexer, or the block-sparse one of MiniMax-M3, which keeps one index key per token in its sparse layers. */
export function indexerSpec(reader: ConfigReader): SparseIndexerSpec | null {
  const topk = reader.optionalInteger(['index_topk'], 1)
  if (topk !== undefined) {
    return { heads: reader.integer(['index_n_heads']), headDim: reader.integer(['index_head_dim']), topk }
  }
  const sparse = reader.child('sparse_attention_config')
  if (sparse === undefined || sparse.optionalBoolean('use_sparse_attention') === false) return null
  const headDim = sparse.optionalInteger(['sparse_index_dim'], 1)
  if (headDim === undefined) return null
  const block = sparse.optionalInteger(['sparse_block_size'], 1) ?? 1
  const layers = sparse.list('sparse_attention_freq')?.filter((flag) => flag === 1).length
  return {
    heads: sparse.optionalInteger(['sparse_num_index_heads'], 1) ?? 1,
    headDim,
    topk: block * (sparse.optionalInteger(['sparse_topk_blocks'], 1) ?? 1),
    ...(layers === undefined ? {} : { layers }),
  }
}
