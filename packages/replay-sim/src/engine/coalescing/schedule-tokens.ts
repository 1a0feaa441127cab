import type { EngineState } from './engine-state.js'
import { PREEMPTED } from './sequence-table.js'

export const SCHEDULED = 0 as const
export const BLOCKED = 1 as const
export const PREEMPTED_ITSELF = 2 as const
export const IMPOSSIBLE = 3 as const
/** Blocks are missing and nobody is running who could give some back. */
export const NO_ROOM = 4 as const
export type Verdict = typeof SCHEDULED | typeof BLOCKED | typeof PREEMPTED_ITSELF | typeof IMPOSSIBLE | typeof NO_ROOM

/** Finds the cached leading blocks of a request with `known` tokens and applies the engine's caps; leaves the result in the state. */
export function matchPrefix(state: EngineState, request: number, known: number): void {
  state.matchedTokens = 0
  state.matchedActiveTokens = 0
  const { context, table, kv, blockSize } = state
  if (!context.settings.prefixCaching) return
  const { sharedBlocks, offsets, ids } = context.blocks
  const full = Math.floor(known / blockSize)
  const shared = sharedBlocks[request]!
  const end = Math.min(full, shared)
  const from = offsets[request]!
  let found = 0
  let active = 0
  while (found < end) {
    const copy = kv.copyOf(ids[from + found]!)
    if (copy === 0) break
    if (kv.isActive(copy)) active++
    found++
  }
  const own = table.ownIds[request]!
  if (own > 0 && found === shared) {
    while (found < full) {
      const copy = kv.copyOf(own + found - shared)
      if (copy === 0) break
      if (kv.isActive(copy)) active++
      found++
    }
  }
  let tokens = found * blockSize
  let activeTokens = active * blockSize
  if (!state.isTrtllm && state.limitOf(request) - table.produced[request]! > 0) {
    const cap = Math.floor((known - 1) / blockSize) * blockSize
    if (tokens > cap) {
      tokens = cap
      activeTokens = Math.min(activeTokens, cap)
    }
  }
  state.matchedTokens = tokens
  state.matchedActiveTokens = activeTokens
}

function matchedCopy(state: EngineState, request: number, block: number): number {
  const { sharedBlocks, offsets, ids } = state.context.blocks
  const shared = sharedBlocks[request]!
  if (block < shared) return state.kv.copyOf(ids[offsets[request]! + block]!)
  return state.kv.copyOf(state.table.ownIds[request]! + block - shared)
}

/** Refers to the first `blocks` matched copies on behalf of the request. */
export function pinPrefix(state: EngineState, request: number, blocks: number): void {
  const { kv, table } = state
  const shared = Math.min(blocks, state.context.blocks.sharedBlocks[request]!)
  const from = state.context.blocks.offsets[request]!
  for (let k = 0; k < shared; k++) {
    const copy = matchedCopy(state, request, k)
    kv.pin(copy)
    table.held[from + k] = copy
  }
  if (blocks === shared) return
  const own: number[] = []
  for (let k = shared; k < blocks; k++) {
    const copy = matchedCopy(state, request, k)
    kv.pin(copy)
    own.push(copy)
  }
  table.ownHeld.set(request, own)
}

/** Whether `fresh` blocks can be taken besides pinning the first `prefix` matched ones. */
export function canTake(state: EngineState, request: number, prefix: number, fresh: number): boolean {
  const { kv } = state
  let room = kv.available
  if (fresh > room) return false
  if (room - prefix >= fresh) return true
  for (let k = 0; k < prefix; k++) if (!kv.isActive(matchedCopy(state, request, k))) room--
  return fresh <= room || fresh <= kv.capacity - kv.used
}

/** Names the shared blocks among those filled by computing tokens `before` … `after`. */
export function publishShared(state: EngineState, request: number, before: number, after: number): void {
  if (!state.context.settings.prefixCaching) return
  const { sharedBlocks, offsets, ids } = state.context.blocks
  const end = Math.min(Math.floor(after / state.blockSize), sharedBlocks[request]!)
  const from = offsets[request]!
  for (let k = Math.floor(before / state.blockSize); k < end; k++) {
    state.table.held[from + k] = state.kv.publish(ids[from + k]!, 1)
  }
}

/** Gives a laggard or a request being admitted as many tokens as the budget allows, preempting for blocks if need be. */
export function scheduleTokens(state: EngineState, request: number, cached: number): Verdict {
  const { table, context, blockSize } = state
  const { settings, quirks } = context
  const computed = table.computed[request]!
  const before = computed > 0 ? computed : cached
  const prompt = state.promptOf(request)
  const known = prompt + table.produced[request]!
  const remaining = known - before
  if (!settings.chunkedPrefill && before < prompt && prompt - before > state.budget) return BLOCKED
  const take = Math.min(remaining, state.budget)
  if (take === 0 && remaining > 0) return BLOCKED
  const after = before + take
  const held = Math.ceil(computed / blockSize)
  const needed = Math.ceil(after / blockSize) - held
  if (needed > 0) {
    const prefix = computed > 0 ? 0 : cached / blockSize
    const fresh = needed - prefix
    while (!canTake(state, request, prefix, fresh)) {
      const victim = state.tail
      if (victim < 0) return NO_ROOM
      if (victim === request && Math.ceil(after / blockSize) > state.kv.capacity) return IMPOSSIBLE
      state.preempt(victim)
      if (victim === request) return PREEMPTED_ITSELF
    }
    if (prefix > 0) pinPrefix(state, request, prefix)
    if (fresh > 0) state.kv.take(fresh)
  }
  if (state.isTrtllm) {
    if (computed === 0) state.promisedBlocks += state.completionBlocks(request)
    state.promisedHeld += needed
  }
  table.computed[request] = after
  publishShared(state, request, before, after)
  const limit = quirks.freeRecompute ? prompt : table.charged[request]!
  const prefixTokens = Math.min(before, limit)
  const isCharged = settings.role !== 'decode' || !quirks.freeRecompute
  const prefillTokens = isCharged ? Math.min(after, limit) - prefixTokens : 0
  if (prefillTokens > 0) {
    state.prefillCount++
    state.islSum += prefixTokens + prefillTokens
    state.prefixSum += prefixTokens
  }
  const grant = state.grantCount++
  state.grantRequests[grant] = request
  state.grantTokens[grant] = take
  state.grantPrefill[grant] = prefillTokens
  state.grantPrefix[grant] = prefixTokens
  state.budget -= take
  state.lastGrant = take
  return SCHEDULED
}

/** True when the request was preempted at some time. */
export function wasPreempted(state: EngineState, request: number): boolean {
  return (state.table.flags[request]! & PREEMPTED) !== 0
}
