import type { GapLog } from './gap-log.js'

/** Token times of every request, written by engines. NaN = not yet. Times in ms from the start of the run. */
export interface TokenLog {
  readonly firstTokenMs: Float64Array
  readonly secondTokenMs: Float64Array
  readonly lastTokenMs: Float64Array
  /** Tokens produced so far. */
  readonly producedTokens: Int32Array
  /** Gaps between consecutive tokens of finished requests, pooled. */
  readonly gaps: GapLog
}
