import type { ResolvedEngine } from '../engine-settings.js'
import { blockBytes } from './check-offload.js'
import type { DiskTier } from './disk-tier.js'
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
  private readonly disk: DiskTier | null
  /** Fetches that wait for the disk. */
  private staged: number = 0

  /** @param freeSlots called when device slots come free */
  constructor(settings: ResolvedEngine, disk: DiskTier | null, freeSlots: (slots: number) => void) {
    const { offload } = settings
    this.disk = disk
    this.cache = new HostCache(offload.hostBlocks)
    this.out = new SharedLink(offload.deviceToHost)
    this.back = new SharedLink(offload.hostToDevice)
    this.blockBytes = blockBytes(settings)
    this.batchBlocks = offload.batchBlocks
    this.freeSlots = freeSlots
  }

  has(id: number): boolean {
    return this.cache.has(id)
  }

  /** Whether the disk, and not host memory, holds a block. */
  isOnDisk(id: number): boolean {
    return this.disk?.has(id) === true && !this.cache.has(id)
  }

  /** When the next copy ends, Infinity when none is under way. */
  get deadlineMs(): number {
    const own = Math.min(this.out.deadlineMs, this.back.deadlineMs)
    return this.disk === null || this.staged === 0 ? own : Math.min(own, this.disk.deadlineMs)
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

  /** Copies blocks back to the device, through host memory when they are on disk; `onArrival` is called when they are there. */
  fetch(nowMs: number, ids: readonly number[], onArrival: () => void): void {
    const onDisk = this.disk === null ? [] : ids.filter((id) => !this.cache.has(id))
    if (this.disk !== null && onDisk.length > 0) {
      this.staged++
      this.disk.fetch(nowMs, onDisk, (readMs) => {
        this.staged--
        this.send(readMs, ids, onArrival)
      })
    } else this.send(nowMs, ids, onArrival)
  }

  private send(nowMs: number, ids: readonly number[], onArrival: () => void): void {
    for (const id of ids) this.keep(id)
    this.returns.set(this.nextTag, onArrival)
    this.back.start(nowMs, ids.length * this.blockBytes, this.nextTag++)
  }

  private keep(id: number): void {
    const pushedOut = this.cache.touch(id)
    if (pushedOut >= 0) this.disk?.store(pushedOut)
  }

  /** Ends the copies that are due. */
  advance(nowMs: number): void {
    this.disk?.advance(nowMs)
    for (const tag of this.out.collect(nowMs)) {
      const { ids, slots } = this.departures.get(tag)!
      this.departures.delete(tag)
      for (const id of ids) this.keep(id)
      this.departingSlots -= slots
      this.freeSlots(slots)
    }
    for (const tag of this.back.collect(nowMs)) {
      const arrive = this.returns.get(tag)!
      this.returns.delete(tag)
      arrive()
    }
    this.disk?.flush(nowMs)
  }
}
