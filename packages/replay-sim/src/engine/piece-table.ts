/** Open-addressing map from (parent node, value, extent) to a node number, with a visit count per node. */
export class PieceTable {
  sharedCount = 0
  private size = 0
  private mask: number
  private slots: Int32Array
  private parents: Int32Array
  private values: Int32Array
  private extents: Int32Array
  private visits: Uint8Array

  constructor(expected: number) {
    let capacity = 1024
    while (capacity < expected * 2) capacity *= 2
    this.mask = capacity - 1
    this.slots = new Int32Array(capacity)
    this.parents = new Int32Array(capacity >> 1)
    this.values = new Int32Array(capacity >> 1)
    this.extents = new Int32Array(capacity >> 1)
    this.visits = new Uint8Array(capacity >> 1)
  }

  /** The node of a piece below `parent` (−1 = root), made when new. */
  step(parent: number, value: number, extent: number): number {
    let at = hash(parent, value, extent) & this.mask
    for (let slot = this.slots[at]!; slot !== 0; slot = this.slots[at]!) {
      const node = slot - 1
      if (this.parents[node] === parent && this.values[node] === value && this.extents[node] === extent) return node
      at = (at + 1) & this.mask
    }
    const node = this.size++
    this.slots[at] = node + 1
    this.parents[node] = parent
    this.values[node] = value
    this.extents[node] = extent
    if (this.size === this.parents.length) this.grow()
    return node
  }

  /** Notes that one more request contains the node. */
  count(node: number): void {
    if (this.visits[node]! < 2) this.visits[node] = this.visits[node]! + 1
  }

  visit(parent: number, value: number, extent: number): number {
    const node = this.step(parent, value, extent)
    this.count(node)
    return node
  }

  /** Dense numbers for nodes that two or more requests contain, −1 for the others. */
  rankShared(): Int32Array {
    const rank = new Int32Array(this.size)
    let next = 0
    for (let node = 0; node < this.size; node++) rank[node] = this.visits[node]! >= 2 ? next++ : -1
    this.sharedCount = next
    return rank
  }

  private grow(): void {
    const capacity = (this.mask + 1) * 2
    this.mask = capacity - 1
    this.slots = new Int32Array(capacity)
    this.parents = widen(this.parents)
    this.values = widen(this.values)
    this.extents = widen(this.extents)
    const visits = new Uint8Array(this.visits.length * 2)
    visits.set(this.visits)
    this.visits = visits
    for (let node = 0; node < this.size; node++) {
      let at = hash(this.parents[node]!, this.values[node]!, this.extents[node]!) & this.mask
      while (this.slots[at] !== 0) at = (at + 1) & this.mask
      this.slots[at] = node + 1
    }
  }
}

function widen(column: Int32Array): Int32Array {
  const wide = new Int32Array(column.length * 2)
  wide.set(column)
  return wide
}

function hash(parent: number, value: number, extent: number): number {
  let h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(value, 0x85ebca6b) ^ Math.imul(extent, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return h ^ (h >>> 13)
}
