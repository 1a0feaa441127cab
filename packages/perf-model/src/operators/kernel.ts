import type { KvFormat, WeightFormat } from '@spica/schema'

/** Arithmetic of an attention kernel: BF16, or FP8 where the backend runs FP8 matrix products on an FP8 cache. */
export type AttentionFormat = 'bfloat16' | 'fp8'

/** Expert formats as kernels see them: MXFP4 weights meet BF16 activations or MXFP8 ones, depending on the GPU. */
export type ExpertFormat = WeightFormat | 'w4a16_mxfp4' | 'w4a8_mxfp4_mxfp8'

/** Matrix product of `rows` × k by k × n. Rows are the new tokens of the rank, or one per sequence (logits). */
export interface GemmKernel {
  readonly kind: 'gemm'
  readonly n: number
  readonly k: number
  readonly format: WeightFormat
  readonly rows: 'tokens' | 'sequences'
}

/** Memory-bound operator: norms, gated activation, embedding. Bytes moved per new token of the rank. */
export interface ElementwiseKernel {
  readonly kind: 'elementwise'
  readonly bytesPerToken: number
}

/** Grouped-query attention of one rank, over a prompt (`prefill`) or one new token per sequence (`decode`). */
export interface AttentionKernel {
  readonly kind: 'attention'
  readonly phase: 'prefill' | 'decode'
  /** Query heads on this rank. */
  readonly heads: number
  /** KV heads on this rank. */
  readonly kvHeads: number
  readonly headDim: number
  /** Window in tokens, 0 for full attention. */
  readonly window: number
  readonly kvFormat: KvFormat
  readonly attentionFormat: AttentionFormat
  readonly qkNorm: boolean
}

/** A whole latent-attention block of one rank: projections, attention and output. */
export interface MlaKernel {
  readonly kind: 'mla'
  readonly phase: 'prefill' | 'decode'
  readonly heads: number
  readonly tp: number
  readonly hiddenSize: number
  readonly totalHeads: number
  readonly qLoraRank: number
  readonly kvLoraRank: number
  readonly nopeHeadDim: number
  readonly ropeHeadDim: number
  readonly vHeadDim: number
  readonly gemmFormat: WeightFormat
  readonly kvFormat: KvFormat
  readonly attentionFormat: AttentionFormat
}

/** A latent-attention block whose tokens are picked by an indexer (DeepSeek-V3.2, GLM-5). */
export interface SparseMlaKernel extends Omit<MlaKernel, 'kind'> {
  readonly kind: 'sparse-mla'
  readonly architecture: string
  readonly indexHeads: number
  readonly indexHeadDim: number
  readonly topk: number
}

/** Routed experts of one rank. The tokens of all attention-DP ranks meet here. */
export interface ExpertsKernel {
  readonly kind: 'experts'
  readonly format: ExpertFormat
  /** Skew of the router as a power-law exponent, or `balanced`. */
  readonly skew: 'power_law_1.2' | 'power_law_1.01' | 'balanced'
  readonly topk: number
  readonly experts: number
  readonly hiddenSize: number
  readonly interSize: number
  readonly moeTp: number
  readonly moeEp: number
  /** Tokens per rank × this = tokens the experts see. */
  readonly tokenFactor: number
  /** False for two-matrix experts (squared ReLU). */
  readonly gated: boolean
}

/** All-reduce of the backend's own kernel over `gpus` ranks. */
export interface AllReduceKernel {
  readonly kind: 'all-reduce'
  readonly elementsPerToken: number
  readonly gpus: number
}

/** NCCL collective over `gpus` ranks; BF16 elements per new token of the rank. */
export interface CollectiveKernel {
  readonly kind: 'collective'
  readonly collective: 'all_gather' | 'reduce_scatter'
  readonly elementsPerToken: number
  readonly gpus: number
}

/** Token mixer with a fixed state (Mamba, linear attention) without its projections. */
export interface RecurrentKernel {
  readonly kind: 'recurrent'
  readonly phase: 'prefill' | 'decode'
  /** State read and written per sequence, bytes on this rank. */
  readonly stateBytes: number
  /** Elements moved per token on this rank. */
  readonly elementsPerToken: number
}

export type LeafKernel =
  | GemmKernel
  | ElementwiseKernel
  | AttentionKernel
  | MlaKernel
  | SparseMlaKernel
  | ExpertsKernel
  | AllReduceKernel
  | CollectiveKernel
  | RecurrentKernel

/** Kernels that run one after another, as one named operator. */
export interface SequenceKernel {
  readonly kind: 'sequence'
  readonly parts: readonly LeafKernel[]
}

/** Two streams that run side by side; the longer one counts. */
export interface OverlapKernel {
  readonly kind: 'overlap'
  readonly first: readonly LeafKernel[]
  readonly second: readonly LeafKernel[]
}

export type Kernel = LeafKernel | SequenceKernel | OverlapKernel

/** An operator of a pass: its kernel runs `count` times (once per layer that has it). */
export interface PlannedOperator {
  readonly name: string
  readonly count: number
  readonly kernel: Kernel
}

/** Operators of both phases for one model, GPU, backend and worker shape. */
export interface PassPlan {
  readonly prefill: readonly PlannedOperator[]
  readonly decode: readonly PlannedOperator[]
}
