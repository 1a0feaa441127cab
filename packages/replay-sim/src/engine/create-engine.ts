import type { Engine, EngineContext } from './engine.js'
import { PagedEngine } from './paged/paged-engine.js'

/** The engine for one rank. */
export function createEngine(context: EngineContext, _kind: 'coalescing' | 'pass-by-pass' | undefined): Engine {
  return new PagedEngine(context)
}
