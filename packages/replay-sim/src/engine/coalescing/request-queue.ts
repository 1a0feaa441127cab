/** Waiting requests: a ring buffer that grows, open at both ends. */
export class RequestQueue {
  count = 0
  private items: Int32Array = new Int32Array(16)
  private first = 0

  at(position: number): number {
    return this.items[(this.first + position) & (this.items.length - 1)]!
  }

  push(request: number): void {
    if (this.count === this.items.length) this.grow()
    this.items[(this.first + this.count) & (this.items.length - 1)] = request
    this.count++
  }

  pushFront(request: number): void {
    if (this.count === this.items.length) this.grow()
    this.first = (this.first - 1) & (this.items.length - 1)
    this.items[this.first] = request
    this.count++
  }

  removeAt(position: number): void {
    const mask = this.items.length - 1
    for (let k = position; k > 0; k--) {
      this.items[(this.first + k) & mask] = this.items[(this.first + k - 1) & mask]!
    }
    this.first = (this.first + 1) & mask
    this.count--
  }

  private grow(): void {
    const wide = new Int32Array(this.items.length * 2)
    for (let k = 0; k < this.count; k++) wide[k] = this.at(k)
    this.items = wide
    this.first = 0
  }
}
