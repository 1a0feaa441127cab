import { RadixNode } from './radix-node.js'
import type { RadixTree, TreeObserver } from './radix-tree.js'
import type { TokenContent } from './token-content.js'

interface Change {
  readonly stored: boolean
  readonly request: number
  readonly from: number
  readonly to: number
}

/**
 * What a router knows of a rank's tree: the tree as it was at the end of the last pass. Starts following when first
 * asked, so that runs without a cache-aware router pay nothing.
 */
export class PublishedPrefixes implements TreeObserver {
  private readonly tree: RadixTree
  private readonly content: TokenContent
  private root: RadixNode | null = null
  private changes: Change[] = []

  constructor(tree: RadixTree, content: TokenContent) {
    this.tree = tree
    this.content = content
  }

  stored(request: number, from: number, to: number): void {
    this.note(true, request, from, to)
  }

  removed(request: number, from: number, to: number): void {
    this.note(false, request, from, to)
  }

  private note(stored: boolean, request: number, from: number, to: number): void {
    const end = Math.min(to, this.content.sharablePages(request, this.tree.pageSize))
    if (from < end) this.changes.push({ stored, request, from, to: end })
  }

  /** Makes the changes of the finished pass visible. */
  publish(): void {
    if (this.root === null) return
    for (const change of this.changes) {
      if (change.stored) this.add(change)
      else this.cut(change)
    }
    this.changes = []
  }

  /** Leading pages of a prompt that the router sees here, at most `limit`. */
  overlapPages(request: number, limit: number): number {
    if (this.root === null) {
      this.root = new RadixNode(null, -1, 0, 0, 0)
      this.tree.observer = this
      return 0
    }
    return this.walk(request, limit).depth
  }

  private add({ request, from, to }: Change): void {
    const { node, depth } = this.walk(request, from)
    let parent = node
    if (depth < node.to) parent = this.split(node, depth)
    else if (node.parent !== null && node.childCount === 0) {
      node.owner = request
      node.to = to
      return
    }
    const child = new RadixNode(parent, request, from, to, 0)
    parent.add(this.keyOf(request, from), child)
  }

  /** Removes pages at the end of a path; they are whole nodes or the tail of the last one. */
  private cut({ request, from, to }: Change): void {
    let node = this.walk(request, to).node
    while (node.parent !== null && node.from >= from) {
      node.parent.remove(this.keyOf(node.owner, node.from), node)
      node = node.parent
    }
    if (node.to > from) node.to = from
  }

  /** Follows a sequence down to at most `limit` pages. */
  private walk(request: number, limit: number): { node: RadixNode; depth: number } {
    let node = this.root!
    let depth = 0
    const { pageSize } = this.tree
    while (depth < limit) {
      const start = depth * pageSize
      const candidates = node.withKey(this.content.keyAt(request, start))
      const list = candidates === undefined || Array.isArray(candidates) ? candidates : [candidates]
      const child = list?.find(
        (candidate) => this.content.commonTokens(candidate.owner, request, start, start + pageSize) === pageSize,
      )
      if (child === undefined) break
      const to = Math.min(child.to, limit) * pageSize
      depth += Math.floor(this.content.commonTokens(child.owner, request, start, to) / pageSize)
      node = child
      if (depth < child.to) break
    }
    return { node, depth }
  }

  private split(node: RadixNode, depth: number): RadixNode {
    const parent = node.parent!
    const upper = new RadixNode(parent, node.owner, node.from, depth, 0)
    const key = this.keyOf(node.owner, node.from)
    parent.remove(key, node)
    parent.add(key, upper)
    node.from = depth
    node.parent = upper
    upper.add(this.keyOf(node.owner, depth), node)
    return upper
  }

  private keyOf(request: number, page: number): number {
    return this.content.keyAt(request, page * this.tree.pageSize)
  }
}
