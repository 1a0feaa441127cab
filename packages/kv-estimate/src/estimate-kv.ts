import { aicKvBudgetBytes, aicKvCurve, aicMemoryParts } from './compat/aic-0-11.js'
import type { KvEstimate, KvEstimateInput, KvReason } from './kv-types.js'
import { activationBytes } from './memory/activation-bytes.js'
import { commBytes } from './memory/comm-bytes.js'
import { kvBudgetBytes, type MemoryParts, nonKvBytes } from './memory/kv-budget.js'
import { type KvCurve, kvBytesOfSequence, kvCurve } from './memory/kv-bytes.js'
import { type PoolCapacity, poolCapacity } from './memory/pool-tokens.js'
import { checkInput } from './row/check-input.js'
import { quantisedSplitProblem } from './rules/quantised-split.js'
import { sumWeights, weightsByOperator } from './weights/weights-by-operator.js'

/** CUDA graphs take about this much on the engines' default capture sizes. */
const CUDA_GRAPH_BYTES = 1.25 * 2 ** 30

/** Above this fraction engines were seen to start and then run out of memory under load. */
const HIGH_MEMORY_FRACTION = 0.95

/**
 * Memory of one rank and the tokens of KV cache it leaves room for. A cache that does not fit is an answer with a reason and the
 * bytes missing; only input that means nothing (NaN, zero sizes, a shape that does not divide the model) throws `SpicaError`.
 *
 * Tokens are what the pool holds of sequences as long as the engine admits; see `poolCapacity`.
 */
export function estimateKv(input: KvEstimateInput): KvEstimate {
  checkInput(input)
  const compat = input.compat === 'aic-0.11'
  const { model, shape, settings } = input
  const byOperator = weightsByOperator(model, shape, { compat: input.compat, nextn: input.nextn })
  const weightsBytes = Math.ceil(sumWeights(byOperator))
  const parts = compat ? aicMemoryParts(input, weightsBytes) : memoryParts(input, weightsBytes)
  const curve = compat ? aicKvCurve(model, shape.tp, input.kvCacheDtype) : kvCurve(model, shape.tp, input)
  const budget = compat ? aicKvBudgetBytes(input, parts) : kvBudgetBytes(input.backend, settings.memoryFraction, parts)
  const length = input.maxSequenceTokens ?? model.contextLength
  const pool = compat ? linearPool(curve, budget) : poolCapacity(curve, length, settings.maxNumBatchedTokens, budget)
  const perToken = pool.bytesPerToken
  const tokens = Math.floor(pool.tokens)
  const reason = infeasibility(input, parts, budget, tokens)
  return {
    feasible: reason === null,
    totalKvSizeTokens: reason === null ? tokens : null,
    reason,
    shortfallBytes: reason === null ? 0 : Math.max(1, Math.ceil(perToken + curve.stateBytes - budget)),
    ...parts,
    cudaGraphBytes: Math.min(CUDA_GRAPH_BYTES, parts.runtimeOverheadBytes),
    nonKvBytes: nonKvBytes(parts),
    kvBudgetBytes: Math.floor(budget),
    kvSizePerTokenBytes: perToken,
    growingBytesPerToken: curve.growingBytesPerToken,
    windowedBytesPerToken: curve.windows.reduce((sum, window) => sum + window.bytesPerToken, 0),
    stateBytesPerSequence: curve.stateBytes,
    maxSequenceTokens: length,
    kvFormat: input.kvCacheDtype ?? model.quantization.kv,
    weightsByOperator: byOperator,
    warnings: warningsOf(input),
  }
}

/** Upstream's pool: the bytes of a sequence of one token, whatever its length. */
function linearPool(curve: KvCurve, budgetBytes: number): PoolCapacity {
  const bytesPerToken = kvBytesOfSequence(curve, 1)
  return { tokens: budgetBytes / bytesPerToken, bytesPerToken }
}

function memoryParts(input: KvEstimateInput, weightsBytes: number): MemoryParts {
  const { model, hardware, backend, shape, settings } = input
  return {
    capacityBytes: hardware.gpu.memoryCapacityBytes,
    weightsBytes,
    activationsBytes: activationBytes(model, backend, settings, shape.tp),
    runtimeOverheadBytes: hardware.memory.runtimeOverheadBytes,
    commOverheadBytes: commBytes(hardware, shape.tp * shape.attentionDp),
  }
}

function infeasibility(input: KvEstimateInput, parts: MemoryParts, budget: number, tokens: number): KvReason | null {
  const split = quantisedSplitProblem(input.model, input.shape)
  if (split !== null) return { code: 'quantised-split', message: split.message }
  if (budget <= 0) {
    const used = nonKvBytes(parts)
    const limit = input.backend === 'trtllm' ? parts.capacityBytes : input.settings.memoryFraction * parts.capacityBytes
    return {
      code: 'no-kv-budget',
      message: `no KV budget: weights, activations and overheads take ${gib(used)} GiB of ${gib(limit)} GiB`,
    }
  }
  if (!Number.isFinite(tokens)) return { code: 'no-kv-layers', message: 'no layer of this model keeps a KV cache' }
  if (tokens < 1) return { code: 'less-than-one-token', message: `the ${gib(budget)} GiB left hold not one token` }
  return null
}

function warningsOf(input: KvEstimateInput): readonly KvReason[] {
  if (input.settings.memoryFraction <= HIGH_MEMORY_FRACTION) return []
  const message = `memory fraction ${input.settings.memoryFraction} leaves little for peaks; engines often run out of memory above ${HIGH_MEMORY_FRACTION}`
  return [{ code: 'memory-fraction-high', message }]
}

function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(2)
}
