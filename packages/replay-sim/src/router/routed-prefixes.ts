import type { PromptBlocks } from '../engine/prompt-blocks.js'

/** How long a routed prefix is believed to stay on its target, ms (upstream's approximate index keeps entries two minutes). */
const LIFETIME_MS = 120_000

/** What a router without KV events believes: every prompt it sent to a target is there for a while. */
export class RoutedPrefixes<Target> {
  private readonly blocks: PromptBlocks
  private readonly inputTokens: Int32Array
  private readonly sentMs = new Map<Target, Map<number, number>>()

  constructor(blocks: PromptBlocks, inputTokens: Int32Array) {
    this.blocks = blocks
    this.inputTokens = inputTokens
  }

  overlapBlocks(request: number, target: Target, nowMs: number): number {
    const sent = this.sentMs.get(target)
    if (sent === undefined) return 0
    const { ids, offsets } = this.blocks
    const from = offsets[request]!
    const end = this.knownBlocks(request)
    let overlap = 0
    while (overlap < end && nowMs - (sent.get(ids[from + overlap]!) ?? Number.NEGATIVE_INFINITY) <= LIFETIME_MS)
      overlap++
    return overlap
  }

  sent(request: number, target: Target, nowMs: number): void {
    let sent = this.sentMs.get(target)
    if (sent === undefined) this.sentMs.set(target, (sent = new Map()))
    const { ids, offsets } = this.blocks
    const from = offsets[request]!
    const end = this.knownBlocks(request)
    for (let k = 0; k < end; k++) sent.set(ids[from + k]!, nowMs)
  }

  private knownBlocks(request: number): number {
    return Math.min(this.blocks.sharedBlocks[request]!, Math.floor(this.inputTokens[request]! / this.blocks.blockSize))
  }
}
