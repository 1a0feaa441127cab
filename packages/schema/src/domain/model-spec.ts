/** Weight formats. `fp8_block` has a scale per 128×128 block, `fp8` one per tensor or channel. */
export type WeightFormat = 'bfloat16' | 'fp8' | 'fp8_block' | 'nvfp4' | 'mxfp4' | 'w4afp8' | 'int4_wo' | 'int8_wo'
export type KvFormat = 'bfloat16' | 'fp8' | 'int8'

/** Multi-head latent attention (DeepSeek, Kimi, GLM-5). */
export interface MlaSpec {
  readonly qLoraRank: number
  readonly kvLoraRank: number
  readonly qkNopeHeadDim: number
  readonly qkRopeHeadDim: number
  readonly vHeadDim: number
}

/** DeepSeek sparse attention: an indexer picks `topk` tokens. */
export interface SparseIndexerSpec {
  readonly heads: number
  readonly headDim: number
  readonly topk: number
}

/** State of a recurrent (Mamba or linear-attention) layer, per sequence. */
export interface RecurrentSpec {
  readonly kind: 'mamba' | 'linear'
  /** Elements of the convolution state per layer. */
  readonly convStateElements: number
  /** Elements of the recurrent state per layer. */
  readonly ssmStateElements: number
  /** Projection weights per layer, elements. */
  readonly weightElements: number
}

/** A run of layers that share one kind of token mixer. Order inside the model does not matter here. */
export interface LayerGroup {
  readonly mixer: 'full' | 'sliding' | 'mla' | 'recurrent' | 'none'
  readonly count: number
  /** Window in tokens for `sliding`. */
  readonly window?: number
  readonly heads?: number
  readonly kvHeads?: number
  readonly headDim?: number
  /** Defaults to headDim. */
  readonly vHeadDim?: number
  readonly recurrent?: RecurrentSpec
}

export interface MoeSpec {
  readonly experts: number
  readonly topk: number
  readonly interSize: number
  /** Number of MoE layers; the rest of the feed-forward layers are dense. */
  readonly layers: number
  /** Intermediate size of all shared experts together; 0 when there are none. */
  readonly sharedInterSize: number
}

export interface QuantizationSpec {
  /** Format of attention and dense feed-forward GEMMs. */
  readonly gemm: WeightFormat
  readonly moe: WeightFormat
  readonly attention: WeightFormat
  readonly kv: KvFormat
  readonly lmHead: WeightFormat
  /** Rows × columns of a scale block, for `fp8_block`. */
  readonly weightBlock: readonly [number, number] | null
}

/** Everything the memory and time models need to know about a model. Sizes in elements unless a name says bytes. */
export interface ModelSpec {
  readonly name: string
  readonly architecture: string
  /** Which set of operators and memory rules applies. */
  readonly family:
    | 'dense'
    | 'moe'
    | 'deepseek'
    | 'deepseek-v32'
    | 'deepseek-v4'
    | 'kimi'
    | 'gpt-oss'
    | 'hybrid'
    | 'nemotron-nas'
  readonly layers: number
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
  readonly hiddenSize: number
  /** Dense feed-forward intermediate size. */
  readonly interSize: number
  readonly vocabSize: number
  /** Longest sequence the model supports, tokens. */
  readonly contextLength: number
  readonly tieWordEmbeddings: boolean
  readonly qkNorm: boolean
  readonly layerGroups: readonly LayerGroup[]
  readonly mla: MlaSpec | null
  readonly indexer: SparseIndexerSpec | null
  readonly moe: MoeSpec | null
  /** Multi-token-prediction layers in the checkpoint. */
  readonly mtpLayers: number
  readonly quantization: QuantizationSpec
}

/** True when the model has routed experts. */
export function isMoe(model: ModelSpec): boolean {
  return model.moe !== null
}
