import type { PassMetrics } from '../engine.js'
import { emptyMetrics } from '../pass-metrics.js'
import type { EngineState } from './engine-state.js'
import { PREEMPTED, TRANSFERRED } from './sequence-table.js'

/** Keeps the load figures of passes for planners; queues are summed as they change, so that a pass costs the same with any queue. */
export class PassRecorder {
  /** The last finished pass. */
  readonly metrics: PassMetrics
  private readonly pending: PassMetrics = emptyMetrics()
  /** The queues now; only its `queued…` figures are used. */
  private readonly queues: PassMetrics = emptyMetrics()
  /** The queues when quiet passes were planned. */
  private readonly planned: PassMetrics = emptyMetrics()

  constructor(metrics: PassMetrics) {
    this.metrics = metrics
  }

  /** A request joined (`sign` 1) or left (−1) the waiting queue. */
  waitingChanged(state: EngineState, request: number, sign: 1 | -1): void {
    const flags = state.table.flags[request]!
    const prompt = state.promptOf(request)
    if ((flags & (PREEMPTED | TRANSFERRED)) === 0) {
      this.queues.queuedPrefillCount += sign
      this.queues.queuedPrefillTokens += sign * prompt
      this.queues.queuedPrefillSquares += sign * prompt * prompt
      return
    }
    const countsPromptOnly = state.context.settings.role === 'decode'
    this.countDecode(countsPromptOnly ? prompt : prompt + state.table.produced[request]!, sign)
  }

  /** A request joined or left the queue for room on a decode worker. */
  pendingChanged(state: EngineState, request: number, sign: 1 | -1): void {
    this.countDecode(state.promptOf(request), sign)
  }

  private countDecode(tokens: number, sign: 1 | -1): void {
    this.queues.queuedDecodeCount += sign
    this.queues.queuedDecodeKvTokens += sign * tokens
    this.queues.queuedDecodeKvSquares += sign * tokens * tokens
  }

  /** A pass was scheduled; `emitters` are the laggards that emit in it. */
  passScheduled(state: EngineState, emitters: readonly number[]): void {
    const { pending } = this
    copyQueues(this.queues, pending)
    recordDecoding(state, pending)
    pending.prefillCount = 0
    pending.prefillTokens = 0
    pending.prefillKvTokens = 0
    pending.prefillLengthSum = 0
    pending.prefillLengthSquares = 0
    for (let k = 0; k < state.grantCount; k++) {
      if (state.grantRequests[k]! < 0 || state.grantPrefill[k] === 0) continue
      const prompt = state.promptOf(state.grantRequests[k]!)
      pending.prefillCount++
      pending.prefillTokens += state.grantTokens[k]!
      pending.prefillKvTokens += state.grantPrefix[k]!
      pending.prefillLengthSum += prompt
      pending.prefillLengthSquares += prompt * prompt
    }
    for (const request of emitters) {
      if (hasPrefillGrant(state, request)) continue
      const known = state.promptOf(request) + state.table.produced[request]!
      pending.decodeCount++
      pending.decodeKvTokens += known
      pending.decodeKvSquares += known * known
    }
  }

  passFinished(): void {
    Object.assign(this.metrics, this.pending)
  }

  quietPlanned(): void {
    copyQueues(this.queues, this.planned)
  }

  /** Quiet passes were performed; call before the pass counter passes the last of them. */
  quietPassEnds(state: EngineState): void {
    const { metrics } = this
    Object.assign(metrics, this.planned)
    recordDecoding(state, metrics)
  }
}

function hasPrefillGrant(state: EngineState, request: number): boolean {
  for (let k = 0; k < state.grantCount; k++) {
    if (state.grantRequests[k] === request) return state.grantPrefill[k]! > 0
  }
  return false
}

function recordDecoding(state: EngineState, into: PassMetrics): void {
  const { size, pass, leadSum, leadSquares } = state.decoding
  into.decodeCount = size
  into.decodeKvTokens = size * pass + leadSum
  into.decodeKvSquares = size * pass * pass + 2 * pass * leadSum + leadSquares
}

function copyQueues(from: PassMetrics, to: PassMetrics): void {
  to.queuedPrefillCount = from.queuedPrefillCount
  to.queuedPrefillTokens = from.queuedPrefillTokens
  to.queuedPrefillSquares = from.queuedPrefillSquares
  to.queuedDecodeCount = from.queuedDecodeCount
  to.queuedDecodeKvTokens = from.queuedDecodeKvTokens
  to.queuedDecodeKvSquares = from.queuedDecodeKvSquares
}
