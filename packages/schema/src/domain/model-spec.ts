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
  /** Layers that keep an index key per token; default: all layers. */
  readonly layers?: number
}

/** State of a recurrent (Mamba or linear-attention) layer, per sequence. */
export interface RecurrentSpec {
  readonly kind: 'mamba' | 'linear'
  /** Elements of the convolution state per layer. */
  readonly convStateElements: number
  /** Elements of the recurrent state per layer. */
  readonly ssmStateElements: number
  /** Projection weights per layer, elements; the sum of the two below. */
  readonly weightElements: number
  /** Weights of the projections into the mixer per layer, elements. */
  readonly inProjElements?: number
  /** Weights of the projection out of the mixer per layer, elements. */
  readonly outProjElements?: number
  /** Bytes of one element of the recurrent state; default 4 (float32). */
  readonly ssmStateBytes?: number
  /** Bytes of one element of the convolution state; default 2 (bfloat16). */
  readonly convStateBytes?: number
}

/** A run of layers that share one kind of token mixer. Order inside the model does not matter here. */
export interface LayerGroup {
  /** `compressed`: one entry per `compressRatio` tokens beside a window of recent tokens (DeepSeek-V4). */
  readonly mixer: 'full' | 'sliding' | 'mla' | 'recurrent' | 'compressed' | 'none'
  readonly count: number
  /** Window in tokens for `sliding` and `compressed`. */
  readonly window?: number
  /** Tokens per compressed entry for `compressed`; 0 = window only. */
  readonly compressRatio?: number
  readonly heads?: number
  readonly kvHeads?: number
  readonly headDim?: number
  /** Defaults to headDim. */
  readonly vHeadDim?: number
  readonly recurrent?: RecurrentSpec
  /** True when these layers read the cache of earlier layers and keep none of their own; default false. */
  readonly sharesKv?: boolean
  /** True when keys and values are one projection (Gemma-4 global layers); default false. */
  readonly keyEqualsValue?: boolean
}

/** A run of dense feed-forward layers of one size. */
export interface DenseFfnGroup {
  readonly count: number
  readonly interSize: number
}

export interface MoeSpec {
  readonly experts: number
  readonly topk: number
  readonly interSize: number
  /** Number of MoE layers; the rest of the feed-forward layers are dense. */
  readonly layers: number
  /** Intermediate size of all shared experts together; 0 when there are none. */
  readonly sharedInterSize: number
  /** Number of shared experts that the config names, or null when it names none. */
  readonly sharedExperts?: number | null
  /** Width that routed experts read and write when it is not the hidden size (latent experts); default hiddenSize. */
  readonly latentSize?: number
}

export interface QuantizationSpec {
  /** Format of attention and dense feed-forward GEMMs. */
  readonly gemm: WeightFormat
  readonly moe: WeightFormat
  readonly attention: WeightFormat
  readonly kv: KvFormat
  readonly lmHead: WeightFormat
  /** Format of the shared experts; default `gemm`. */
  readonly sharedExpert?: WeightFormat
  /** True when `kv` was named by the checkpoint, false when it follows from the weights. Default false. */
  readonly kvDeclared?: boolean
  /** Weights that share one scale, for 4-bit formats; default 128. */
  readonly groupSize?: number
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
  /** Dense feed-forward layers; together with `moe.layers` every feed-forward layer. Default: all other layers at interSize. */
  readonly denseFfn?: readonly DenseFfnGroup[]
  /** False when feed-forward layers have two matrices instead of three (no gate); default true. */
  readonly gatedFfn?: boolean
  /** True when the query projection also yields an output gate (Qwen3-Next, Qwen3.5); default false. */
  readonly attentionOutputGate?: boolean
  /** Low-rank output projection of DeepSeek-V4: rank and number of groups. */
  readonly outputLora?: { readonly rank: number; readonly groups: number }
  /** Residual streams of hyper-connections (DeepSeek-V4); default 1. */
  readonly hyperConnections?: number
  /** `model_type` of the config, e.g. `qwen3_moe`. */
  readonly modelType?: string
}

/** True when the model has routed experts. */
export function isMoe(model: ModelSpec): boolean {
  return model.moe !== null
}
