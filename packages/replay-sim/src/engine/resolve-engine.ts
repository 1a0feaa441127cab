import { type EngineArgs, SpicaError } from '@spica/schema'
import type { EngineRole, ResolvedEngine } from './engine-settings.js'

const DEFAULT_ACCEPT_RATES = [0.85, 0.3, 0, 0, 0]

function acceptRates(args: EngineArgs, count: number): readonly number[] {
  const given = args.aic_nextn_accept_rates
  const list = typeof given === 'string' ? given.split(',').map(Number) : (given ?? DEFAULT_ACCEPT_RATES)
  return Array.from({ length: count }, (_, k) => list[k] ?? 0)
}

function defaultBlockSize(type: ResolvedEngine['type'], args: EngineArgs): number {
  if (type === 'vllm') return 64
  if (type === 'trtllm') return 32
  return args.sglang?.page_size ?? 1
}

/** Fills in every default of `args` for a worker of the given role. Contradictions are input errors. */
export function resolveEngine(args: EngineArgs, role: EngineRole): ResolvedEngine {
  const type = args.engine_type ?? 'vllm'
  const blockSize = args.block_size ?? defaultBlockSize(type, args)
  const ranks = Math.max(args.dp_size ?? 1, args.aic_attention_dp_size ?? 1)
  const mtpTokens = args.aic_nextn ?? 0
  const decodeRatio = args.decode_speedup_ratio ?? 1
  const ratio = args.speedup_ratio ?? 1
  if (mtpTokens > 0 && decodeRatio !== 1) {
    throw new SpicaError('input', 'mtp-with-decode-speedup', 'aic_nextn needs decode_speedup_ratio 1', {
      hint: 'remove decode_speedup_ratio: the accepted tokens are the speed-up',
    })
  }
  const chunk = args.sglang?.chunked_prefill_size ?? 8192
  if (type === 'sglang' && chunk % blockSize !== 0) {
    throw new SpicaError(
      'input',
      'chunk-not-whole-pages',
      `sglang.chunked_prefill_size ${chunk} is not a multiple of the page size ${blockSize}`,
      { hint: 'choose a multiple of block_size' },
    )
  }
  return {
    type,
    role,
    blocks: args.num_gpu_blocks ?? 16384,
    blockSize,
    maxSequences: args.max_num_seqs === null ? Number.POSITIVE_INFINITY : (args.max_num_seqs ?? 256),
    maxBatchedTokens:
      args.max_num_batched_tokens === null ? Number.POSITIVE_INFINITY : (args.max_num_batched_tokens ?? 8192),
    prefixCaching: args.enable_prefix_caching ?? true,
    chunkedPrefill: args.enable_chunked_prefill ?? true,
    prefillSpeedup: ratio,
    decodeSpeedup: ratio * decodeRatio,
    ranks,
    startupSeconds: args.startup_time ?? 0,
    maxModelTokens: args.max_model_len ?? Number.POSITIVE_INFINITY,
    preemption: args.preemption_mode ?? 'lifo',
    kvBytesPerToken: args.kv_bytes_per_token ?? null,
    transferBandwidth: args.kv_transfer_bandwidth ?? null,
    transferTiming: args.kv_transfer_timing_mode ?? 'full_prompt',
    mtpTokens,
    mtpAcceptRates: acceptRates(args, mtpTokens),
    mtpSeed: args.aic_mtp_seed ?? 42,
    gpusPerWorker: (args.aic_tp_size ?? 1) * ranks,
    sglang: {
      policy: args.sglang?.schedule_policy === 'lpm' ? 'lpm' : 'fifo',
      maxPrefillTokens: args.sglang?.max_prefill_tokens ?? 16384,
      chunkedPrefillTokens: chunk,
      clipMaxNewTokens: args.sglang?.clip_max_new_tokens ?? 4096,
      conservativeness: args.sglang?.schedule_conservativeness ?? 1,
    },
    offload: {
      hostBlocks: args.num_g2_blocks ?? 0,
      diskBlocks: args.num_g3_blocks ?? 0,
      objectStore: args.enable_g4_storage ?? false,
      batchBlocks: args.offload_batch_size ?? 32,
      deviceToHost: args.bandwidth_g1_to_g2_gbps ?? 14,
      hostToDevice: args.bandwidth_g2_to_g1_gbps ?? 14,
      hostToDisk: args.bandwidth_g2_to_g3_gbps ?? 7,
      diskToHost: args.bandwidth_g3_to_g2_gbps ?? 7,
    },
    args,
  }
}
