import type { BlockCopy } from './block-pool.js'

/** One request inside a paged engine. Token counts. */
export interface Sequence {
  readonly request: number
  readonly promptTokens: number
  /** Output limit. */
  readonly limit: number
  produced: number
  /** Tokens with KV. */
  computed: number
  /** Tokens covered by `blocks` (only ever full coverage of `computed`). */
  allocated: number
  blocks: BlockCopy[]
  /** Never preempted. */
  fresh: boolean
  /** Its prompt was transferred from a prefill worker and not yet scheduled here. */
  transferred: boolean
  /** Tokens whose computation is charged as prefill: the prompt, and after a preemption all that was known. */
  chargedTokens: number
  lastTokenMs: number
  /** Tokens of its last pass; all but one already had their KV computed when they were proposed. */
  lastBurst: number
  /** Token gaps so far, pooled when the request finishes. */
  readonly gapsMs: number[]
}

export function newSequence(request: number, promptTokens: number, limit: number): Sequence {
  return {
    request,
    promptTokens,
    limit,
    produced: 0,
    computed: 0,
    allocated: 0,
    blocks: [],
    fresh: true,
    transferred: false,
    chargedTokens: promptTokens,
    lastTokenMs: Number.NaN,
    lastBurst: 1,
    gapsMs: [],
  }
}

/** Tokens known: prompt and generated. */
export function knownTokens(sequence: Sequence): number {
  return sequence.promptTokens + sequence.produced
}
