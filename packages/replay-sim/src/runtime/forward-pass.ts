import type { ForwardPassMetrics } from '@spica/schema'
import type { PassMetrics } from '../engine/engine.js'
import { emptyMetrics } from '../engine/pass-metrics.js'

/** Population variance from a count, a sum and a sum of squares. */
function variance(count: number, sum: number, squares: number): number {
  if (count === 0) return 0
  const mean = sum / count
  return Math.max(0, squares / count - mean * mean)
}

/** A finished pass as planners see it. */
export function forwardPass(worker: number, rank: number, passMs: number, pass: PassMetrics): ForwardPassMetrics {
  return {
    worker_id: worker,
    dp_rank: rank,
    wall_time: passMs / 1000,
    num_prefill_requests: pass.prefillCount,
    sum_prefill_tokens: pass.prefillTokens,
    var_prefill_length: variance(pass.prefillCount, pass.prefillLengthSum, pass.prefillLengthSquares),
    sum_prefill_kv_tokens: pass.prefillKvTokens,
    num_decode_requests: pass.decodeCount,
    sum_decode_kv_tokens: pass.decodeKvTokens,
    var_decode_kv_tokens: variance(pass.decodeCount, pass.decodeKvTokens, pass.decodeKvSquares),
    num_queued_prefill: pass.queuedPrefillCount,
    sum_queued_prefill_tokens: pass.queuedPrefillTokens,
    var_queued_prefill_length: variance(pass.queuedPrefillCount, pass.queuedPrefillTokens, pass.queuedPrefillSquares),
    num_queued_decode: pass.queuedDecodeCount,
    sum_queued_decode_kv_tokens: pass.queuedDecodeKvTokens,
    var_queued_decode_kv_tokens: variance(
      pass.queuedDecodeCount,
      pass.queuedDecodeKvTokens,
      pass.queuedDecodeKvSquares,
    ),
  }
}

/** What an idle worker reports. */
export function idlePass(worker: number, rank: number): ForwardPassMetrics {
  return forwardPass(worker, rank, 0, emptyMetrics())
}
