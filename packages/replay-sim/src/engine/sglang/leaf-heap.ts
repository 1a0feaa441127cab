import type { RadixNode } from './radix-node.js'

/**
 * Unlocked leaves by last access, oldest first: a binary heap whose stale entries (locked, grown, re-stamped or evicted
 * since) are dropped when they surface.
 */
export class LeafHeap {
  private nodes: RadixNode[] = []
  private stamps: number[] = []

  push(node: RadixNode): void {
    const { nodes, stamps } = this
    const { stamp } = node
    let at = nodes.length
    nodes.push(node)
    stamps.push(stamp)
    while (at > 0) {
      const up = (at - 1) >> 1
      if (stamps[up]! <= stamp) break
      nodes[at] = nodes[up]!
      stamps[at] = stamps[up]!
      at = up
    }
    nodes[at] = node
    stamps[at] = stamp
  }

  /** The oldest unlocked leaf, left in place; undefined when there is none. */
  peek(): RadixNode | undefined {
    for (;;) {
      const node = this.nodes[0]
      if (node === undefined) return undefined
      if (node.inTree && node.lock === 0 && node.childCount === 0 && node.stamp === this.stamps[0]) return node
      this.pop()
    }
  }

  pop(): void {
    const { nodes, stamps } = this
    const node = nodes.pop()!
    const stamp = stamps.pop()!
    const { length } = nodes
    if (length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      if (child + 1 < length && stamps[child + 1]! < stamps[child]!) child++
      if (stamps[child]! >= stamp) break
      nodes[at] = nodes[child]!
      stamps[at] = stamps[child]!
      at = child
    }
    nodes[at] = node
    stamps[at] = stamp
  }
}
