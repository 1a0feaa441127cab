import { type EngineArgs, SpicaError } from '@spica/schema/core'

/** What the planner knows of one pool's engines. null = unknown. Tokens, sequences, GPUs. */
export interface EngineCapabilities {
  /** GPUs of one worker. */
  readonly gpus: number
  /** KV tokens of one scheduling rank group as the planner counts them (all attention-DP ranks together). */
  readonly maxKvTokens: number | null
  readonly maxNumBatchedTokens: number | null
  readonly maxNumSeqs: number
  readonly contextLength: number | null
  readonly speculativeNextn: number
}

export interface CapabilityOptions {
  /** Longest sequence of the model, tokens, when the engine arguments do not say. */
  readonly contextLength?: number
  /** Count attention-DP from `dp_size` only and take the context from `max_model_len` only, as upstream does. */
  readonly compat?: boolean
}

const DEFAULT_BLOCKS = 16384
const DEFAULT_BATCHED_TOKENS = 8192
const DEFAULT_SEQS = 256

function defaultBlockSize(args: EngineArgs): number {
  if (args.engine_type === 'trtllm') return 32
  if (args.engine_type === 'sglang') return args.sglang?.page_size ?? 1
  return 64
}

/**
 * Capabilities that engine arguments imply. Upstream counts GPUs from `dp_size` alone and knows a context length only
 * from `max_model_len`; by default attention-DP counts under either name and the model's context length stands in.
 */
export function capabilitiesOf(args: EngineArgs, options: CapabilityOptions = {}): EngineCapabilities {
  const ranks = Math.max(
    1,
    options.compat === true ? (args.dp_size ?? 1) : (args.dp_size ?? args.aic_attention_dp_size ?? 1),
  )
  const blockTokens = (args.num_gpu_blocks ?? DEFAULT_BLOCKS) * (args.block_size ?? defaultBlockSize(args))
  const gpus = (args.aic_tp_size ?? 1) * ranks
  if (!Number.isSafeInteger(gpus) || gpus < 1) {
    throw new SpicaError('input', 'invalid-engine-args', 'aic_tp_size and dp_size must be positive whole numbers')
  }
  return {
    gpus,
    maxKvTokens: blockTokens > 0 ? blockTokens * ranks : null,
    maxNumBatchedTokens:
      args.max_num_batched_tokens === undefined ? DEFAULT_BATCHED_TOKENS : args.max_num_batched_tokens,
    maxNumSeqs: args.max_num_seqs ?? DEFAULT_SEQS,
    contextLength: args.max_model_len ?? (options.compat === true ? null : (options.contextLength ?? null)),
    speculativeNextn: args.aic_nextn ?? 0,
  }
}
