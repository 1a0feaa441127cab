import type { RadixNode } from './radix-node.js'

/** One request inside the SGLang engine. Lengths in tokens, `pages` and `cachedPages` in pages. */
export interface Sequence {
  readonly request: number
  readonly promptTokens: number
  /** Most tokens it may generate. */
  readonly limit: number
  produced: number
  /** Tokens with KV. */
  materialized: number
  /** Pages it holds, cached ones included. */
  pages: number
  /** Leading pages that belong to the tree. */
  cachedPages: number
  /** Tree node where its cached part ends. */
  node: RadixNode
  /** False once retracted. */
  fresh: boolean
  lastTokenMs: number
  readonly gapsMs: number[]
}

/** A request that holds nothing yet. */
export function newSequence(request: number, promptTokens: number, limit: number, root: RadixNode): Sequence {
  return {
    request,
    promptTokens,
    limit,
    produced: 0,
    materialized: 0,
    pages: 0,
    cachedPages: 0,
    node: root,
    fresh: true,
    lastTokenMs: Number.NaN,
    gapsMs: [],
  }
}

/** Prompt and generated tokens. */
export function knownTokens(sequence: Sequence): number {
  return sequence.promptTokens + sequence.produced
}

/** Tokens still to generate. */
export function remainingTokens(sequence: Sequence): number {
  return sequence.limit - sequence.produced
}
