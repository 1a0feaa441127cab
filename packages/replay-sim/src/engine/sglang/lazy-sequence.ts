import type { RadixNode } from './radix-node.js'
import type { Sequence } from './sequence.js'

/**
 * A sequence whose counters are derived from the engine's emission counter while it runs: after e emissions it has
 * `offset + e` generated tokens. `produced`, `pages`, `materialized` and the tree are brought up to date when it leaves.
 */
export class LazySequence implements Sequence {
  readonly request: number
  readonly promptTokens: number
  readonly limit: number
  produced: number = 0
  materialized: number = 0
  pages: number = 0
  cachedPages: number = 0
  node: RadixNode
  fresh: boolean = true
  lastTokenMs: number = Number.NaN
  readonly gapsMs: number[] = NO_GAPS
  /** Prompt tokens from here on are unique to the request. */
  readonly sharedTokens: number
  /** Generated tokens − emissions, while running. */
  offset: number = 0
  /** Emission that brings its last token. */
  finishAt: number = 0
  /** Position in the order in which sequences started running. */
  order: number = 0
  /** Emission that brought the first token of this stay among the running. */
  joinedAt: number = 0
  /** Emission at which its next full page enters the tree, 0 once its pages cannot matter to others. */
  crossingAt: number = 0
  running: boolean = false
  previous: LazySequence | null = null
  next: LazySequence | null = null
  /** Next in the bucket of its finishing emission. */
  previousInBucket: LazySequence | null = null
  nextInBucket: LazySequence | null = null
  /** Earlier stays as [first pooled emission, last emission] and gaps of its own, ms, kept to take them back. */
  stays: number[] | null = null
  ownGaps: number[] | null = null

  constructor(request: number, promptTokens: number, limit: number, sharedTokens: number, root: RadixNode) {
    this.request = request
    this.promptTokens = promptTokens
    this.limit = limit
    this.sharedTokens = sharedTokens
    this.node = root
  }
}

const NO_GAPS: number[] = []
