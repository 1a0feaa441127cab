import { HostTier } from '../offload/host-tier.js'
import type { PagedEngine } from './paged-engine.js'
import { knownTokens, type Sequence } from './sequence.js'

/**
 * Host offload of a paged engine: parks waiting requests while blocks they need are copied back, and returns them to the
 * head of the queue. A request is parked at most once each time it waits.
 */
export class Parking {
  readonly parked: Set<Sequence> = new Set()
  private readonly tier: HostTier
  private readonly served: WeakSet<Sequence> = new WeakSet()

  constructor(engine: PagedEngine) {
    this.tier = new HostTier(engine.context.settings, engine.context.disk ?? null, (slots) => {
      engine.pool.freeSlots(slots)
      engine.capacityGeneration++
    })
    engine.pool.sink = this.tier
  }

  get departingSlots(): number {
    return this.tier.departingSlots
  }

  get deadlineMs(): number {
    return this.tier.deadlineMs
  }

  advance(nowMs: number): void {
    this.tier.advance(nowMs)
  }

  flush(nowMs: number): void {
    this.tier.flush(nowMs)
  }

  /** Forgets that a preempted sequence was parked before. */
  preempted(sequence: Sequence): void {
    this.served.delete(sequence)
  }

  /** Full prompt blocks that follow the first `onDevice` ones in host memory or on disk, and how many of them are on disk. */
  lowerBlocks(engine: PagedEngine, request: number, onDevice: number, limit: number): { all: number; onDisk: number } {
    let all = 0
    let onDisk = 0
    for (; onDevice + all < limit; all++) {
      const id = engine.identity.idOf(request, onDevice + all)
      if (this.tier.isOnDisk(id)) onDisk++
      else if (!this.tier.has(id)) break
    }
    return { all, onDisk }
  }

  /**
   * Parks the head of the queue when its next blocks are in a lower tier and there is room for them on the device;
   * `waits` when the room is still being copied out.
   */
  tryPark(engine: PagedEngine, sequence: Sequence, nowMs: number): 'parked' | 'waits' | 'no' {
    const { settings } = engine.context
    if (!settings.prefixCaching || this.served.has(sequence)) return 'no'
    const reusable = engine.isTrtllm ? knownTokens(sequence) : knownTokens(sequence) - 1
    const full = Math.floor(reusable / engine.blockSize)
    let onDevice = 0
    while (onDevice < full && engine.pool.has(engine.identity.idOf(sequence.request, onDevice))) onDevice++
    const count = this.lowerBlocks(engine, sequence.request, onDevice, full).all
    if (count === 0) return 'no'
    const prefix: number[] = []
    for (let k = 0; k < onDevice; k++) prefix.push(engine.identity.idOf(sequence.request, k))
    const slots = engine.pool.takeOrWait(prefix, count, this.departingSlots)
    if (slots === 'waits') return 'waits'
    if (slots === null) return 'no'
    for (const copy of slots.splice(0, onDevice).reverse()) engine.pool.release(copy)
    const ids = slots.map((_, k) => engine.identity.idOf(sequence.request, onDevice + k))
    this.served.add(sequence)
    this.parked.add(sequence)
    engine.waiting.splice(engine.waiting.indexOf(sequence), 1)
    this.tier.fetch(nowMs, ids, () => {
      slots.forEach((copy, k) => {
        engine.pool.publish(copy, ids[k]!)
      })
      for (const copy of slots.reverse()) engine.pool.release(copy)
      this.parked.delete(sequence)
      engine.waiting.unshift(sequence)
      engine.capacityGeneration++
    })
    return 'parked'
  }
}
