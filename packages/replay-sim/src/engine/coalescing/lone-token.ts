import type { EngineState } from './engine-state.js'

/** Notes a token of a request that is not one of the decoding members: its `produced`-th, at `endMs`. */
export function stampLoneToken(state: EngineState, request: number, produced: number, endMs: number): void {
  const log = state.context.tokens
  if (log === null) return
  if (produced === 1) log.firstTokenMs[request] = endMs
  else {
    const index = log.gaps.add(endMs - log.lastTokenMs[request]!, 1)
    state.unfinished?.alone(request, index)
  }
  if (produced === 2) log.secondTokenMs[request] = endMs
  log.lastTokenMs[request] = endMs
  log.producedTokens[request] = produced
}
