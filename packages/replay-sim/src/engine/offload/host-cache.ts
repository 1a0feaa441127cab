/** KV blocks held in one tier, by content id, least recently used first out. */
export class HostCache {
  private readonly capacity: number
  private readonly ids: Set<number> = new Set()

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.ids.size
  }

  has(id: number): boolean {
    return this.ids.has(id)
  }

  /** Inserts a block, or marks it as just used; the block pushed out, −1 when none is. */
  touch(id: number): number {
    this.ids.delete(id)
    this.ids.add(id)
    if (this.ids.size <= this.capacity) return -1
    const oldest = this.ids.values().next().value!
    this.ids.delete(oldest)
    return oldest
  }
}
