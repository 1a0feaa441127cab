import type { RadixTree } from './radix-tree.js'
import { knownTokens, type Sequence } from './sequence.js'
import type { TokenContent } from './token-content.js'

/** Longer queues keep their order. */
const LONGEST_SORTED_QUEUE = 128
/** Matches up to this length may yield to an earlier request with the same beginning, tokens. */
const SHORT_MATCH = 32

/** Longest-prefix-match order of the waiting queue: yielding requests last, else longer cached match first, stable. */
export function sortByPrefixMatch(waiting: Sequence[], tree: RadixTree, content: TokenContent): void {
  if (waiting.length > LONGEST_SORTED_QUEUE || waiting.length < 2) return
  const { pageSize } = tree
  const beginning = Math.ceil(SHORT_MATCH / pageSize) * pageSize
  const seen: number[] = []
  const entries = waiting.map((sequence) => {
    const matched = tree.matchLength(sequence.request, Math.floor(knownTokens(sequence) / pageSize)) * pageSize
    let yields = false
    if (matched <= SHORT_MATCH && knownTokens(sequence) >= beginning) {
      yields = seen.some((other) => content.commonTokens(other, sequence.request, 0, beginning) === beginning)
      if (!yields) seen.push(sequence.request)
    }
    return { sequence, matched, yields }
  })
  entries.sort((a, b) => Number(a.yields) - Number(b.yields) || b.matched - a.matched)
  entries.forEach((entry, index) => {
    waiting[index] = entry.sequence
  })
}
