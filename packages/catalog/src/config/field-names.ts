/** Figures that go by several names. */
export type FieldName =
  | 'layers'
  | 'heads'
  | 'kvHeads'
  | 'headDim'
  | 'hidden'
  | 'inter'
  | 'vocab'
  | 'context'
  | 'experts'
  | 'topk'
  | 'expertInter'
  | 'denseInter'
  | 'sharedCount'
  | 'sharedInter'
  | 'mtp'
  | 'latent'
  | 'window'

/** Spellings of the same figure across model families; the first is the usual one. */
export const FIELDS: Readonly<Record<FieldName, readonly string[]>> = {
  layers: ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers'],
  heads: ['num_attention_heads', 'n_head', 'n_heads', 'num_heads'],
  kvHeads: [
    'num_key_value_heads',
    'num_kv_heads',
    'n_head_kv',
    'multi_query_group_num',
    'kv_n_heads',
    'num_attention_groups',
  ],
  headDim: ['head_dim', 'attention_head_dim', 'kv_channels', 'head_size'],
  hidden: ['hidden_size', 'n_embd', 'd_model', 'dim'],
  inter: ['intermediate_size', 'ffn_hidden_size', 'n_inner', 'ffn_dim', 'd_ff'],
  vocab: ['vocab_size', 'padded_vocab_size'],
  context: [
    'max_position_embeddings',
    'n_positions',
    'max_sequence_length',
    'max_seq_len',
    'seq_length',
    'n_ctx',
    'model_max_length',
  ],
  experts: ['n_routed_experts', 'num_experts', 'num_local_experts', 'moe_num_experts'],
  topk: [
    'num_experts_per_tok',
    'num_experts_per_token',
    'experts_per_token',
    'top_k_experts',
    'moe_top_k',
    'moe_topk',
    'moe_k',
  ],
  expertInter: ['moe_intermediate_size', 'expert_intermediate_size', 'expert_hidden_size', 'moe_ffn_hidden_size'],
  denseInter: ['dense_intermediate_size', 'intermediate_size_mlp'],
  sharedCount: ['n_shared_experts', 'num_shared_experts', 'moe_num_shared_experts', 'num_shared_expert'],
  sharedInter: [
    'shared_expert_intermediate_size',
    'moe_shared_expert_intermediate_size',
    'share_expert_dim',
    'shared_intermediate_size',
  ],
  mtp: ['num_nextn_predict_layers', 'mtp_num_hidden_layers', 'num_mtp_modules', 'mtp_num_layers'],
  latent: ['moe_latent_size', 'routed_expert_hidden_size'],
  window: ['sliding_window', 'sliding_window_size'],
}

/** Model types whose feed-forward layers have no gate: two matrices instead of three. */
export const UNGATED_MODEL_TYPES: readonly string[] = [
  'bloom',
  'falcon',
  'gpt2',
  'gpt_bigcode',
  'gpt_neox',
  'gptj',
  'mpt',
  'nemotron',
  'nemotron_h',
  'opt',
  'phi',
  'starcoder2',
]

/** Model types that normalise queries and keys per head without saying so in the config. */
export const QK_NORM_MODEL_TYPES: readonly string[] = [
  'qwen3',
  'qwen3_moe',
  'gemma3',
  'gemma3_text',
  'gemma4_text',
  'olmo2',
  'olmo3',
]

/** Model types whose embedding serves as output matrix too when the config does not say. */
export const TIED_MODEL_TYPES: readonly string[] = [
  'bloom',
  'cohere',
  'cohere2',
  'falcon',
  'gemma',
  'gemma2',
  'gemma3',
  'gemma3_text',
  'gemma3n_text',
  'gemma4_text',
  'gpt2',
  'mpt',
  'opt',
]

/** Expert figures of one architecture. */
export interface ArchitectureDefaults {
  readonly topk: number
  readonly sharedExperts: number
  readonly latentSize: number
}

/** Figures that an architecture fixes and its config may leave out. */
export const ARCHITECTURE_DEFAULTS: Readonly<Record<string, ArchitectureDefaults>> = {
  KimiK3ForConditionalGeneration: { topk: 16, sharedExperts: 2, latentSize: 3584 },
}
