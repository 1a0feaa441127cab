import type { PromptBlocks } from '../engine/prompt-blocks.js'

/** What a router believes one target is busy with: booked prefill tokens and prompt blocks of assigned requests. */
export class TargetLoad {
  prefillTokens = 0
  requests = 0
  /** Distinct prompt blocks of assigned requests. */
  activeBlocks = 0
  private readonly blocks: PromptBlocks
  private readonly assumeReuse: boolean
  private readonly holders = new Map<number, number>()

  constructor(blocks: PromptBlocks, assumeReuse: boolean) {
    this.blocks = blocks
    this.assumeReuse = assumeReuse
  }

  /** Blocks of a prompt of `full` full blocks that no assigned request has yet. */
  additionalBlocks(request: number, full: number): number {
    if (!this.assumeReuse || this.holders.size === 0) return full
    const { ids, offsets, sharedBlocks } = this.blocks
    const from = offsets[request]!
    const shared = Math.min(full, sharedBlocks[request]!)
    let known = 0
    while (known < shared && this.holders.has(ids[from + known]!)) known++
    return full - known
  }

  addBlocks(request: number, full: number): void {
    const { ids, offsets, sharedBlocks } = this.blocks
    const from = offsets[request]!
    const shared = this.assumeReuse ? Math.min(full, sharedBlocks[request]!) : 0
    this.activeBlocks += full - shared
    for (let k = 0; k < shared; k++) {
      const holders = this.holders.get(ids[from + k]!) ?? 0
      if (holders === 0) this.activeBlocks++
      this.holders.set(ids[from + k]!, holders + 1)
    }
  }

  removeBlocks(request: number, full: number): void {
    const { ids, offsets, sharedBlocks } = this.blocks
    const from = offsets[request]!
    const shared = this.assumeReuse ? Math.min(full, sharedBlocks[request]!) : 0
    this.activeBlocks -= full - shared
    for (let k = 0; k < shared; k++) {
      const holders = this.holders.get(ids[from + k]!)! - 1
      if (holders === 0) {
        this.holders.delete(ids[from + k]!)
        this.activeBlocks--
      } else this.holders.set(ids[from + k]!, holders)
    }
  }
}
