/** One physical KV block: private (`id` −1) or cached under a content id. */
export interface BlockCopy {
  id: number
  refs: number
}

/** Where evicted content goes. */
export interface EvictionSink {
  has(id: number): boolean
  depart(id: number, holdsSlot: boolean): void
}

/**
 * Physical blocks of one rank. Several copies of one id may coexist; the oldest surviving one answers lookups. Copies
 * nobody refers to stay reusable in least-recently-released order until evicted.
 */
export class BlockPool {
  readonly capacity: number
  private used = 0
  private readonly byId = new Map<number, BlockCopy[]>()
  private readonly reusable = new Set<BlockCopy>()
  /** Set when evicted blocks are copied elsewhere first. */
  sink: EvictionSink | null = null

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get activeBlocks(): number {
    return this.used - this.reusable.size
  }

  candidate(id: number): BlockCopy | undefined {
    return this.byId.get(id)?.[0]
  }

  has(id: number): boolean {
    return this.byId.has(id)
  }

  /**
   * Like `take`, but slots of evicted blocks that must first be copied out are not free yet: `waits` when enough are on
   * their way.
   */
  takeOrWait(prefix: readonly number[], fresh: number, departing: number): BlockCopy[] | null | 'waits' {
    const { sink } = this
    const missing = fresh - (this.capacity - this.used)
    if (sink === null || missing <= 0) return this.take(prefix, fresh)
    let reusableHits = 0
    for (const id of prefix) if (this.byId.get(id)![0]!.refs === 0) reusableHits++
    if (missing > this.reusable.size - reusableHits + departing) return null
    const hits = new Set(prefix.map((id) => this.byId.get(id)![0]!))
    let left = missing - departing
    for (const copy of this.reusable) {
      if (left <= 0) break
      if (hits.has(copy)) continue
      left--
      this.drop(copy)
      if (sink.has(copy.id) || this.byId.has(copy.id)) this.used--
      else sink.depart(copy.id, true)
    }
    return fresh <= this.capacity - this.used ? this.take(prefix, fresh) : 'waits'
  }

  /** Slots whose content was copied out are free again. */
  freeSlots(slots: number): void {
    this.used -= slots
  }

  /** Pins the candidates of `prefix` and takes `fresh` private blocks, evicting as needed; null (and nothing changed) when it can not. */
  take(prefix: readonly number[], fresh: number): BlockCopy[] | null {
    const hits = prefix.map((id) => this.byId.get(id)![0]!)
    const evictions = Math.max(0, fresh - (this.capacity - this.used))
    if (evictions > 0) {
      let reusableHits = 0
      for (const copy of hits) if (copy.refs === 0) reusableHits++
      if (evictions > this.reusable.size - reusableHits) return null
    }
    for (const copy of hits) {
      if (copy.refs === 0) this.reusable.delete(copy)
      copy.refs++
    }
    for (let k = 0; k < evictions; k++) this.evictOldest()
    this.used += fresh
    for (let k = 0; k < fresh; k++) hits.push({ id: -1, refs: 1 })
    return hits
  }

  publish(copy: BlockCopy, id: number): void {
    copy.id = id
    const copies = this.byId.get(id)
    if (copies === undefined) this.byId.set(id, [copy])
    else copies.push(copy)
  }

  release(copy: BlockCopy): void {
    if (copy.id < 0) {
      this.used--
      return
    }
    copy.refs--
    if (copy.refs === 0) this.reusable.add(copy)
  }

  private evictOldest(): void {
    const copy = this.reusable.values().next().value!
    this.drop(copy)
    this.used--
    if (this.sink !== null && !this.sink.has(copy.id) && !this.byId.has(copy.id)) this.sink.depart(copy.id, false)
  }

  private drop(copy: BlockCopy): void {
    this.reusable.delete(copy)
    const copies = this.byId.get(copy.id)!
    copies.splice(copies.indexOf(copy), 1)
    if (copies.length === 0) this.byId.delete(copy.id)
  }
}
