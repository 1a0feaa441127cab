import { passDurationMs } from '../pass-duration.js'
import { knownTokens, remainingTokens, type Sequence } from './sequence.js'
import type { SglangEngine } from './sglang-engine.js'

/**
 * The decode part of a pass that starts (after its prefill) at `startMs`: finishes what has nothing left to generate,
 * retracts while pages run out, gives every other running sequence its tokens. Returns the pass end.
 */
export function decodeStep(engine: SglangEngine, startMs: number, admitted: boolean): number {
  const finished: Sequence[] = engine.running.filter((sequence) => remainingTokens(sequence) === 0)
  if (finished.length > 0) engine.running = engine.running.filter((sequence) => remainingTokens(sequence) > 0)
  for (const sequence of finished) engine.outcome(sequence, false, true)
  const retracted = retractUntilFits(engine)
  let endMs = startMs
  if (engine.running.length > 0) {
    const pages = growth(engine)
    const decodeMs = decodeDurationMs(engine)
    if (engine.tree.allocateOrDrain(pages)) {
      endMs = startMs + decodeMs
      emitTokens(engine, pages, finished)
    } else if (engine.running.length === 1 && !admitted && retracted.length === 0 && !engine.hasOutsideHolders) {
      const sequence = engine.running.pop()!
      engine.cache.retract(sequence)
      engine.capacityGeneration++
      engine.rejected.push(sequence.request)
    }
  }
  for (const sequence of finished) engine.complete(sequence)
  for (let index = retracted.length - 1; index >= 0; index--) engine.waiting.unshift(retracted[index]!)
  if (retracted.length > 0) {
    engine.ratio = engine.limits.initialRatio
    engine.capacityGeneration++
  }
  return endMs
}

/** Pages that the largest possible bursts of all running sequences would add. */
function growth(engine: SglangEngine): number {
  const { pageSize } = engine.limits
  let pages = 0
  for (const sequence of engine.running) {
    const most = knownTokens(sequence) + Math.min(engine.longestBurst, remainingTokens(sequence))
    pages += Math.ceil(most / pageSize) - sequence.pages
  }
  return pages
}

/** Retracts the sequence with the fewest generated tokens (the first of them) until the growth fits, down to one. */
function retractUntilFits(engine: SglangEngine): Sequence[] {
  const { tree, running } = engine
  const retracted: Sequence[] = []
  while (running.length > 1 && tree.free + tree.evictable < growth(engine)) {
    let victim = 0
    for (let index = 1; index < running.length; index++) {
      if (running[index]!.produced < running[victim]!.produced) victim = index
    }
    const [sequence] = running.splice(victim, 1) as [Sequence]
    engine.cache.retract(sequence)
    sequence.fresh = false
    retracted.push(sequence)
  }
  return retracted
}

function decodeDurationMs(engine: SglangEngine): number {
  const { settings, perf, quirks } = engine.context
  if (settings.role === 'prefill' && !quirks.prefillPaysDecode) return 0
  const total = settings.blocks * settings.blockSize
  let tokens = 0
  for (const sequence of engine.running) tokens += knownTokens(sequence)
  const n = engine.running.length
  const model = perf.decodeMs(n, Math.min(tokens, total), Math.floor(tokens / n), total)
  return passDurationMs(model, settings.decodeSpeedup)
}

function emitTokens(engine: SglangEngine, reservedPages: number, finished: Sequence[]): void {
  const { pageSize } = engine.limits
  let unused = reservedPages
  const kept: Sequence[] = []
  engine.passForwards += engine.running.length
  for (const sequence of engine.running) {
    const burst = engine.drawBurst(sequence)
    for (let token = 0; token < burst; token++) {
      if (knownTokens(sequence) + 1 > sequence.pages * pageSize) {
        sequence.pages++
        unused--
      }
      sequence.produced++
      sequence.materialized++
      engine.passTokens++
      const isLast = remainingTokens(sequence) === 0
      engine.outcome(sequence, true, isLast)
      if (!isLast) engine.cache.enter(sequence, sequence.materialized)
    }
    if (remainingTokens(sequence) === 0) finished.push(sequence)
    else kept.push(sequence)
  }
  engine.tree.free += unused
  engine.running = kept
}
