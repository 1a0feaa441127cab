/** Small configs that tests change one field of. */
export const DENSE: Readonly<Record<string, unknown>> = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 1024,
  num_hidden_layers: 12,
  num_attention_heads: 16,
  num_key_value_heads: 4,
  intermediate_size: 2816,
  vocab_size: 32000,
  max_position_embeddings: 8192,
}

export const MOE: Readonly<Record<string, unknown>> = {
  ...DENSE,
  architectures: ['Qwen3MoeForCausalLM'],
  model_type: 'qwen3_moe',
  num_experts: 32,
  num_experts_per_tok: 4,
  moe_intermediate_size: 512,
}

export const MLA: Readonly<Record<string, unknown>> = {
  ...DENSE,
  architectures: ['DeepseekV3ForCausalLM'],
  model_type: 'deepseek_v3',
  num_key_value_heads: 16,
  kv_lora_rank: 512,
  q_lora_rank: 384,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  n_routed_experts: 64,
  num_experts_per_tok: 6,
  moe_intermediate_size: 704,
  n_shared_experts: 2,
  first_k_dense_replace: 3,
  num_nextn_predict_layers: 1,
}
