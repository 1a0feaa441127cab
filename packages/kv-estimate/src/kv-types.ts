import type { Backend, EngineSettings, HardwareSpec, KvFormat, ModelSpec, WorkerShape } from '@spica/schema'

/** Upstream release whose memory rules, quirks included, an estimate follows instead of ours. */
export type KvCompat = 'aic-0.11'

/** How engines page sliding-window layers: at most the window per sequence, or full pages like every other layer. */
export type WindowPages = 'capped' | 'unified'

export interface KvEstimateInput {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly backend: Backend
  readonly shape: WorkerShape
  readonly settings: EngineSettings
  /** Format of the cache; default what the checkpoint says (`model.quantization.kv`). */
  readonly kvCacheDtype?: KvFormat
  /** Length, in tokens, of the longest sequence the engine admits; default the model's context length. */
  readonly maxSequenceTokens?: number
  /** Default `capped`. Under `aic-0.11` all layers are charged in full, whatever this says. */
  readonly windowPages?: WindowPages
  /**
   * Draft tokens per step; above 0 the checkpoint's MTP layers are loaded and cached too. Default 0. `aic-0.11` knows no MTP
   * weights.
   */
  readonly nextn?: number
  readonly compat?: KvCompat
}

/** Why no cache fits. */
export interface KvReason {
  /** `no-kv-budget`, `less-than-one-token`, `no-kv-layers` or `quantised-split`. */
  readonly code: string
  readonly message: string
}

/** Memory of one GPU (rank), in bytes unless a name says otherwise. */
export interface KvEstimate {
  readonly feasible: boolean
  /** Tokens of the cache of one rank; null when infeasible. */
  readonly totalKvSizeTokens: number | null
  readonly reason: KvReason | null
  /** Bytes missing for the first token of cache; 0 when feasible. */
  readonly shortfallBytes: number
  readonly capacityBytes: number
  readonly weightsBytes: number
  readonly activationsBytes: number
  /** CUDA context, graphs, allocator slack and libraries. */
  readonly runtimeOverheadBytes: number
  /** Part of the runtime overhead that captured CUDA graphs take. */
  readonly cudaGraphBytes: number
  /** Collective-communication buffers. */
  readonly commOverheadBytes: number
  readonly nonKvBytes: number
  /** What remains for the cache; negative or 0 when nothing does. */
  readonly kvBudgetBytes: number
  /** Cache per token when the pool is full of sequences of `maxSequenceTokens`, without recurrent state. */
  readonly kvSizePerTokenBytes: number
  /** Cache that each further token of a sequence adds. */
  readonly growingBytesPerToken: number
  /** Cache per token inside the window of sliding layers; per window length, see `kvBytesPerSequence`. */
  readonly windowedBytesPerToken: number
  /** Recurrent state of one sequence. */
  readonly stateBytesPerSequence: number
  /** Length the per-token figure holds for. */
  readonly maxSequenceTokens: number
  readonly kvFormat: KvFormat
  readonly weightsByOperator: Readonly<Record<string, number>>
  /** Things a user should know about this estimate, as kebab-case codes with a sentence. */
  readonly warnings: readonly KvReason[]
}
