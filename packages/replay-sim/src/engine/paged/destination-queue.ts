import { SIGNAL_REJECTED, SIGNAL_RESERVED } from '../signal-list.js'
import type { BlockCopy } from './block-pool.js'
import { completionShortfall } from './completion-reserve.js'
import type { PagedEngine } from './paged-engine.js'
import type { Sequence } from './sequence.js'

export interface Reservation {
  readonly sequence: Sequence
  readonly blocks: BlockCopy[]
  /** Leading blocks that were resident already. */
  readonly resident: number
}

/** Prompts waiting for room on a decode worker before their KV is sent, in order; only the head is tried. */
export class DestinationQueue {
  readonly reservations: Map<number, Reservation> = new Map()
  readonly pending: Sequence[] = []
  private failedAtGeneration = -1
  private readonly engine: PagedEngine

  constructor(engine: PagedEngine) {
    this.engine = engine
  }

  get isEmpty(): boolean {
    return this.pending.length === 0
  }

  push(sequence: Sequence): void {
    this.pending.push(sequence)
  }

  dropHead(): Sequence | undefined {
    this.failedAtGeneration = -1
    return this.pending.shift()
  }

  /** Tries the head once, unless it failed before and no capacity was freed since. */
  retry(): void {
    const { engine } = this
    const sequence = this.pending[0]
    if (sequence === undefined) return
    const { settings } = engine.context
    if (engine.running.length >= settings.maxSequences) {
      this.failedAtGeneration = engine.capacityGeneration
      return
    }
    if (this.failedAtGeneration === engine.capacityGeneration) return
    const bs = engine.blockSize
    const needed = Math.ceil(sequence.promptTokens / bs)
    const lifetime = engine.isTrtllm ? Math.ceil((sequence.promptTokens + sequence.limit) / bs) : needed
    if (lifetime > settings.blocks) {
      this.pending.shift()
      engine.signals.push(SIGNAL_REJECTED, sequence.request)
      return
    }
    this.failedAtGeneration = engine.capacityGeneration
    const prefix = this.residentPrefix(sequence)
    if (engine.isTrtllm && completionShortfall(engine, sequence, prefix) > 0) return
    const blocks = engine.pool.take(prefix, needed - prefix.length)
    if (blocks === null) return
    this.pending.shift()
    this.failedAtGeneration = -1
    this.reservations.set(sequence.request, { sequence, blocks, resident: prefix.length })
    engine.signals.push(SIGNAL_RESERVED, sequence.request, (needed - prefix.length) * bs)
  }

  private residentPrefix(sequence: Sequence): number[] {
    const { engine } = this
    const prefix: number[] = []
    if (!engine.context.settings.prefixCaching) return prefix
    const full = Math.floor(sequence.promptTokens / engine.blockSize)
    for (let k = 0; k < full; k++) {
      const id = engine.identity.idOf(sequence.request, k)
      if (!engine.pool.has(id)) break
      prefix.push(id)
    }
    return prefix
  }

  cancel(request: number): void {
    const position = this.pending.findIndex((sequence) => sequence.request === request)
    if (position >= 0) this.pending.splice(position, 1)
    if (position === 0) this.failedAtGeneration = -1
    const reservation = this.reservations.get(request)
    if (reservation === undefined) return
    this.reservations.delete(request)
    for (let k = reservation.blocks.length - 1; k >= 0; k--) this.engine.pool.release(reservation.blocks[k]!)
    this.engine.capacityGeneration++
  }

  /** The transferred prompt becomes visible to the prefix cache and joins the waiting queue. */
  activate(request: number): void {
    const { engine } = this
    const reservation = this.reservations.get(request)!
    this.reservations.delete(request)
    const { sequence, blocks, resident } = reservation
    if (engine.context.settings.prefixCaching) {
      const full = Math.floor(sequence.promptTokens / engine.blockSize)
      for (let k = resident; k < full; k++) engine.pool.publish(blocks[k]!, engine.identity.idOf(request, k))
    }
    sequence.blocks = blocks
    sequence.allocated = sequence.promptTokens
    sequence.computed = sequence.promptTokens
    sequence.transferred = true
    engine.waiting.push(sequence)
  }
}
