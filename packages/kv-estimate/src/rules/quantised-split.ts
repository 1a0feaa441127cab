import type { ModelSpec, WorkerShape } from '@spica/schema'

/** A split of quantised experts that cuts through scale blocks. */
export interface QuantisedSplitProblem {
  readonly message: string
  readonly numbers: Readonly<Record<string, number>>
}

/** Block-quantised experts can only be split along whole blocks: interSize / moeTp must be a multiple of the block. */
export function quantisedSplitProblem(model: ModelSpec, shape: WorkerShape): QuantisedSplitProblem | null {
  if (model.moe === null || model.quantization.moe !== 'fp8_block') return null
  const block = (model.quantization.weightBlock ?? [128, 128])[0]
  const perRank = model.moe.interSize / shape.moeTp
  const remainder = perRank % block
  if (remainder === 0) return null
  return {
    message:
      `experts of intermediate size ${model.moe.interSize} over moe_tp ${shape.moeTp} leave ${perRank} per GPU, ` +
      `not a multiple of the FP8 block ${block}`,
    numbers: { moeInterSize: model.moe.interSize, moeTp: shape.moeTp, perRank, block, remainder },
  }
}
