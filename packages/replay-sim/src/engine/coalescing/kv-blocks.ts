/** Node 0 is the ring's sentinel, so 0 also means "none". */
const NONE = 0
const ANONYMOUS = -1

/**
 * Physical KV blocks of one rank. Blocks that can be looked up are *copies* with a content id; several copies of an id may
 * coexist, oldest first. Blocks nobody will ever look up are only counted. Unused ones wait for eviction in one list, least
 * recently released first, whose nodes are copies or anonymous segments of n blocks.
 */
export class KvBlocks {
  readonly capacity: number
  /** Blocks holding anything, active or reusable. */
  used = 0
  /** Of those, blocks nobody refers to. */
  reusable = 0
  private oldest: Int32Array
  private ids: Int32Array = new Int32Array(64)
  /** References of a copy, blocks of a segment. */
  private counts: Int32Array = new Int32Array(64)
  private before: Int32Array = new Int32Array(64)
  private after: Int32Array = new Int32Array(64)
  /** Next younger copy of the same id; next free node. */
  private younger: Int32Array = new Int32Array(64)
  private freeNode = NONE
  private nodes = 1

  constructor(capacity: number, knownIds: number) {
    this.capacity = capacity
    this.oldest = new Int32Array(Math.max(16, knownIds))
  }

  get active(): number {
    return this.used - this.reusable
  }

  /** Blocks that could be taken now. */
  get available(): number {
    return this.capacity - this.used + this.reusable
  }

  /** The oldest copy of an id, 0 = none. */
  copyOf(id: number): number {
    return id < this.oldest.length ? this.oldest[id]! : NONE
  }

  isActive(copy: number): boolean {
    return this.counts[copy]! > 0
  }

  pin(copy: number): void {
    const references = this.counts[copy]!
    if (references === 0) {
      this.unlink(copy)
      this.reusable--
    }
    this.counts[copy] = references + 1
  }

  unpin(copy: number): void {
    const references = this.counts[copy]! - 1
    this.counts[copy] = references
    if (references > 0) return
    this.append(copy)
    this.reusable++
  }

  /** Takes `count` blocks, evicting as needed; the caller has checked `available`. */
  take(count: number): void {
    const evictions = count - (this.capacity - this.used)
    if (evictions > 0) this.evict(evictions)
    this.used += count
  }

  /** Gives blocks back that hold nothing worth keeping. */
  free(count: number): void {
    this.used -= count
  }

  /** Names a block already taken; it is referred to `references` times (0 = goes to the eviction list). */
  publish(id: number, references: number): number {
    const copy = this.newNode()
    this.ids[copy] = id
    this.counts[copy] = references
    this.younger[copy] = NONE
    if (id >= this.oldest.length) this.growIds(id)
    let last = this.oldest[id]!
    if (last === NONE) this.oldest[id] = copy
    else {
      while (this.younger[last] !== NONE) last = this.younger[last]!
      this.younger[last] = copy
    }
    if (references === 0) {
      this.append(copy)
      this.reusable++
    }
    return copy
  }

  /** `count` blocks of a finished request, deepest first, that only their eviction will touch again. */
  retire(count: number): void {
    if (count <= 0) return
    const last = this.before[0]!
    this.reusable += count
    if (last !== NONE && this.ids[last] === ANONYMOUS) {
      this.counts[last] = this.counts[last]! + count
      return
    }
    const segment = this.newNode()
    this.ids[segment] = ANONYMOUS
    this.counts[segment] = count
    this.append(segment)
  }

  /** Blocks that can be evicted before the first one with an id; counting stops at `enough`. */
  anonymousAhead(enough: number): number {
    let blocks = 0
    for (let node = this.after[0]!; node !== NONE && this.ids[node] === ANONYMOUS && blocks < enough; ) {
      blocks += this.counts[node]!
      node = this.after[node]!
    }
    return blocks
  }

  private evict(count: number): void {
    let left = count
    this.used -= count
    this.reusable -= count
    while (left > 0) {
      const node = this.after[0]!
      if (this.ids[node] === ANONYMOUS) {
        const blocks = this.counts[node]!
        if (blocks > left) {
          this.counts[node] = blocks - left
          return
        }
        left -= blocks
        this.unlink(node)
      } else {
        left--
        this.unlink(node)
        this.forget(node)
      }
      this.younger[node] = this.freeNode
      this.freeNode = node
    }
  }

  /** Takes a copy out of its id's chain. */
  private forget(copy: number): void {
    const id = this.ids[copy]!
    let at = this.oldest[id]!
    if (at === copy) {
      this.oldest[id] = this.younger[copy]!
      return
    }
    while (this.younger[at] !== copy) at = this.younger[at]!
    this.younger[at] = this.younger[copy]!
  }

  private append(node: number): void {
    const last = this.before[0]!
    this.before[node] = last
    this.after[node] = 0
    this.after[last] = node
    this.before[0] = node
  }

  private unlink(node: number): void {
    const previous = this.before[node]!
    const next = this.after[node]!
    this.after[previous] = next
    this.before[next] = previous
  }

  private newNode(): number {
    const node = this.freeNode
    if (node !== NONE) {
      this.freeNode = this.younger[node]!
      return node
    }
    if (this.nodes === this.ids.length) {
      this.ids = doubled(this.ids)
      this.counts = doubled(this.counts)
      this.before = doubled(this.before)
      this.after = doubled(this.after)
      this.younger = doubled(this.younger)
    }
    return this.nodes++
  }

  private growIds(id: number): void {
    let size = this.oldest.length
    while (size <= id) size *= 2
    const wide = new Int32Array(size)
    wide.set(this.oldest)
    this.oldest = wide
  }
}

function doubled(column: Int32Array): Int32Array {
  const wide = new Int32Array(column.length * 2)
  wide.set(column)
  return wide
}
