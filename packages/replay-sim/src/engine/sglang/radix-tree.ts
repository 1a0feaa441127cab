import { LeafHeap } from './leaf-heap.js'
import { RadixNode } from './radix-node.js'
import type { TokenContent } from './token-content.js'

/** Told of pages that enter and leave the tree. */
export interface TreeObserver {
  /** Pages [from, to) of the sequence of `request`. */
  stored(request: number, from: number, to: number): void
  removed(request: number, from: number, to: number): void
}

/**
 * SGLang's KV storage: a radix tree over pages with lock counts toward the root and leaf-suffix eviction in order of last
 * access. Pages are fungible, so only their numbers are kept.
 */
export class RadixTree {
  readonly root: RadixNode = new RadixNode(null, -1, 0, 0, 0)
  readonly pageSize: number
  /** Pages nobody owns. */
  free: number
  /** Pages of unlocked nodes. */
  evictable: number = 0
  /** Result of the last `match`: pages found. */
  matched: number = 0
  /** Result of the last `insert`: pages that were new to the tree. */
  added: number = 0
  observer: TreeObserver | null = null
  /** Logical time; may be set forward between operations. */
  clock: number = 0
  private readonly leaves: LeafHeap = new LeafHeap()
  private readonly content: TokenContent

  constructor(totalPages: number, pageSize: number, content: TokenContent) {
    this.free = totalPages
    this.pageSize = pageSize
    this.content = content
  }

  /** Longest cached prefix of the first `limit` pages of a sequence; stamps and splits. Returns its last node. */
  match(request: number, limit: number): RadixNode {
    const now = ++this.clock
    let node = this.root
    let depth = 0
    while (depth < limit) {
      const child = this.childAt(node, request, depth, limit)
      if (child === undefined) break
      const common = this.commonPages(child, request, Math.min(child.to, limit))
      if (depth + common < child.to) {
        node = this.split(child, depth + common)
        depth += common
        break
      }
      depth = child.to
      node = child
      this.touch(node, now)
    }
    this.matched = depth
    return node
  }

  /** The same length without leaving a trace. */
  matchLength(request: number, limit: number): number {
    let node = this.root
    let depth = 0
    while (depth < limit) {
      const child = this.childAt(node, request, depth, limit)
      if (child === undefined) return depth
      const common = this.commonPages(child, request, Math.min(child.to, limit))
      depth += common
      if (depth < child.to) return depth
      node = child
    }
    return depth
  }

  /** Puts pages [start.to, to) of a sequence below `start`, reusing what is there. Returns the node where they end. */
  insert(start: RadixNode, request: number, to: number): RadixNode {
    this.added = 0
    let depth = start.to
    if (depth >= to) return start
    const now = ++this.clock
    for (let node: RadixNode | null = start; node !== null; node = node.parent) this.touch(node, now)
    let node = start
    while (depth < to) {
      const extendable = node.lock === 0 || (node === start && node.lock === 1)
      if (node !== this.root && node.childCount === 0 && extendable) return this.extend(node, request, to, now)
      const child = this.childAt(node, request, depth, to)
      if (child === undefined) return this.newChild(node, request, to)
      const common = this.commonPages(child, request, Math.min(child.to, to))
      depth += common
      if (depth === child.to) {
        node = child
        this.touch(node, now)
      } else {
        const upper = this.split(child, depth)
        return depth < to ? this.newChild(upper, request, to) : upper
      }
    }
    return node
  }

  lock(from: RadixNode): void {
    for (let node = from; node !== this.root; node = node.parent!) {
      if (node.lock++ === 0) this.evictable -= node.pages
    }
  }

  unlock(from: RadixNode): void {
    for (let node = from; node !== this.root; node = node.parent!) {
      if (--node.lock > 0) continue
      this.evictable += node.pages
      if (node.childCount === 0) this.leaves.push(node)
    }
  }

  /** Drops up to `pages` pages from the ends of the least recently used unlocked leaves. */
  evict(pages: number): void {
    let left = pages
    while (left > 0) {
      const leaf = this.leaves.peek()
      if (leaf === undefined) return
      const dropped = Math.min(left, leaf.pages)
      this.observer?.removed(leaf.owner, leaf.to - dropped, leaf.to)
      left -= dropped
      this.free += dropped
      this.evictable -= dropped
      leaf.to -= dropped
      if (leaf.to > leaf.from) return
      this.leaves.pop()
      this.detach(leaf)
    }
  }

  /** Takes free pages, evicting as needed; false (and nothing changed) when there are not enough even then. */
  allocate(pages: number): boolean {
    if (pages > this.free + this.evictable) return false
    if (pages > this.free) this.evict(pages - this.free)
    this.free -= pages
    return true
  }

  /**
   * Makes up for single-page inserts that were put off: the locked leaf `node` grows to `to`, and it and its ancestors
   * were last accessed at `stamp` unless later.
   */
  growLocked(node: RadixNode, to: number, stamp: number): void {
    if (to > node.to) {
      this.observer?.stored(node.owner, node.to, to)
      node.to = to
    }
    for (let at: RadixNode | null = node; at !== null; at = at.parent) if (at.stamp < stamp) at.stamp = stamp
  }

  /** Like `allocate`, but what can be evicted is evicted even when that does not suffice, as decode reservations do. */
  allocateOrDrain(pages: number): boolean {
    if (pages > this.free) this.evict(pages - this.free)
    if (pages > this.free) return false
    this.free -= pages
    return true
  }

  private detach(leaf: RadixNode): void {
    const parent = leaf.parent!
    leaf.inTree = false
    parent.remove(this.content.keyAt(leaf.owner, leaf.from * this.pageSize), leaf)
    if (parent !== this.root && parent.childCount === 0 && parent.lock === 0) this.leaves.push(parent)
  }

  private touch(node: RadixNode, now: number): void {
    node.stamp = now
    if (node.lock === 0 && node.childCount === 0 && node !== this.root) this.leaves.push(node)
  }

  private extend(node: RadixNode, request: number, to: number, now: number): RadixNode {
    const added = to - node.to
    this.observer?.stored(request, node.to, to)
    node.owner = request
    node.to = to
    this.added += added
    this.touch(node, now)
    if (node.lock === 0) this.evictable += added
    return node
  }

  private newChild(parent: RadixNode, request: number, to: number): RadixNode {
    const child = new RadixNode(parent, request, parent.to, to, ++this.clock)
    parent.add(this.content.keyAt(request, child.from * this.pageSize), child)
    this.observer?.stored(request, child.from, to)
    this.added += child.pages
    this.evictable += child.pages
    this.leaves.push(child)
    return child
  }

  /** Cuts a node at `depth`; returns the new upper part, the node itself stays the lower one. */
  private split(node: RadixNode, depth: number): RadixNode {
    if (depth === node.from) return node.parent!
    const parent = node.parent!
    const key = this.content.keyAt(node.owner, node.from * this.pageSize)
    const upper = new RadixNode(parent, node.owner, node.from, depth, node.stamp)
    upper.lock = node.lock
    parent.remove(key, node)
    parent.add(key, upper)
    node.from = depth
    node.parent = upper
    upper.add(this.content.keyAt(node.owner, depth * this.pageSize), node)
    return upper
  }

  /** The child that continues a sequence by at least one page. */
  private childAt(node: RadixNode, request: number, depth: number, limit: number): RadixNode | undefined {
    if (depth >= limit) return undefined
    const { pageSize } = this
    const start = depth * pageSize
    const candidates = node.withKey(this.content.keyAt(request, start))
    if (candidates === undefined) return undefined
    if (!Array.isArray(candidates)) return this.startsAlike(candidates, request, start) ? candidates : undefined
    return candidates.find((child) => this.startsAlike(child, request, start))
  }

  private startsAlike(child: RadixNode, request: number, start: number): boolean {
    return this.content.commonTokens(child.owner, request, start, start + this.pageSize) === this.pageSize
  }

  /** Equal pages of a child and a sequence from the child's start up to `to`. */
  private commonPages(child: RadixNode, request: number, to: number): number {
    const start = child.from * this.pageSize
    const tokens = this.content.commonTokens(child.owner, request, start, to * this.pageSize)
    return Math.floor(tokens / this.pageSize)
  }
}
