import type { DestinationReservations } from './destination-reservations.js'
import type { EngineState } from './engine-state.js'
import { BLOCKED, IMPOSSIBLE, matchPrefix, SCHEDULED, scheduleTokens, wasPreempted } from './schedule-tokens.js'
import { TRANSFERRED } from './sequence-table.js'

function isHopeless(state: EngineState, request: number, isTransferred: boolean): boolean {
  const { settings } = state.context
  const prompt = state.promptOf(request)
  if (!state.isTrtllm && prompt >= settings.maxModelTokens) return true
  if (isTransferred || wasPreempted(state, request)) return false
  const lifetime = state.isTrtllm ? state.completionBlocks(request) : Math.ceil(prompt / state.blockSize)
  return lifetime > settings.blocks
}

/** Blocks not promised to anyone (TRT-LLM), else all that could be taken. */
function roomFor(state: EngineState): number {
  if (!state.isTrtllm) return state.kv.available
  return Math.max(0, state.kv.available - (state.promisedBlocks - state.promisedHeld))
}

/** Whether a waiting request fits; leaves its cached prefix in `matchedTokens`. */
function fits(state: EngineState, request: number): boolean {
  const known = state.promptOf(request) + state.table.produced[request]!
  const blocks = state.isTrtllm ? state.completionBlocks(request) : Math.ceil(known / state.blockSize)
  const room = roomFor(state)
  const most = wasPreempted(state, request)
    ? Math.floor(known / state.blockSize)
    : state.context.blocks.sharedBlocks[request]!
  if (blocks - most > room) return false
  matchPrefix(state, request, known)
  return blocks - Math.floor(state.matchedActiveTokens / state.blockSize) <= room
}

/** Step B of a pass: admission from the head of the waiting queue. True when something was admitted or rejected. */
export function stepAdmission(state: EngineState, destinations: DestinationReservations, nowMs: number): boolean {
  const { waiting, table, context } = state
  const { settings, observer } = context
  let progressed = false
  state.waitingIsStuck = false
  while (!state.hasPreempted && waiting.count > 0) {
    if (state.runningCount >= settings.maxSequences) {
      state.waitingIsStuck = true
      return progressed
    }
    const position = destinations.isEmpty ? 0 : firstTransferred(state)
    if (position < 0) {
      state.waitingIsStuck = true
      return progressed
    }
    const request = waiting.at(position)
    const isTransferred = (table.flags[request]! & TRANSFERRED) !== 0
    if (isHopeless(state, request, isTransferred)) {
      dequeue(state, position)
      state.rejected.push(request)
      state.unpromise(request, table.computed[request]!)
      state.releaseBlocks(request, table.computed[request]!, false)
      progressed = true
      continue
    }
    if (isTransferred) state.matchedTokens = 0
    else if (!fits(state, request)) {
      state.waitingIsStuck = true
      return progressed
    }
    const cached = state.matchedTokens
    const isUntouched = state.grantCount === 0 && state.decoding.size === 0
    const waitingBefore = waiting.count
    const verdict = scheduleTokens(state, request, cached)
    const at = position + waiting.count - waitingBefore
    if (verdict !== SCHEDULED) {
      if (verdict !== IMPOSSIBLE && !(verdict === BLOCKED && isUntouched && state.budget > 0)) return progressed
      dequeue(state, at)
      state.rejected.push(request)
      progressed = true
      continue
    }
    dequeue(state, at)
    state.appendRunning(request)
    state.laggards.push(request)
    table.flags[request] = table.flags[request]! & ~TRANSFERRED
    progressed = true
    observer.admitted(request, nowMs, cached)
    if (state.lastGrant === 0 && state.budget === 0) return progressed
  }
  return progressed
}

function firstTransferred(state: EngineState): number {
  const { waiting, table } = state
  for (let k = 0; k < waiting.count; k++) if ((table.flags[waiting.at(k)]! & TRANSFERRED) !== 0) return k
  return -1
}

function dequeue(state: EngineState, position: number): void {
  state.recorder?.waitingChanged(state, state.waiting.at(position), -1)
  state.waiting.removeAt(position)
}
