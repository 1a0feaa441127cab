/** One physical KV block: private (`id` −1) or cached under a content id. */
export interface BlockCopy {
  id: number
  refs: number
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
    this.reusable.delete(copy)
    this.used--
    const copies = this.byId.get(copy.id)!
    copies.splice(copies.indexOf(copy), 1)
    if (copies.length === 0) this.byId.delete(copy.id)
  }
}
