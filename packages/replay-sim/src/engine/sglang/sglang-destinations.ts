import { SIGNAL_REJECTED, SIGNAL_RESERVED, type SignalList } from '../signal-list.js'
import type { RadixTree } from './radix-tree.js'
import type { Sequence } from './sequence.js'
import type { SequenceCache } from './sequence-cache.js'
import type { SglangLimits } from './sglang-limits.js'

/** What reservations need of an engine. */
export interface DestinationHost {
  readonly limits: SglangLimits
  readonly tree: RadixTree
  readonly cache: SequenceCache
  readonly signals: SignalList
  /** Grows whenever capacity may have been freed. */
  capacityGeneration: number
}

/** Prompts waiting for room on a decode worker before they are computed elsewhere, in order; only the head is tried. */
export class SglangDestinations<S extends Sequence> {
  private readonly engine: DestinationHost
  private readonly pending: S[] = []
  private readonly reserved: Map<number, S> = new Map()
  private failedAtGeneration: number = -1

  constructor(engine: DestinationHost) {
    this.engine = engine
  }

  get isEmpty(): boolean {
    return this.pending.length === 0
  }

  /** Granted reservations, whose pages are held until they run. */
  get granted(): number {
    return this.reserved.size
  }

  /** True when the next `retry` would try the head. */
  get isDue(): boolean {
    return this.pending.length > 0 && this.failedAtGeneration !== this.engine.capacityGeneration
  }

  push(sequence: S): void {
    this.pending.push(sequence)
  }

  /** Tries the head once, unless it failed before and no capacity was freed since. */
  retry(): void {
    const { engine } = this
    const sequence = this.pending[0]
    if (sequence === undefined || this.failedAtGeneration === engine.capacityGeneration) return
    if (Math.ceil(sequence.promptTokens / engine.limits.pageSize) > engine.limits.totalPages) {
      this.dropHead()
      engine.signals.push(SIGNAL_REJECTED, sequence.request)
      return
    }
    this.failedAtGeneration = engine.capacityGeneration
    const matched = engine.cache.begin(sequence, sequence.promptTokens)
    if (matched < 0) return
    this.pending.shift()
    this.failedAtGeneration = -1
    this.reserved.set(sequence.request, sequence)
    engine.signals.push(SIGNAL_RESERVED, sequence.request, (sequence.pages - matched) * engine.limits.pageSize)
  }

  /** The transferred prompt enters the tree; the sequence may run. */
  activate(request: number): S {
    const { engine } = this
    const sequence = this.reserved.get(request)!
    this.reserved.delete(request)
    const freeBefore = engine.tree.free
    sequence.materialized = sequence.promptTokens
    engine.cache.enter(sequence, sequence.promptTokens)
    if (engine.tree.free > freeBefore) engine.capacityGeneration++
    return sequence
  }

  cancel(request: number): void {
    const { engine } = this
    const position = this.pending.findIndex((sequence) => sequence.request === request)
    if (position >= 0) this.pending.splice(position, 1)
    if (position === 0) this.failedAtGeneration = -1
    const sequence = this.reserved.get(request)
    if (sequence === undefined) return
    this.reserved.delete(request)
    engine.cache.retract(sequence)
    engine.capacityGeneration++
  }

  dropHead(): S | undefined {
    this.failedAtGeneration = -1
    return this.pending.shift()
  }
}
