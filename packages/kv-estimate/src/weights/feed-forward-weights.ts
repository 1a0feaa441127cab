import type { DenseFfnGroup, ModelSpec, WorkerShape } from '@spica/schema'
import { addBytes, type OperatorBytes } from './attention-weights.js'
import { weightBytes } from './format-bytes.js'

/** Dense feed-forward layers of a model; without `denseFfn` every layer without experts, at the model's intermediate size. */
export function denseFfnGroups(model: ModelSpec): readonly DenseFfnGroup[] {
  if (model.denseFfn !== undefined) return model.denseFfn
  const count = model.layers - (model.moe?.layers ?? 0)
  return count > 0 && model.interSize > 0 ? [{ count, interSize: model.interSize }] : []
}

/** Adds the feed-forward weights of one rank: dense and shared layers split over `tp`, experts over `moeTp` · `moeEp`. */
export function addFeedForwardWeights(into: OperatorBytes, model: ModelSpec, shape: WorkerShape): void {
  const { quantization, hiddenSize, moe } = model
  const inMatrices = model.gatedFfn === false ? 1 : 2
  for (const { count, interSize } of denseFfnGroups(model)) {
    const matrix = (count * hiddenSize * interSize * weightBytes(quantization.gemm, quantization)) / shape.tp
    addBytes(into, 'gate_ffn1_gemm', inMatrices * matrix)
    addBytes(into, 'ffn2_gemm', matrix)
  }
  if (moe === null) return
  const width = moe.latentSize ?? hiddenSize
  const expert = (inMatrices + 1) * width * moe.interSize * weightBytes(quantization.moe, quantization)
  addBytes(into, 'moe', (moe.layers * moe.experts * expert) / (shape.moeTp * shape.moeEp))
  addBytes(into, 'router_gemm', moe.layers * hiddenSize * moe.experts * 2)
  const shared = weightBytes(quantization.sharedExpert ?? quantization.gemm, quantization)
  const sharedMatrix = (moe.layers * hiddenSize * moe.sharedInterSize * shared) / shape.tp
  addBytes(into, 'shared_gate_up_gemm', inMatrices * sharedMatrix)
  addBytes(into, 'shared_ffn2_gemm', sharedMatrix)
  if (moe.latentSize !== undefined) {
    addBytes(into, 'latent_proj_gemm', moe.layers * 2 * hiddenSize * moe.latentSize * shared)
  }
}
