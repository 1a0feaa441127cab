import type { PromptBlocks } from '../prompt-blocks.js'

/** Content ids of all blocks of all requests: shared ones from the table, deeper ones unique to (request, position). */
export class BlockIdentity {
  private readonly blocks: PromptBlocks
  private readonly stride: number

  constructor(blocks: PromptBlocks, inputTokens: Int32Array, outputTokens: Int32Array) {
    this.blocks = blocks
    let longest = 0
    for (let request = 0; request < inputTokens.length; request++) {
      longest = Math.max(longest, inputTokens[request]! + outputTokens[request]!)
    }
    this.stride = Math.floor(longest / blocks.blockSize) + 1
  }

  idOf(request: number, block: number): number {
    const { blocks } = this
    if (block < blocks.sharedBlocks[request]!) return blocks.ids[blocks.offsets[request]! + block]!
    return blocks.distinct + request * this.stride + block
  }
}
