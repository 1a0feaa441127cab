import type { PagedEngine } from './paged-engine.js'
import { cachedPrefix } from './prefix-lookup.js'
import type { Sequence } from './sequence.js'

function completionBlocks(engine: PagedEngine, sequence: Sequence): number {
  return Math.ceil((sequence.promptTokens + sequence.limit) / engine.blockSize)
}

/** Blocks not promised to anyone: what running and reserved requests will still need to finish is set aside (TRT-LLM). */
export function unpromisedBlocks(engine: PagedEngine): number {
  let available = engine.context.settings.blocks - engine.pool.activeBlocks
  for (const sequence of engine.running) {
    const taken =
      sequence.allocated > 0
        ? Math.ceil(sequence.allocated / engine.blockSize)
        : Math.floor(cachedPrefix(engine, sequence).activeTokens / engine.blockSize)
    available -= Math.max(0, completionBlocks(engine, sequence) - taken)
  }
  for (const sequence of engine.waiting) {
    if (sequence.transferred) available -= Math.max(0, completionBlocks(engine, sequence) - sequence.blocks.length)
  }
  for (const { sequence, blocks } of engine.destinations.reservations.values()) {
    available -= Math.max(0, completionBlocks(engine, sequence) - blocks.length)
  }
  return Math.max(0, available)
}

/** Blocks by which a destination reservation that must be able to finish falls short; ≤ 0 = it fits. */
export function completionShortfall(engine: PagedEngine, sequence: Sequence, prefix: readonly number[]): number {
  let active = 0
  for (const id of prefix) if (engine.pool.candidate(id)!.refs > 0) active++
  return completionBlocks(engine, sequence) - active - unpromisedBlocks(engine)
}

/** Blocks a fresh TRT-LLM request needs to run to completion, `activeTokens` of its prefix being in use already. */
export function neededToComplete(engine: PagedEngine, sequence: Sequence, activeTokens: number): number {
  return completionBlocks(engine, sequence) - Math.floor(activeTokens / engine.blockSize)
}
