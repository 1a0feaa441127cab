import type { ResolvedEngine } from '../engine-settings.js'
import { HostCache } from './host-cache.js'
import { SharedLink } from './shared-link.js'

/**
 * The disk tier (G3) that all ranks of a pool share: blocks pushed out of host memory are written to it, and read back into
 * host memory before they go to a device. Reads and writes share their direction's bandwidth equally.
 */
export class DiskTier {
  private readonly cache: HostCache
  private readonly out: SharedLink
  private readonly back: SharedLink
  private readonly blockBytes: number
  private readonly batchBlocks: number
  private readonly writes: Map<number, readonly number[]> = new Map()
  private readonly reads: Map<number, (nowMs: number) => void> = new Map()
  private pending: number[] = []
  /** Blocks being written; they can be read already, from the buffer they are written from. */
  private readonly writing: Set<number> = new Set()
  private nextTag: number = 0

  constructor(settings: ResolvedEngine, blockBytes: number) {
    const { offload } = settings
    this.cache = new HostCache(offload.diskBlocks)
    this.out = new SharedLink(offload.hostToDisk)
    this.back = new SharedLink(offload.diskToHost)
    this.blockBytes = blockBytes
    this.batchBlocks = offload.batchBlocks
  }

  get deadlineMs(): number {
    return this.back.deadlineMs
  }

  has(id: number): boolean {
    return this.cache.has(id) || this.writing.has(id)
  }

  /** A block left some host memory. */
  store(id: number): void {
    if (this.has(id)) return
    this.pending.push(id)
    this.writing.add(id)
  }

  /** Starts the writes of the blocks stored so far, a batch each. */
  flush(nowMs: number): void {
    while (this.pending.length > 0) {
      const ids = this.pending.splice(0, this.batchBlocks)
      this.writes.set(this.nextTag, ids)
      this.out.start(nowMs, ids.length * this.blockBytes, this.nextTag++)
    }
  }

  /** Reads blocks into host memory; `onArrival` gets the time they are noticed to be there. */
  fetch(nowMs: number, ids: readonly number[], onArrival: (nowMs: number) => void): void {
    for (const id of ids) if (this.cache.has(id)) this.cache.touch(id)
    this.reads.set(this.nextTag, onArrival)
    this.back.start(nowMs, ids.length * this.blockBytes, this.nextTag++)
  }

  /** Ends the reads and writes that are due. */
  advance(nowMs: number): void {
    for (const tag of this.out.collect(nowMs)) {
      for (const id of this.writes.get(tag)!) {
        this.writing.delete(id)
        this.cache.touch(id)
      }
      this.writes.delete(tag)
    }
    for (const tag of this.back.collect(nowMs)) {
      const arrive = this.reads.get(tag)!
      this.reads.delete(tag)
      arrive(nowMs)
    }
  }
}
