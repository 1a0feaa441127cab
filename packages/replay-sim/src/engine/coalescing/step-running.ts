import type { EngineState } from './engine-state.js'
import { BLOCKED, IMPOSSIBLE, SCHEDULED, scheduleTokens } from './schedule-tokens.js'
import { DECODING } from './sequence-table.js'

/** A running request that can never get the blocks it needs, alone in the pool: it is rejected. */
function rejectRunning(state: EngineState, request: number): void {
  const { table } = state
  if ((table.flags[request]! & DECODING) !== 0) state.leaveDecoding(request, state.decoding.known(request) - 1)
  else state.laggards.splice(state.laggards.indexOf(request), 1)
  state.unlinkRunning(request)
  state.unpromise(request, table.computed[request]!)
  state.releaseBlocks(request, table.computed[request]!, false)
  table.computed[request] = 0
  state.capacityGeneration++
  state.rejected.push(request)
}

function laggardsAreLast(state: EngineState): boolean {
  let at = state.tail
  for (let k = state.laggards.length - 1; k >= 0; k--) {
    if (state.laggards[k] !== at) return false
    at = state.table.previous[at]!
  }
  return true
}

/** Step A of a pass: a token for every decoding member, then the laggards' share of the budget. */
export function stepRunning(state: EngineState): void {
  const { decoding, kv } = state
  const opening = decoding.size > 0 ? decoding.openingNow : 0
  if (
    opening > kv.available ||
    decoding.size > state.budget ||
    (state.laggards.length > 0 && !laggardsAreLast(state))
  ) {
    stepOneByOne(state)
    return
  }
  if (opening > 0) kv.take(opening)
  if (state.isTrtllm) state.promisedHeld += opening
  state.budget -= decoding.size
  state.grantedUpTo = Number.POSITIVE_INFINITY
  let index = 0
  while (index < state.laggards.length && state.budget > 0) {
    const request = state.laggards[index]!
    const verdict = scheduleTokens(state, request, 0)
    if (verdict === BLOCKED) return
    if (verdict === IMPOSSIBLE) rejectRunning(state, request)
    else if (verdict === SCHEDULED) index++
  }
}

/** The same in strict running order, for passes that run out of blocks or budget. */
function stepOneByOne(state: EngineState): void {
  const { table, decoding, kv } = state
  state.grantedUpTo = -1
  let request = state.head
  while (request >= 0 && state.budget > 0) {
    if ((table.flags[request]! & DECODING) === 0) {
      const verdict = scheduleTokens(state, request, 0)
      if (verdict === BLOCKED) break
      if (verdict === IMPOSSIBLE) rejectRunning(state, request)
      if (verdict !== SCHEDULED) break
    } else if (decoding.opensBlock(request)) {
      if (kv.available < 1) {
        const victim = state.tail
        if (victim !== request) {
          state.preempt(victim)
          continue
        }
        if (Math.ceil(decoding.known(request) / state.blockSize) > kv.capacity) rejectRunning(state, request)
        else state.preempt(request)
        request = -1
        break
      }
      kv.take(1)
      if (state.isTrtllm) state.promisedHeld++
      state.budget--
    } else state.budget--
    state.grantedUpTo = table.order[request]!
    request = table.next[request]!
  }
  freezeUngranted(state)
  state.grantedUpTo = Number.POSITIVE_INFINITY
}

/** Decoding members that got no token in this pass fall behind. */
function freezeUngranted(state: EngineState): void {
  const { table, decoding, laggards } = state
  let frozen = 0
  for (let at = state.tail; at >= 0 && table.order[at]! > state.grantedUpTo; at = table.previous[at]!) {
    if ((table.flags[at]! & DECODING) === 0) continue
    state.leaveDecoding(at, decoding.known(at) - 1)
    laggards.push(at)
    frozen++
  }
  if (frozen > 0) laggards.sort((a, b) => table.order[a]! - table.order[b]!)
}
