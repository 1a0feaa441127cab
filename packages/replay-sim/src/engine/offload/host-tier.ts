import { SpicaError } from '@spica/schema'
import type { ResolvedEngine } from '../engine-settings.js'
import { HostCache } from './host-cache.js'
import { SharedLink } from './shared-link.js'

/** Content that leaves the device. */
interface Departure {
  readonly ids: readonly number[]
  /** Device slots that come free when the copy ends. */
  readonly slots: number
}

/**
 * The host-memory tier (G2) of one rank. Evicted device blocks are copied out in batches, their slots staying occupied
 * until the copy ends; blocks that a waiting request needs are copied back before it is admitted. Copies in one direction
 * share that direction's bandwidth equally.
 */
export class HostTier {
  /** Device slots still occupied by copies on their way out. */
  departingSlots: number = 0
  private readonly cache: HostCache
  private readonly out: SharedLink
  private readonly back: SharedLink
  private readonly blockBytes: number
  private readonly batchBlocks: number
  private readonly departures: Map<number, Departure> = new Map()
  private readonly returns: Map<number, () => void> = new Map()
  private pendingIds: number[] = []
  private pendingSlots: number = 0
  private nextTag: number = 0
  private readonly freeSlots: (slots: number) => void

  /** @param freeSlots called when device slots come free */
  constructor(settings: ResolvedEngine, freeSlots: (slots: number) => void) {
    const { offload, kvBytesPerToken, blockSize } = settings
    if (kvBytesPerToken === null) {
      throw new SpicaError('input', 'missing-kv-bytes', 'num_g2_blocks needs kv_bytes_per_token to time the copies', {
        hint: 'add kv_bytes_per_token to the engine arguments',
      })
    }
    this.cache = new HostCache(offload.hostBlocks)
    this.out = new SharedLink(offload.deviceToHost)
    this.back = new SharedLink(offload.hostToDevice)
    this.blockBytes = blockSize * kvBytesPerToken
    this.batchBlocks = offload.batchBlocks
    this.freeSlots = freeSlots
  }

  has(id: number): boolean {
    return this.cache.has(id)
  }

  /** When the next copy ends, Infinity when none is under way. */
  get deadlineMs(): number {
    return Math.min(this.out.deadlineMs, this.back.deadlineMs)
  }

  /** An evicted block is to be copied out, keeping its slot until then when `holdsSlot`. */
  depart(id: number, holdsSlot: boolean): void {
    this.pendingIds.push(id)
    if (!holdsSlot) return
    this.pendingSlots++
    this.departingSlots++
  }

  /** Starts the copies of the blocks evicted so far, a batch each. */
  flush(nowMs: number): void {
    while (this.pendingIds.length > 0) {
      const ids = this.pendingIds.splice(0, this.batchBlocks)
      const slots = Math.min(ids.length, this.pendingSlots)
      this.pendingSlots -= slots
      this.departures.set(this.nextTag, { ids, slots })
      this.out.start(nowMs, ids.length * this.blockBytes, this.nextTag++)
    }
  }

  /** Copies blocks back to the device; `onArrival` is called when they are there. */
  fetch(nowMs: number, ids: readonly number[], onArrival: () => void): void {
    for (const id of ids) this.cache.touch(id)
    this.returns.set(this.nextTag, onArrival)
    this.back.start(nowMs, ids.length * this.blockBytes, this.nextTag++)
  }

  /** Ends the copies that are due. */
  advance(nowMs: number): void {
    for (const tag of this.out.collect(nowMs)) {
      const { ids, slots } = this.departures.get(tag)!
      this.departures.delete(tag)
      for (const id of ids) this.cache.touch(id)
      this.departingSlots -= slots
      this.freeSlots(slots)
    }
    for (const tag of this.back.collect(nowMs)) {
      const arrive = this.returns.get(tag)!
      this.returns.delete(tag)
      arrive()
    }
  }
}
