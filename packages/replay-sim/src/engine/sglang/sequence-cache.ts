import type { RadixTree } from './radix-tree.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Moves pages between sequences and the tree. With caching off nothing ever enters the tree. */
export class SequenceCache {
  readonly tree: RadixTree
  private readonly enabled: boolean

  constructor(tree: RadixTree, enabled: boolean) {
    this.tree = tree
    this.enabled = enabled
  }

  /** Gives a fresh sequence its cached prefix (locked) and pages up to `end` tokens; the prefix length in pages, or −1 without room. */
  begin(sequence: Sequence, end: number): number {
    const { tree } = this
    const wanted = Math.ceil(end / tree.pageSize)
    const node = this.enabled ? tree.match(sequence.request, Math.floor(end / tree.pageSize)) : tree.root
    const matched = this.enabled ? tree.matched : 0
    tree.lock(node)
    if (!tree.allocate(wanted - matched)) {
      tree.unlock(node)
      return -1
    }
    sequence.node = node
    sequence.cachedPages = matched
    sequence.pages = wanted
    return matched
  }

  /** Enters the full pages of the first `tokens` tokens; pages another sequence entered before are given back. */
  enter(sequence: Sequence, tokens: number): void {
    const { tree } = this
    const full = Math.floor(tokens / tree.pageSize)
    if (!this.enabled || full <= sequence.cachedPages) return
    const node = tree.insert(sequence.node, sequence.request, full)
    if (node !== sequence.node) {
      tree.lock(node)
      tree.unlock(sequence.node)
    }
    tree.free += full - sequence.cachedPages - tree.added
    sequence.node = node
    sequence.cachedPages = full
  }

  /** Ends a sequence: its full pages stay in the tree, unlocked; the rest is freed. */
  finish(sequence: Sequence): void {
    const { tree } = this
    const full = this.enabled ? Math.floor(knownTokens(sequence) / tree.pageSize) : 0
    tree.free += sequence.pages - full
    if (full > 0) {
      tree.insert(sequence.node, sequence.request, full)
      tree.free += full - sequence.cachedPages - (full > sequence.cachedPages ? tree.added : 0)
    }
    this.drop(sequence)
  }

  /** Retraction: frees what is not cached, unlocks what is. */
  retract(sequence: Sequence): void {
    this.tree.free += sequence.pages - sequence.cachedPages
    this.drop(sequence)
  }

  private drop(sequence: Sequence): void {
    this.tree.unlock(sequence.node)
    sequence.node = this.tree.root
    sequence.pages = 0
    sequence.cachedPages = 0
    sequence.materialized = 0
  }
}
