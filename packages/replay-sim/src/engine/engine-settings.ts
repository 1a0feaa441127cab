import type { EngineArgs } from '@spica/schema'

export type EngineRole = 'aggregated' | 'prefill' | 'decode'

/** Engine arguments with every default filled in. Token counts unless said otherwise. */
export interface ResolvedEngine {
  readonly type: 'vllm' | 'sglang' | 'trtllm'
  readonly role: EngineRole
  /** KV blocks per rank. */
  readonly blocks: number
  /** Tokens per block. */
  readonly blockSize: number
  readonly maxSequences: number
  /** Token budget of a pass; Infinity when the user gave null. */
  readonly maxBatchedTokens: number
  readonly prefixCaching: boolean
  readonly chunkedPrefill: boolean
  /** Divides prefill and decode time; ≤ 0 behaves as 1. */
  readonly prefillSpeedup: number
  /** Divides decode time (product of both ratios). */
  readonly decodeSpeedup: number
  /** Attention-DP ranks per worker. */
  readonly ranks: number
  /** Seconds until a worker added by the planner becomes routable. */
  readonly startupSeconds: number
  /** Infinity when unset. */
  readonly maxModelTokens: number
  readonly preemption: 'lifo' | 'fifo'
  readonly kvBytesPerToken: number | null
  /** GB/s */
  readonly transferBandwidth: number | null
  readonly transferTiming: 'full_prompt' | 'destination_missing'
  /** Extra tokens a multi-token-prediction step may emit; 0 = off. */
  readonly mtpTokens: number
  /** Conditional acceptance rate of each extra token; length `mtpTokens`. */
  readonly mtpAcceptRates: readonly number[]
  readonly mtpSeed: number
  readonly gpusPerWorker: number
  readonly sglang: {
    readonly policy: 'fifo' | 'lpm'
    readonly maxPrefillTokens: number
    readonly chunkedPrefillTokens: number
    readonly clipMaxNewTokens: number
    readonly conservativeness: number
  }
  readonly offload: {
    /** Host blocks; 0 = tier off. */
    readonly hostBlocks: number
    readonly diskBlocks: number
    readonly objectStore: boolean
    readonly batchBlocks: number
    /** GB/s of each link. */
    readonly deviceToHost: number
    readonly hostToDevice: number
    readonly hostToDisk: number
    readonly diskToHost: number
  }
  /** The arguments as given. */
  readonly args: EngineArgs
}
