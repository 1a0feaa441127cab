/** KV blocks held in host memory, by content id, least recently used first out. */
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

  /** Inserts a block, or marks it as just used. */
  touch(id: number): void {
    this.ids.delete(id)
    this.ids.add(id)
    if (this.ids.size > this.capacity) this.ids.delete(this.ids.values().next().value!)
  }
}
