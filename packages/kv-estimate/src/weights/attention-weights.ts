import type { LayerGroup, ModelSpec } from '@spica/schema'
import { weightBytes } from './format-bytes.js'

/** Weight bytes by operator, added up. */
export type OperatorBytes = Record<string, number>

export function addBytes(into: OperatorBytes, name: string, bytes: number): void {
  if (bytes > 0) into[name] = (into[name] ?? 0) + bytes
}

/** Adds the weights of the token mixers of one rank. Query heads are split over `tp`, KV heads too until one is left. */
export function addMixerWeights(into: OperatorBytes, model: ModelSpec, tp: number): void {
  for (const group of model.layerGroups) {
    switch (group.mixer) {
      case 'full':
      case 'sliding':
        addHeadWeights(into, model, group, tp)
        break
      case 'mla':
        addLatentWeights(into, model, group.count, tp)
        break
      case 'compressed':
        addCompressedWeights(into, model, group, tp)
        break
      case 'recurrent':
        addRecurrentWeights(into, model, group, tp)
        break
      case 'none':
        break
    }
  }
}

function addHeadWeights(into: OperatorBytes, model: ModelSpec, group: LayerGroup, tp: number): void {
  const bytes = weightBytes(model.quantization.attention, model.quantization)
  const heads = Math.ceil((group.heads ?? model.heads) / tp)
  const kvHeads = Math.ceil((group.kvHeads ?? model.kvHeads) / tp)
  const headDim = group.headDim ?? model.headDim
  const vHeadDim = group.vHeadDim ?? headDim
  const queryWidth = heads * headDim * (model.attentionOutputGate === true ? 2 : 1)
  const kvWidth = group.sharesKv === true ? 0 : kvHeads * (group.keyEqualsValue === true ? headDim : headDim + vHeadDim)
  addBytes(into, 'qkv_gemm', group.count * model.hiddenSize * (queryWidth + kvWidth) * bytes)
  addBytes(into, 'proj_gemm', group.count * heads * vHeadDim * model.hiddenSize * bytes)
}

/**
 * Latent attention: down-projections are replicated, the rest split. Engines keep the key-value up-projection a second time in
 * bfloat16, split for the absorbed decode path.
 */
function addLatentWeights(into: OperatorBytes, model: ModelSpec, count: number, tp: number): void {
  const mla = model.mla
  if (mla === null) return
  const bytes = weightBytes(model.quantization.attention, model.quantization)
  const heads = Math.ceil(model.heads / tp)
  const { qLoraRank, kvLoraRank, qkNopeHeadDim, qkRopeHeadDim, vHeadDim } = mla
  const queryWidth = heads * (qkNopeHeadDim + qkRopeHeadDim)
  const query = qLoraRank === 0 ? model.hiddenSize * queryWidth : qLoraRank * (model.hiddenSize + queryWidth)
  const upKv = kvLoraRank * heads * (qkNopeHeadDim + vHeadDim)
  const elements = query + model.hiddenSize * (kvLoraRank + qkRopeHeadDim) + upKv + heads * vHeadDim * model.hiddenSize
  addBytes(into, 'mla_block', count * elements * bytes)
  addBytes(into, 'mla_absorbed', count * upKv * 2)
  if (model.indexer === null) return
  const { heads: indexHeads, headDim } = model.indexer
  const indexer = (qLoraRank || model.hiddenSize) * indexHeads * headDim + model.hiddenSize * (headDim + indexHeads)
  addBytes(into, 'sparse_indexer', count * indexer * bytes)
}

/** DeepSeek-V4: low-rank query, one shared key-value head, grouped low-rank output; compressors for compressed layers. */
function addCompressedWeights(into: OperatorBytes, model: ModelSpec, group: LayerGroup, tp: number): void {
  const bytes = weightBytes(model.quantization.attention, model.quantization)
  const headDim = group.headDim ?? model.headDim
  const heads = Math.ceil((group.heads ?? model.heads) / tp)
  const rank = model.mla?.qLoraRank ?? Math.ceil(model.hiddenSize / 4)
  const output = model.outputLora
  const out =
    output === undefined
      ? heads * headDim * model.hiddenSize
      : heads * headDim * output.rank + Math.ceil((output.rank * output.groups) / tp) * model.hiddenSize
  const ratio = group.compressRatio ?? 0
  // The compressor projects to keys and gates; overlapping windows at ratio 4 double it.
  const compressor = ratio === 0 ? 0 : 2 * model.hiddenSize * headDim * (ratio <= 4 ? 2 : 1)
  const elements = rank * (model.hiddenSize + heads * headDim) + model.hiddenSize * headDim + out + compressor
  addBytes(into, 'attention', group.count * elements * bytes)
  if (model.indexer !== null && ratio > 0 && ratio <= 4) {
    const { heads: indexHeads, headDim: indexDim } = model.indexer
    const indexer = rank * indexHeads * indexDim + model.hiddenSize * (4 * indexDim + indexHeads)
    addBytes(into, 'sparse_indexer', group.count * indexer * bytes)
  }
}

function addRecurrentWeights(into: OperatorBytes, model: ModelSpec, group: LayerGroup, tp: number): void {
  const spec = group.recurrent
  if (spec === undefined) return
  const bytes = weightBytes(model.quantization.gemm, model.quantization)
  const inProj = spec.inProjElements ?? spec.weightElements
  const outProj = spec.outProjElements ?? spec.weightElements - inProj
  addBytes(into, `${spec.kind}_in_proj_gemm`, (group.count * inProj * bytes) / tp)
  addBytes(into, `${spec.kind}_out_proj_gemm`, (group.count * outProj * bytes) / tp)
}
