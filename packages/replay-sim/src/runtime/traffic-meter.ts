import type { TrafficWindow } from '@spica/schema'
import { type Recorder, STATUS_COMPLETED } from '../report/recorder.js'
import type { Pool } from './pool.js'

/** Traffic since the last planner tick. */
export class TrafficMeter {
  private readonly recorder: Recorder
  private arrivedBefore = 0
  private completions = 0
  private islSum = 0
  private oslSum = 0
  private ttftSum = 0
  private ttftCount = 0
  private itlSum = 0
  private itlCount = 0
  private hitSum = 0
  private hitCount = 0
  private before = { forwards: 0, tokens: 0 }

  constructor(recorder: Recorder) {
    this.recorder = recorder
  }

  routed(overlapShare: number): void {
    this.hitSum += overlapShare
    this.hitCount++
  }

  ended(request: number): void {
    const { recorder } = this
    if (recorder.status[request] !== STATUS_COMPLETED) return
    const tokens = recorder.producedTokens[request]!
    this.completions++
    this.islSum += recorder.workload.inputTokens[request]!
    this.oslSum += tokens
    if (tokens === 0) return
    const first = recorder.firstTokenMs[request]!
    this.ttftSum += first - recorder.arrivalMs[request]!
    this.ttftCount++
    if (tokens < 2) return
    this.itlSum += (recorder.lastTokenMs[request]! - first) / (tokens - 1)
    this.itlCount++
  }

  /** The window since the last call, then starts a new one. `pool` is the one whose tokens users see. */
  take(durationMs: number, pool: Pool): TrafficWindow {
    const after = pool.emissions()
    const forwards = after.forwards - this.before.forwards
    const tokens = after.tokens - this.before.tokens
    this.before = after
    const window: TrafficWindow = {
      duration_s: durationMs / 1000,
      num_req: this.recorder.arrivedCount - this.arrivedBefore,
      avg_isl: mean(this.islSum, this.completions),
      avg_osl: mean(this.oslSum, this.completions),
      avg_ttft_ms: mean(this.ttftSum, this.ttftCount),
      avg_itl_ms: mean(this.itlSum, this.itlCount),
      shape_count: this.completions,
      ttft_count: this.ttftCount,
      itl_count: this.itlCount,
      avg_accept_length: forwards === 0 ? null : tokens / forwards,
      accept_length_forward_count: forwards,
      avg_kv_hit_rate: mean(this.hitSum, this.hitCount),
      hit_rate_count: this.hitCount,
    }
    this.arrivedBefore = this.recorder.arrivedCount
    this.completions = this.ttftCount = this.itlCount = this.hitCount = 0
    this.islSum = this.oslSum = this.ttftSum = this.itlSum = this.hitSum = 0
    return window
  }
}

function mean(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count
}
