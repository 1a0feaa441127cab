import type { Engine, EngineContext } from './engine.js'
import { PagedEngine } from './paged/paged-engine.js'
import { SglangEngine } from './sglang/sglang-engine.js'

/** The engine for one rank. */
export function createEngine(context: EngineContext, _kind: 'coalescing' | 'pass-by-pass' | undefined): Engine {
  if (context.settings.type === 'sglang') return new SglangEngine(context)
  return new PagedEngine(context)
}
