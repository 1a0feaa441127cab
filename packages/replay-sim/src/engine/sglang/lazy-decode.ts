import { passDurationMs } from '../pass-duration.js'
import type { CoalescingSglang } from './coalescing-sglang.js'
import type { LazySequence } from './lazy-sequence.js'

/**
 * Logical times of tree accesses: everything between two emissions ticks from `EPOCH · emissions + LATE`; the page a
 * sequence enters with emission e is stamped `EPOCH · e + 2 · order`, known without doing it.
 */
const EPOCH = 2 ** 28
const LATE = 2 ** 27

/** Logical time of what happens next after the given emission. */
export function clockAfter(emission: number): number {
  return emission * EPOCH + LATE
}

/** The decode part of a pass, see `decodeStep`; `continuing` sequences were running before it. Returns the pass end. */
export function decodeLazily(engine: CoalescingSglang, startMs: number, continuing: number): number {
  const { running, limits } = engine
  const retracted = retractUntilFits(engine)
  let endMs = startMs
  let pooled = continuing
  for (const sequence of retracted) if (sequence.joinedAt <= running.emissions) pooled--
  if (running.count > 0) {
    const decodeMs = decodeDurationMs(engine)
    if (engine.tree.allocateOrDrain(running.growthAt(running.emissions + 1))) {
      endMs = startMs + decodeMs
      engine.pooled = pooled
      emit(engine)
    } else if (running.count === 1 && !engine.progressed && retracted.length === 0 && !engine.hasOutsideHolders) {
      refuseRunning(engine)
    }
  }
  for (const sequence of engine.tokenless) engine.complete(sequence)
  for (const sequence of engine.finishers) engine.complete(sequence)
  for (let index = retracted.length - 1; index >= 0; index--) engine.waiting.pushFront(retracted[index]!)
  if (retracted.length > 0) {
    engine.ratio = limits.initialRatio
    engine.capacityGeneration++
  }
  return endMs
}

function decodeDurationMs(engine: CoalescingSglang): number {
  const { settings, perf, quirks } = engine.context
  if (settings.role === 'prefill' && !quirks.prefillPaysDecode) return 0
  const { count, tokens } = engine.running
  const total = engine.limits.totalPages * engine.limits.pageSize
  const model = perf.decodeMs(count, Math.min(tokens, total), Math.floor(tokens / count), total)
  return passDurationMs(model, settings.decodeSpeedup)
}

/** Gives every running sequence a token. */
function emit(engine: CoalescingSglang): void {
  const { running, finishers, joiners, tree } = engine
  const emission = running.emissions + 1
  for (let member = running.finishingAt(emission); member !== null; member = member.nextInBucket) {
    finishers.push(member)
    detach(engine, member, emission - 1)
  }
  if (running.hasCrossingAt(emission)) {
    for (const member of running.takeCrossing(emission)) {
      if (member.finishAt !== emission) enter(engine, member, emission)
    }
  }
  for (const member of joiners) if (member.finishAt !== emission) enter(engine, member, emission)
  engine.passForwards += running.count
  engine.passTokens += running.count
  running.advance(1)
  for (const member of finishers) {
    running.remove(member)
    member.produced = member.limit
    member.materialized = member.promptTokens + member.limit
    member.pages = Math.ceil(member.materialized / engine.limits.pageSize)
  }
  tree.clock = clockAfter(emission)
}

/** Enters the pages of a member as of `emission`, and sees when its next page could matter to others. */
function enter(engine: CoalescingSglang, member: LazySequence, emission: number): void {
  const { pageSize, caching } = engine.limits
  if (!caching) return
  const unseen = member.promptTokens + member.offset
  engine.tree.clock = emission * EPOCH + 2 * member.order - 1
  engine.cache.enter(member, unseen + emission)
  member.crossingAt = 0
  if (member.cachedPages * pageSize > member.sharedTokens) return
  const crossingAt = (member.cachedPages + 1) * pageSize - unseen
  if (crossingAt < member.finishAt) engine.running.scheduleCrossing(member, crossingAt)
}

/** Brings a running member's counters and tree node up to date as of `emission`. */
export function detach(engine: CoalescingSglang, member: LazySequence, emission: number): void {
  const { pageSize, caching } = engine.limits
  member.produced = member.offset + emission
  const known = member.promptTokens + member.produced
  member.pages = Math.ceil(known / pageSize)
  if (!caching || member.joinedAt > emission) return
  const full = Math.floor(known / pageSize)
  if (full <= member.cachedPages) return
  const enteredAt = full * pageSize - member.promptTokens - member.offset
  engine.tree.growLocked(member.node, full, enteredAt * EPOCH + 2 * member.order)
  member.cachedPages = full
}

/** Retracts the member with the fewest generated tokens (the first of them) until the growth fits, down to one. */
function retractUntilFits(engine: CoalescingSglang): LazySequence[] {
  const { running, tree } = engine
  const retracted: LazySequence[] = []
  const { emissions } = running
  while (running.count > 1 && tree.free + tree.evictable < running.growthAt(emissions + 1)) {
    let victim = running.head!
    for (let member = victim.next; member !== null; member = member.next) {
      if (member.offset < victim.offset) victim = member
    }
    detach(engine, victim, emissions)
    removeRunning(engine, victim)
    engine.cache.retract(victim)
    victim.fresh = false
    retracted.push(victim)
  }
  return retracted
}

/** Ends a member's stay among the running before its last token. */
export function removeRunning(engine: CoalescingSglang, member: LazySequence): void {
  engine.running.remove(member)
  engine.log.retract(member, engine.running.emissions)
  const joined = engine.joiners.indexOf(member)
  if (joined >= 0) engine.joiners.splice(joined, 1)
}

/** The only running sequence outgrew the pool. */
function refuseRunning(engine: CoalescingSglang): void {
  const { running } = engine
  const member = running.head!
  detach(engine, member, running.emissions)
  removeRunning(engine, member)
  engine.refuse(member)
  engine.capacityGeneration++
  engine.rejected.push(member.request)
}
