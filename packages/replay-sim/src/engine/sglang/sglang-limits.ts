import type { EngineContext } from '../engine.js'

/** Passes over which the new-token ratio falls from its start to its floor. */
const DECAY_PASSES = 600

/** Scheduler limits of one rank, tokens unless said otherwise. */
export interface SglangLimits {
  readonly pageSize: number
  readonly totalPages: number
  readonly maxSequences: number
  readonly maxPrefillTokens: number
  /** Multiple of the page size. */
  readonly chunkTokens: number
  readonly clipTokens: number
  readonly maxModelTokens: number
  readonly caching: boolean
  readonly initialRatio: number
  readonly leastRatio: number
  readonly ratioStep: number
}

/** The limits in force; upstream ignores the knobs that vLLM shares. */
export function sglangLimits(context: EngineContext): SglangLimits {
  const { settings, quirks } = context
  const { sglang, blockSize } = settings
  const shared = !quirks.sglangIgnoresSharedKnobs
  const batchTokens = shared ? Math.max(blockSize, settings.maxBatchedTokens) : Number.POSITIVE_INFINITY
  const chunk = Math.min(sglang.chunkedPrefillTokens, batchTokens)
  const initialRatio = 0.7 * sglang.conservativeness
  const leastRatio = initialRatio * 0.14
  return {
    pageSize: blockSize,
    totalPages: settings.blocks,
    maxSequences: settings.maxSequences,
    maxPrefillTokens: Math.min(sglang.maxPrefillTokens, batchTokens),
    chunkTokens: Math.floor(chunk / blockSize) * blockSize,
    clipTokens: sglang.clipMaxNewTokens,
    maxModelTokens: shared ? settings.maxModelTokens : Number.POSITIVE_INFINITY,
    caching: !shared || settings.prefixCaching,
    initialRatio,
    leastRatio,
    ratioStep: (initialRatio - leastRatio) / DECAY_PASSES,
  }
}

/** `tokens` rounded up to whole pages. */
export function pageCeil(tokens: number, pageSize: number): number {
  return Math.ceil(tokens / pageSize) * pageSize
}
