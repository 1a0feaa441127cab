import { SIGNAL_REJECTED, SIGNAL_RESERVED, type SignalList } from '../signal-list.js'
import type { EngineState } from './engine-state.js'
import { RequestQueue } from './request-queue.js'
import { canTake, pinPrefix, publishShared } from './schedule-tokens.js'
import { TRANSFERRED } from './sequence-table.js'

/** Prompts waiting for room on a decode worker before their KV is sent, in order; only the head is tried. */
export class DestinationReservations {
  readonly pending: RequestQueue = new RequestQueue()
  /** Leading blocks that were resident already, by reserved request. */
  private readonly resident = new Map<number, number>()
  private failedAtGeneration = -1
  private readonly state: EngineState
  private readonly signals: SignalList

  constructor(state: EngineState, signals: SignalList) {
    this.state = state
    this.signals = signals
  }

  get isEmpty(): boolean {
    return this.pending.count === 0
  }

  /** True when the next `retry` would try the head. */
  get isDue(): boolean {
    return this.pending.count > 0 && this.failedAtGeneration !== this.state.capacityGeneration
  }

  push(request: number): void {
    this.pending.push(request)
    this.state.recorder?.pendingChanged(this.state, request, 1)
  }

  private removePending(position: number): void {
    this.state.recorder?.pendingChanged(this.state, this.pending.at(position), -1)
    this.pending.removeAt(position)
  }

  dropHead(): number {
    this.failedAtGeneration = -1
    if (this.pending.count === 0) return -1
    const request = this.pending.at(0)
    this.removePending(0)
    return request
  }

  /** Tries the head once, unless it failed before and no capacity was freed since. */
  retry(): void {
    const { state, pending } = this
    if (pending.count === 0) return
    const request = pending.at(0)
    const { settings } = state.context
    if (state.runningCount >= settings.maxSequences) {
      this.failedAtGeneration = state.capacityGeneration
      return
    }
    if (this.failedAtGeneration === state.capacityGeneration) return
    const needed = Math.ceil(state.promptOf(request) / state.blockSize)
    const lifetime = state.isTrtllm ? state.completionBlocks(request) : needed
    if (lifetime > settings.blocks) {
      this.removePending(0)
      state.waitingIsStuck = false
      this.signals.push(SIGNAL_REJECTED, request)
      return
    }
    this.failedAtGeneration = state.capacityGeneration
    const prefix = this.residentPrefix(request)
    if (state.isTrtllm && !this.canFinish(request, prefix, lifetime)) return
    if (!canTake(state, request, prefix, needed - prefix)) return
    this.removePending(0)
    state.waitingIsStuck = false
    this.failedAtGeneration = -1
    pinPrefix(state, request, prefix)
    if (needed > prefix) state.kv.take(needed - prefix)
    if (state.isTrtllm) {
      state.promisedBlocks += lifetime
      state.promisedHeld += needed
    }
    this.resident.set(request, prefix)
    this.signals.push(SIGNAL_RESERVED, request, (needed - prefix) * state.blockSize)
  }

  private residentPrefix(request: number): number {
    const { state } = this
    if (!state.context.settings.prefixCaching) return 0
    const { sharedBlocks, offsets, ids } = state.context.blocks
    const end = sharedBlocks[request]!
    const from = offsets[request]!
    let found = 0
    while (found < end && state.kv.copyOf(ids[from + found]!) !== 0) found++
    return found
  }

  private canFinish(request: number, prefix: number, lifetime: number): boolean {
    const { state } = this
    const { offsets, ids } = state.context.blocks
    let active = 0
    for (let k = 0; k < prefix; k++) if (state.kv.isActive(state.kv.copyOf(ids[offsets[request]! + k]!))) active++
    return lifetime - active <= Math.max(0, state.kv.available - (state.promisedBlocks - state.promisedHeld))
  }

  /** The transferred prompt becomes visible to the prefix cache and joins the waiting queue. */
  activate(request: number): void {
    const { state } = this
    const { table } = state
    const resident = this.resident.get(request)!
    this.resident.delete(request)
    const prompt = state.promptOf(request)
    publishShared(state, request, resident * state.blockSize, prompt)
    table.computed[request] = prompt
    table.flags[request] = table.flags[request]! | TRANSFERRED
    state.waiting.push(request)
    state.recorder?.waitingChanged(state, request, 1)
    state.waitingIsStuck = false
  }

  /** Forgets a reservation whose source failed. */
  cancel(request: number): void {
    const { pending, state } = this
    for (let k = 0; k < pending.count; k++) {
      if (pending.at(k) !== request) continue
      this.removePending(k)
      state.waitingIsStuck = false
      if (k === 0) this.failedAtGeneration = -1
      return
    }
    const resident = this.resident.get(request)
    if (resident === undefined) return
    this.resident.delete(request)
    const { kv, table } = state
    const needed = Math.ceil(state.promptOf(request) / state.blockSize)
    if (state.isTrtllm) {
      state.promisedBlocks -= state.completionBlocks(request)
      state.promisedHeld -= needed
    }
    kv.free(needed - resident)
    const from = state.context.blocks.offsets[request]!
    for (let k = resident - 1; k >= 0; k--) kv.unpin(table.held[from + k]!)
    state.waitingIsStuck = false
    state.capacityGeneration++
  }
}
