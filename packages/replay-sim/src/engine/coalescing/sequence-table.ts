/** Values of `SequenceTable.flags`. */
export const PREEMPTED = 1 as const
/** Its prompt came from a prefill worker and it was not scheduled yet. */
export const TRANSFERRED = 2 as const
/** One of the engine's steadily decoding members. */
export const DECODING = 4 as const

/** Scheduler state of every request of one pool, shared by the pool's engines (a request is on one at a time). */
export interface SequenceTable {
  /** Decoding members: known tokens less the engine's pass counter. */
  readonly lead: Int32Array
  /** Decoding members: pass that emits the last token. */
  readonly lastPass: Int32Array
  /** Decoding members: next with the same last pass, −1 = none. */
  readonly nextInRing: Int32Array
  /** Order of admission on the engine. */
  readonly order: Int32Array
  /** Neighbours in the running list, −1 = none. */
  readonly previous: Int32Array
  readonly next: Int32Array
  /** Tokens with KV, and tokens produced; kept up while not decoding. */
  readonly computed: Int32Array
  readonly produced: Int32Array
  /** Tokens whose computation is charged as prefill. */
  readonly charged: Int32Array
  readonly flags: Uint8Array
  /** Block copies held for the shared prompt blocks, laid out as `PromptBlocks.ids`. */
  readonly held: Int32Array
  /** First id given to a preempted request's own blocks, 0 = none yet. */
  readonly ownIds: Int32Array
  /** Own blocks found again in the cache after a preemption, from the first block below the shared ones. */
  readonly ownHeld: Map<number, number[]>
}

export function newSequenceTable(inputTokens: Int32Array, sharedIds: number): SequenceTable {
  const count = inputTokens.length
  const column = (): Int32Array => new Int32Array(count)
  return {
    lead: column(),
    lastPass: column(),
    nextInRing: column(),
    order: column(),
    previous: column(),
    next: column(),
    computed: column(),
    produced: column(),
    charged: inputTokens.slice(),
    flags: new Uint8Array(count),
    held: new Int32Array(sharedIds),
    ownIds: column(),
    ownHeld: new Map(),
  }
}
