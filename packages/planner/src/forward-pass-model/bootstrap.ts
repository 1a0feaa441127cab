import type { PerfModel } from '@spica/schema/core'
import type { EngineCapabilities } from '../config/capabilities.js'
import type { ForwardPassModel } from './forward-pass-model.js'
import type { PoolRole } from './pool-model.js'

const SMALLEST_PREFILL_TOKENS = 100
const STEPS = 8
const DECODE_CONTEXTS = [500, 2000, 4000, 8000]
/** Prefill sizes × decode points of the mixed grid stay below a default store of 64 samples. */
const MIXED_PREFILL_STEPS = 4
const FALLBACK_BATCHED_TOKENS = 8192

/** What the first ticks may know before any traffic: pass times asked from a performance model. */
export interface BootstrapSource {
  readonly perfModel: PerfModel
  readonly capabilities: EngineCapabilities
}

/**
 * Feeds a pool's model with prefill passes of 100 tokens up to the batch limit and decode passes over four contexts, at
 * the sizes of upstream's bootstrap. With `mixed` an aggregated pool also learns passes that do both, which upstream never
 * shows its model, so that its questions about loaded workers have answers from the first tick.
 */
export function bootstrapModel(
  passes: ForwardPassModel,
  role: PoolRole,
  source: BootstrapSource,
  mixed: boolean,
): void {
  const { perfModel, capabilities } = source
  const batchedTokens = capabilities.maxNumBatchedTokens ?? FALLBACK_BATCHED_TOKENS
  const prefillStep = Math.max(1, Math.floor((batchedTokens - SMALLEST_PREFILL_TOKENS) / STEPS))
  const totalKv = capabilities.maxKvTokens ?? 0
  const decodePoints = role === 'prefill' ? [] : decodeGrid(capabilities)
  const decodeMs = (batch: number, context: number): number =>
    perfModel.decodeMs(batch, batch * context, context, totalKv === 0 ? batch * context : totalKv)
  if (role !== 'decode') {
    for (let tokens = SMALLEST_PREFILL_TOKENS; tokens <= batchedTokens; tokens += prefillStep) {
      passes.learn({ prefillTokens: tokens, decodeRequests: 0, decodeKvTokens: 0 }, perfModel.prefillMs(1, tokens, 0))
    }
  }
  for (const { batch, context } of decodePoints) {
    passes.learn({ prefillTokens: 0, decodeRequests: batch, decodeKvTokens: batch * context }, decodeMs(batch, context))
  }
  if (role !== 'aggregated' || !mixed) return
  for (let i = 1; i <= MIXED_PREFILL_STEPS; i++) {
    const tokens = Math.max(1, Math.floor((batchedTokens * i) / MIXED_PREFILL_STEPS))
    for (const { batch, context } of decodePoints.filter((_, index) => index % 2 === 0)) {
      passes.learn(
        { prefillTokens: tokens, decodeRequests: batch, decodeKvTokens: batch * context },
        perfModel.prefillMs(1, tokens, 0) + decodeMs(batch, context),
      )
    }
  }
}

function decodeGrid(capabilities: EngineCapabilities): { batch: number; context: number }[] {
  const step = Math.max(1, Math.floor(capabilities.maxNumSeqs / STEPS))
  const points: { batch: number; context: number }[] = []
  for (const context of DECODE_CONTEXTS) {
    for (let batch = 1; batch <= capabilities.maxNumSeqs; batch += step) {
      if (capabilities.maxKvTokens !== null && batch * context > capabilities.maxKvTokens) break
      points.push({ batch, context })
    }
  }
  return points
}
