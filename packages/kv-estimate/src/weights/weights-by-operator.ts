import type { ModelSpec, WorkerShape } from '@spica/schema'
import { aicWeightsByOperator } from '../compat/aic-0-11.js'
import type { KvCompat } from '../kv-types.js'
import { addBytes, addMixerWeights, type OperatorBytes } from './attention-weights.js'
import { addFeedForwardWeights } from './feed-forward-weights.js'
import { mtpLayerGroups } from './mtp-layer.js'

export interface WeightsOptions {
  readonly compat?: KvCompat | undefined
  /** Draft tokens per step; above 0 the MTP layers count too. Default 0. */
  readonly nextn?: number | undefined
}

/**
 * Weight bytes of one rank by operator, all layers together. Embedding and logits are split over `tp` (one matrix when tied),
 * attention over `tp`, experts over `moeTp` · `moeEp`; norms and the router are replicated. Operators without weights are absent.
 */
export function weightsByOperator(
  model: ModelSpec,
  shape: WorkerShape,
  options: WeightsOptions = {},
): Readonly<Record<string, number>> {
  if (options.compat === 'aic-0.11') return aicWeightsByOperator(model, shape)
  const bytes: OperatorBytes = {}
  const table = (model.vocabSize * model.hiddenSize * 2) / shape.tp
  addBytes(bytes, 'embedding', table)
  addMixerWeights(bytes, model, shape.tp)
  addFeedForwardWeights(bytes, model, shape)
  addBytes(bytes, 'norms', (2 * model.layers + 1) * model.hiddenSize * 2)
  if (!model.tieWordEmbeddings) addBytes(bytes, 'logits_gemm', table)
  if ((options.nextn ?? 0) > 0 && model.mtpLayers > 0) addBytes(bytes, 'mtp', mtpBytes(model, shape))
  return bytes
}

/** Sum over the operators. */
export function sumWeights(byOperator: Readonly<Record<string, number>>): number {
  return Object.values(byOperator).reduce((sum, bytes) => sum + bytes, 0)
}

/** An MTP layer is one more transformer layer behind a projection of two hidden states. */
function mtpBytes(model: ModelSpec, shape: WorkerShape): number {
  const bytes: OperatorBytes = {}
  addMixerWeights(bytes, { ...model, layerGroups: mtpLayerGroups(model) }, shape.tp)
  const moe = model.moe === null ? null : { ...model.moe, layers: 1 }
  const denseFfn = model.moe === null ? [{ count: 1, interSize: model.interSize }] : []
  addFeedForwardWeights(bytes, { ...model, moe, denseFfn }, shape)
  return (sumWeights(bytes) + (2 * model.hiddenSize * model.hiddenSize * 2) / shape.tp) * model.mtpLayers
}
