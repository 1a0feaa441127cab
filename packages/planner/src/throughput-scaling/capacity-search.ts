import type { EngineCapabilities } from '../config/capabilities.js'
import type { ForwardPassModel } from '../forward-pass-model/forward-pass-model.js'
import { MAX_HIT_RATE, type PoolRole } from '../forward-pass-model/pool-model.js'

const MS_PER_SECOND = 1000
const MAX_CANDIDATES = 128

/** The request shape to size for, in tokens, and the SLAs in ms. */
export interface CapacityRequest {
  readonly isl: number
  readonly osl: number
  readonly ttftSlaMs: number
  readonly itlSlaMs: number
  readonly hitRate: number
  readonly acceptLength: number
}

/** What one engine sustains at its best batch size. */
export interface EngineCapacity {
  readonly requestsPerSecond: number
  readonly ttftMs: number | null
  readonly itlMs: number | null
  /** True when the SLAs hold at that batch. */
  readonly eligible: boolean
}

/** 1…limit, thinned to 128 evenly spaced sizes. */
function batchSizes(limit: number): number[] {
  if (limit < 1) return []
  if (limit <= MAX_CANDIDATES) return Array.from({ length: limit }, (_, i) => i + 1)
  return Array.from({ length: MAX_CANDIDATES }, (_, i) => 1 + Math.floor((i * (limit - 1)) / (MAX_CANDIDATES - 1)))
}

/**
 * Highest request rate one engine sustains for a shape: every candidate batch size is tried on the learned pass times; sizes
 * that meet the SLAs beat those that do not, more requests per second win within a class. null when the passes it needs are unknown.
 */
export function searchCapacity(
  role: PoolRole,
  passes: ForwardPassModel,
  capabilities: EngineCapabilities,
  request: CapacityRequest,
): EngineCapacity | null {
  const isl = Math.ceil(request.isl)
  const osl = Math.max(1, Math.ceil(request.osl))
  if (!(isl > 0) || (role !== 'prefill' && !(request.osl > 0))) return null
  const hitRate = Math.min(MAX_HIT_RATE, Math.max(0, request.hitRate))
  const freshIsl = Math.max(1, Math.ceil(isl * (1 - hitRate)))
  const shape = { ...request, isl, osl }
  const point = { prefill: prefillPoint, decode: decodePoint, aggregated: sharedPoint }[role]
  let best: EngineCapacity | null = null
  for (const batch of batchSizes(batchLimit(role, capabilities, shape, freshIsl))) {
    const found = point(batch, passes, capabilities, shape, freshIsl)
    if (found === null) continue
    const better =
      best === null ||
      (found.eligible && !best.eligible) ||
      (found.eligible === best.eligible && found.requestsPerSecond > best.requestsPerSecond)
    if (better) best = found
  }
  return best
}

function batchLimit(
  role: PoolRole,
  capabilities: EngineCapabilities,
  request: CapacityRequest,
  freshIsl: number,
): number {
  const batchedTokens = capabilities.maxNumBatchedTokens ?? Number.MAX_SAFE_INTEGER
  if (role === 'prefill') {
    return freshIsl > batchedTokens ? 1 : Math.min(capabilities.maxNumSeqs, Math.floor(batchedTokens / freshIsl))
  }
  const context = Math.max(1, request.isl + Math.floor(request.osl / 2))
  const fits =
    capabilities.maxKvTokens === null ? capabilities.maxNumSeqs : Math.floor(capabilities.maxKvTokens / context)
  const limit = Math.min(capabilities.maxNumSeqs, fits)
  return role === 'aggregated' ? Math.min(limit, batchedTokens - 1) : limit
}

type PointSearch = (
  batch: number,
  passes: ForwardPassModel,
  capabilities: EngineCapabilities,
  request: CapacityRequest,
  freshIsl: number,
) => EngineCapacity | null

const prefillPoint: PointSearch = (batch, passes, capabilities, request, freshIsl) => {
  const chunk = capabilities.maxNumBatchedTokens ?? batch * freshIsl
  const ttftMs = passes.drainMs(batch * freshIsl, chunk, 0, 0)
  if (ttftMs === null || ttftMs <= 0) return null
  return {
    requestsPerSecond: (batch / ttftMs) * MS_PER_SECOND,
    ttftMs,
    itlMs: null,
    eligible: ttftMs <= request.ttftSlaMs,
  }
}

const decodePoint: PointSearch = (batch, passes, _capabilities, request) => {
  const context = Math.max(1, request.isl + Math.floor(request.osl / 2))
  const passMs = passes.passMs({ prefillTokens: 0, decodeRequests: batch, decodeKvTokens: batch * context })
  if (passMs === null || passMs <= 0) return null
  const itlMs = passMs / request.acceptLength
  return {
    requestsPerSecond: (batch / (request.osl * itlMs)) * MS_PER_SECOND,
    ttftMs: null,
    itlMs,
    eligible: itlMs <= request.itlSlaMs,
  }
}

/** Each pass carries the prefill tokens that keep `batch` sequences running in the steady state. */
const sharedPoint: PointSearch = (batch, passes, capabilities, request, freshIsl) => {
  const batchedTokens = capabilities.maxNumBatchedTokens ?? Number.MAX_SAFE_INTEGER
  const prefillTokens = Math.ceil((batch * request.acceptLength * freshIsl) / request.osl)
  if (prefillTokens > batchedTokens - batch) return null
  const context = Math.max(1, request.isl + Math.floor(request.osl / 2))
  const kv = batch * context
  const passMs = passes.passMs({ prefillTokens, decodeRequests: batch, decodeKvTokens: kv })
  const ttftMs = passes.drainMs(prefillTokens + freshIsl, batchedTokens, batch, kv)
  if (passMs === null || passMs <= 0 || ttftMs === null) return null
  const itlMs = passMs / request.acceptLength
  return {
    requestsPerSecond: (batch / (request.osl * itlMs)) * MS_PER_SECOND,
    ttftMs,
    itlMs,
    eligible: itlMs <= request.itlSlaMs && ttftMs <= request.ttftSlaMs,
  }
}
