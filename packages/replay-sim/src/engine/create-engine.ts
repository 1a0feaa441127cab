import { CoalescingEngine, type CoalescingOptions } from './coalescing/coalescing-engine.js'
import type { Engine, EngineContext } from './engine.js'
import { checkOffload } from './offload/check-offload.js'
import { PagedEngine } from './paged/paged-engine.js'
import { CoalescingSglang } from './sglang/coalescing-sglang.js'
import { SglangEngine } from './sglang/sglang-engine.js'

/**
 * The engine for one rank. `coalescing` are the options for the coalescing vLLM and TRT-LLM engine; null when the pool needs
 * the pass-by-pass one (see `coalescingOptions`).
 */
export function createEngine(
  context: EngineContext,
  kind: 'coalescing' | 'pass-by-pass' | undefined,
  coalescing: CoalescingOptions | null,
): Engine {
  if (!context.quirks.offloadIgnored) checkOffload(context.settings)
  if (context.settings.type === 'sglang') {
    const bursts = context.settings.mtpTokens > 0 && context.settings.role !== 'prefill'
    return kind === 'pass-by-pass' || bursts ? new SglangEngine(context) : new CoalescingSglang(context)
  }
  return coalescing === null ? new PagedEngine(context) : new CoalescingEngine(context, coalescing)
}
