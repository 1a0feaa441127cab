import type { StdRng } from '../../random/std-rng.js'
import type { BlockCopy } from './block-pool.js'
import type { PagedEngine } from './paged-engine.js'
import { preempt } from './pass-schedule.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Blocks the largest possible bursts of `ready` would add. */
function burstBlocks(engine: PagedEngine, ready: readonly Sequence[], longest: number): number {
  let blocks = 0
  for (const sequence of ready) {
    const known = knownTokens(sequence)
    const most = known + Math.min(longest, engine.remainingOutput(sequence))
    blocks += Math.max(0, Math.ceil(most / engine.blockSize) - Math.ceil(known / engine.blockSize))
  }
  return blocks
}

/** Room for every burst; newest requests are preempted until it is there. */
function reserveBursts(engine: PagedEngine, ready: Sequence[], longest: number): BlockCopy[] {
  for (;;) {
    const blocks = engine.pool.take([], burstBlocks(engine, ready, longest))
    if (blocks !== null) return blocks
    if (ready.length === 1) return engine.pool.take([], engine.pool.capacity - engine.pool.activeBlocks) ?? []
    const { running } = engine
    const victim = engine.context.settings.preemption === 'fifo' ? running[0]! : running[running.length - 1]!
    preempt(engine, null, victim)
    const index = ready.indexOf(victim)
    if (index >= 0) ready.splice(index, 1)
  }
}

/**
 * Multi-token prediction: each ready request emits one token and as many more as consecutive draws accept. Blocks for the
 * largest bursts are taken before timing (and not counted in it); what is not used goes back. Returns the pass end.
 */
export function emitBursts(engine: PagedEngine, rng: StdRng, ready: Sequence[], startMs: number): number {
  const { settings } = engine.context
  const reserved = reserveBursts(engine, ready, settings.mtpTokens + 1)
  const endMs = startMs + engine.decodeDurationMs(ready, engine.pool.activeBlocks - reserved.length)
  engine.passForwards = ready.length
  const bursts = ready.map((sequence) => {
    let tokens = 1
    for (const rate of settings.mtpAcceptRates) {
      if (!rng.bernoulli(rate)) break
      tokens++
    }
    return Math.min(tokens, engine.remainingOutput(sequence))
  })
  for (let k = 0; k < ready.length; k++) {
    const sequence = ready[k]!
    const before = sequence.produced
    for (let token = 0; token < bursts[k]!; token++) {
      const missing = Math.ceil((knownTokens(sequence) + 1) / engine.blockSize) - sequence.blocks.length
      if (missing > reserved.length && token > 0) break
      for (let block = 0; block < missing && reserved.length > 0; block++) sequence.blocks.push(reserved.pop()!)
      sequence.allocated = Math.min(knownTokens(sequence) + 1, sequence.blocks.length * engine.blockSize)
      engine.emit(sequence)
      if (engine.remainingOutput(sequence) <= 0) break
    }
    sequence.lastBurst = sequence.produced - before
  }
  for (const copy of reserved) engine.pool.release(copy)
  return endMs
}
