import type { PagedEngine } from './paged-engine.js'
import { knownTokens, type Sequence } from './sequence.js'

/** Cached leading tokens of a request, and those of them that are in use by others (so cost no free capacity). */
export interface CachedPrefix {
  tokens: number
  activeTokens: number
}

/** Walks the known full blocks from the root to the first one without a copy, then applies the engine's caps. */
export function cachedPrefix(engine: PagedEngine, sequence: Sequence): CachedPrefix {
  const { settings } = engine.context
  if (!settings.prefixCaching) return { tokens: 0, activeTokens: 0 }
  const known = knownTokens(sequence)
  const full = Math.floor(known / engine.blockSize)
  let found = 0
  let active = 0
  while (found < full) {
    const copy = engine.pool.candidate(engine.identity.idOf(sequence.request, found))
    if (copy === undefined) break
    found++
    if (copy.refs > 0) active++
  }
  let tokens = found * engine.blockSize
  let activeTokens = active * engine.blockSize
  if (!engine.isTrtllm && sequence.limit - sequence.produced > 0) {
    const cap = Math.floor((known - 1) / engine.blockSize) * engine.blockSize
    if (tokens > cap) {
      tokens = cap
      activeTokens = Math.min(activeTokens, cap)
    }
    if (settings.mtpTokens > 0 && tokens >= engine.blockSize) {
      tokens -= engine.blockSize
      activeTokens = Math.min(activeTokens, tokens)
    }
  }
  return { tokens, activeTokens }
}
