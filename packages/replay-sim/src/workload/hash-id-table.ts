const INITIAL_SLOTS = 1 << 12

/**
 * Interns unsigned 64-bit hash ids as dense integers 0, 1, 2 … in order of first appearance. Ids are kept as two 32-bit
 * halves, never as doubles, so that ids above 2^53 stay apart. Open addressing over typed arrays; about 16 bytes an id.
 */
export class HashIdTable {
  /** Number of distinct ids. */
  size: number = 0
  private low: Uint32Array = new Uint32Array(INITIAL_SLOTS)
  private high: Uint32Array = new Uint32Array(INITIAL_SLOTS)
  private slots: Int32Array = new Int32Array(INITIAL_SLOTS).fill(-1)
  private mask: number = INITIAL_SLOTS - 1

  /** Dense index of the id `high·2^32 + low`. */
  intern(low: number, high: number): number {
    let slot = mix(low, high) & this.mask
    for (;;) {
      const found = this.slots[slot]!
      if (found === -1) break
      if (this.low[found] === low && this.high[found] === high) return found
      slot = (slot + 1) & this.mask
    }
    const index = this.size++
    if (index >= this.low.length) this.growKeys()
    this.low[index] = low
    this.high[index] = high
    this.slots[slot] = index
    if (this.size * 2 > this.mask) this.growSlots()
    return index
  }

  /** Largest id, −1 when there is none. */
  largest(): bigint {
    let low = -1
    let high = -1
    for (let index = 0; index < this.size; index++) {
      const upper = this.high[index]!
      const lower = this.low[index]!
      if (upper < high || (upper === high && lower <= low)) continue
      high = upper
      low = lower
    }
    return high < 0 ? -1n : (BigInt(high) << 32n) | BigInt(low)
  }

  /** The id behind a dense index, as decimal text. */
  text(index: number): string {
    const high = this.high[index]!
    const low = this.low[index]!
    if (high < 0x200000) return String(high * 0x100000000 + low)
    return ((BigInt(high) << 32n) | BigInt(low)).toString()
  }

  private growKeys(): void {
    const capacity = this.low.length * 2
    const low = new Uint32Array(capacity)
    const high = new Uint32Array(capacity)
    low.set(this.low)
    high.set(this.high)
    this.low = low
    this.high = high
  }

  private growSlots(): void {
    this.mask = this.mask * 4 + 3
    this.slots = new Int32Array(this.mask + 1).fill(-1)
    for (let index = 0; index < this.size; index++) {
      let slot = mix(this.low[index]!, this.high[index]!) & this.mask
      while (this.slots[slot] !== -1) slot = (slot + 1) & this.mask
      this.slots[slot] = index
    }
  }
}

/** Multiplicative mixing of both halves; consecutive ids land far apart. */
function mix(low: number, high: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
