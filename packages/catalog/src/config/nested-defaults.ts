/**
 * Figures of the model classes that multimodal configs leave out of their nested language model, because the class has them as
 * defaults. Root configs spell them out, so that there a missing figure is a mistake.
 */
export const NESTED_DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  llama: {
    hidden_size: 4096,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    intermediate_size: 11008,
    max_position_embeddings: 2048,
  },
  mistral: { num_attention_heads: 32, num_key_value_heads: 8 },
  gemma3_text: {
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 256,
    vocab_size: 262208,
    max_position_embeddings: 131072,
    sliding_window: 4096,
  },
}
