import type { ModelSpec } from '@spica/schema'
import { sumWeights, weightsByOperator } from './weights-by-operator.js'

/** Weights of a model as numbers, not bytes. Norms, biases, scales and MTP layers are not counted. */
export interface ParameterCounts {
  readonly total: number
  /** Those that one token meets: all but the routed experts it is not sent to. */
  readonly active: number
}

const SINGLE = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }

/** Parameters by the same layers that `weightsByOperator` weighs. */
export function parameterCounts(model: ModelSpec): ParameterCounts {
  const plain = {
    gemm: 'bfloat16',
    moe: 'bfloat16',
    attention: 'bfloat16',
    sharedExpert: 'bfloat16',
    lmHead: 'bfloat16',
    kv: 'bfloat16',
    weightBlock: null,
  } as const
  const weights = weightsByOperator({ ...model, quantization: plain }, SINGLE)
  const uncounted = (weights['norms'] ?? 0) + (weights['mla_absorbed'] ?? 0)
  const experts = (weights['moe'] ?? 0) / 2
  const common = (sumWeights(weights) - uncounted) / 2 - experts
  const share = model.moe === null ? 0 : model.moe.topk / model.moe.experts
  return { total: common + experts, active: common + experts * share }
}
