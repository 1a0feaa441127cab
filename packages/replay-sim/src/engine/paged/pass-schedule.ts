import { neededToComplete, unpromisedBlocks } from './completion-reserve.js'
import type { PagedEngine } from './paged-engine.js'
import type { PassBudget } from './pass-budget.js'
import { cachedPrefix } from './prefix-lookup.js'
import { knownTokens, type Sequence } from './sequence.js'

type Verdict = 'scheduled' | 'blocked' | 'waits' | 'no-room' | 'preempted-itself' | 'impossible'

/** Step A: tokens for running requests in order while budget lasts. */
export function scheduleRunning(engine: PagedEngine, budget: PassBudget): void {
  const { running } = engine
  let index = 0
  while (index < running.length && budget.remaining > 0) {
    const sequence = running[index]!
    const verdict = schedule(engine, budget, sequence, null)
    if (verdict === 'blocked') return
    if (verdict === 'impossible') engine.rejected.push(sequence)
    else if (verdict === 'waits') index++
    else if (verdict === 'scheduled') {
      index = engine.context.quirks.fifoSkipsNext ? index + 1 : running.indexOf(sequence) + 1
    }
  }
}

/** Step B: admission from the head of the waiting queue. True when something was admitted or rejected. */
export function admitWaiting(engine: PagedEngine, budget: PassBudget, nowMs: number): boolean {
  const { waiting, running } = engine
  const { settings, observer } = engine.context
  let progressed = false
  while (!budget.preempted && running.length < settings.maxSequences && waiting.length > 0) {
    let position = 0
    if (!engine.destinations.isEmpty) {
      position = waiting.findIndex((sequence) => sequence.transferred)
      if (position < 0) return progressed
    }
    const sequence = waiting[position]!
    if (isHopeless(engine, sequence)) {
      waiting.splice(position, 1)
      engine.rejected.push(sequence)
      engine.releaseBlocks(sequence)
      progressed = true
      continue
    }
    const cached = sequence.transferred ? { tokens: 0, activeTokens: 0 } : cachedPrefix(engine, sequence)
    if (engine.offload !== null && !sequence.transferred) {
      const parking = engine.offload.tryPark(engine, sequence, nowMs)
      if (parking === 'waits') return progressed
      if (parking === 'parked') continue
    }
    if (!sequence.transferred && !fits(engine, sequence, cached.activeTokens)) return progressed
    const untouched = budget.grants.size === 0
    const verdict = schedule(engine, budget, sequence, cached.tokens)
    if (verdict !== 'scheduled') {
      if (verdict === 'impossible' || (verdict === 'blocked' && untouched && budget.remaining > 0)) {
        waiting.splice(waiting.indexOf(sequence), 1)
        engine.rejected.push(sequence)
        progressed = true
        continue
      }
      return progressed
    }
    waiting.splice(waiting.indexOf(sequence), 1)
    running.push(sequence)
    sequence.transferred = false
    progressed = true
    observer.admitted(sequence.request, nowMs, cached.tokens)
    if (budget.lastGrant === 0 && budget.remaining === 0) return progressed
  }
  return progressed
}

function isHopeless(engine: PagedEngine, sequence: Sequence): boolean {
  const { settings } = engine.context
  if (!engine.isTrtllm && sequence.promptTokens >= settings.maxModelTokens) return true
  if (sequence.transferred || !sequence.fresh) return false
  const lifetime = engine.isTrtllm ? sequence.promptTokens + sequence.limit : knownTokens(sequence)
  return Math.ceil(lifetime / engine.blockSize) > settings.blocks
}

function fits(engine: PagedEngine, sequence: Sequence, activeTokens: number): boolean {
  if (engine.isTrtllm) return neededToComplete(engine, sequence, activeTokens) <= unpromisedBlocks(engine)
  const needed = Math.ceil(knownTokens(sequence) / engine.blockSize) - Math.floor(activeTokens / engine.blockSize)
  return needed <= engine.context.settings.blocks - engine.pool.activeBlocks
}

/** Gives `sequence` as many of its uncomputed tokens as the budget allows, preempting others for blocks if need be. */
function schedule(engine: PagedEngine, budget: PassBudget, sequence: Sequence, lookup: number | null): Verdict {
  const { settings } = engine.context
  let cached = 0
  if (sequence.computed === 0) cached = lookup ?? cachedPrefix(engine, sequence).tokens
  const before = sequence.computed + cached
  const remaining = knownTokens(sequence) - before
  const promptBefore = Math.min(before, sequence.promptTokens)
  const promptLeft = sequence.promptTokens - promptBefore
  if (promptLeft > 0 && !settings.chunkedPrefill && promptLeft > budget.remaining) return 'blocked'
  const isBurst = sequence.lastBurst > 1 && remaining === sequence.lastBurst
  const take = isBurst && budget.remaining > 0 ? remaining : Math.min(remaining, budget.remaining)
  if (take === 0 && remaining > 0) return 'blocked'
  const after = before + take
  const verdict = cover(engine, budget, sequence, after, cached)
  if (verdict !== 'scheduled') return verdict
  sequence.computed = after
  publishFullBlocks(engine, sequence, before, after)
  const chargedLimit = engine.context.quirks.freeRecompute ? sequence.promptTokens : sequence.chargedTokens
  const prefixTokens = Math.min(before, chargedLimit)
  const prefillTokens = Math.min(after, chargedLimit) - prefixTokens
  const charged = settings.role !== 'decode' || !engine.context.quirks.freeRecompute
  budget.grant(sequence, { tokens: isBurst ? 1 : take, prefillTokens, prefixTokens }, charged)
  return 'scheduled'
}

function cover(engine: PagedEngine, budget: PassBudget, sequence: Sequence, after: number, cached: number): Verdict {
  const { pool, running, blockSize } = engine
  while (after > sequence.allocated) {
    const needed = Math.ceil(after / blockSize) - sequence.blocks.length
    if (needed > 0) {
      const prefix: number[] = []
      if (sequence.blocks.length === 0) {
        for (let k = 0; k < cached / blockSize; k++) prefix.push(engine.identity.idOf(sequence.request, k))
      }
      const got = pool.takeOrWait(prefix, needed - prefix.length, engine.offload?.departingSlots ?? 0)
      if (got === 'waits') return 'waits'
      if (got === null) {
        const victim = engine.context.settings.preemption === 'fifo' ? running[0] : running[running.length - 1]
        if (victim === undefined) return 'no-room'
        if (victim === sequence && Math.ceil(after / blockSize) > pool.capacity) {
          running.splice(running.indexOf(sequence), 1)
          engine.releaseBlocks(sequence)
          engine.capacityGeneration++
          return 'impossible'
        }
        preempt(engine, budget, victim)
        if (victim === sequence) return 'preempted-itself'
        continue
      }
      for (const copy of got) sequence.blocks.push(copy)
    }
    sequence.allocated = after
  }
  return 'scheduled'
}

/** Takes all KV from `victim` and puts it at the head of the waiting queue; what it was granted in this pass is undone. */
export function preempt(engine: PagedEngine, budget: PassBudget | null, victim: Sequence): void {
  engine.running.splice(engine.running.indexOf(victim), 1)
  engine.releaseBlocks(victim)
  victim.chargedTokens = knownTokens(victim)
  victim.computed = 0
  victim.lastBurst = 1
  victim.fresh = false
  engine.offload?.preempted(victim)
  engine.waiting.unshift(victim)
  engine.capacityGeneration++
  budget?.undo(victim)
}

function publishFullBlocks(engine: PagedEngine, sequence: Sequence, before: number, after: number): void {
  if (!engine.context.settings.prefixCaching) return
  const { blockSize } = engine
  for (let k = Math.floor(before / blockSize); k < Math.floor(after / blockSize); k++) {
    const copy = sequence.blocks[k]!
    if (copy.id < 0) engine.pool.publish(copy, engine.identity.idOf(sequence.request, k))
  }
}
