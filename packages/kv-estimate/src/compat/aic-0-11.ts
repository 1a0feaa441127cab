import type { HardwareSpec, KvFormat, ModelSpec, WeightFormat, WorkerShape } from '@spica/schema'
import type { KvEstimateInput } from '../kv-types.js'
import { SGLANG_ACTIVATION_MARGIN, tokenActivationBytes } from '../memory/activation-bytes.js'
import { commBytes } from '../memory/comm-bytes.js'
import { type MemoryParts, nonKvBytes } from '../memory/kv-budget.js'
import { type KvCurve, kvCurve } from '../memory/kv-bytes.js'
import { addBytes, type OperatorBytes } from '../weights/attention-weights.js'
import { kvElementBytes } from '../weights/format-bytes.js'

/**
 * The memory rules of AIConfigurator core 0.11, quirks included: sparse-attention layers weigh nothing, logits of plain MoE models
 * are missing, the embedding of DeepSeek-like models is not split, latent attention always has DeepSeek-V3's dimensions, first dense
 * layers count as MoE layers, Llama-4's shared expert is forgotten, those of GLM split by `moeTp`, and window or state layers are charged as full attention.
 */

const BYTES: Readonly<Record<WeightFormat, number>> = {
  bfloat16: 2,
  fp8: 1,
  fp8_block: 1,
  int8_wo: 1,
  nvfp4: 0.5625,
  mxfp4: 0.5,
  w4afp8: 0.5,
  int4_wo: 0.5,
}

/** DeepSeek-V3's latent attention: replicated and split elements per layer. */
const MLA_REPLICATED = 7168 * (1536 + 576)
const MLA_SPLIT = 1536 * 24576 + 512 * 32768 + 16384 * 7168

/** SGLang's runtime overhead over the SKU's figure. */
const SGLANG_OVERHEAD = 1.2

/** Settings at which enumeration judges whether a shape fits, whatever the candidate has. */
export const AIC_ENUMERATION_SETTINGS: {
  readonly maxNumBatchedTokens: number
  readonly maxNumSeqs: number
  readonly memoryFraction: number
} = { maxNumBatchedTokens: 8192, maxNumSeqs: 256, memoryFraction: 0.9 }

type DeepSeekLike = 'deepseek' | 'kimi' | 'deepseek-v32'

function isDeepSeekLike(family: ModelSpec['family']): family is DeepSeekLike {
  return family === 'deepseek' || family === 'kimi' || family === 'deepseek-v32'
}

export function aicWeightsByOperator(model: ModelSpec, shape: WorkerShape): Readonly<Record<string, number>> {
  const bytes: OperatorBytes = {}
  const gemm = BYTES[model.quantization.gemm]
  const table = model.vocabSize * model.hiddenSize * 2
  const latent = isDeepSeekLike(model.family)
  const blockSparse = model.architecture.startsWith('MiniMaxM3')
  const unsplitEmbedding = latent || blockSparse || model.family === 'deepseek-v4'
  addBytes(bytes, 'embedding', unsplitEmbedding ? table : table / shape.tp)
  if (model.family === 'deepseek' || model.family === 'kimi') {
    addBytes(bytes, 'mla_block', model.layers * (MLA_REPLICATED + MLA_SPLIT / shape.tp) * gemm)
  } else if (model.family === 'hybrid' || (!latent && !blockSparse)) {
    addMixers(bytes, model, shape.tp, gemm)
  }
  addFeedForward(bytes, model, shape, gemm)
  const plainMoe = model.moe !== null && !latent && !blockSparse && !isLayered(model)
  if (!plainMoe) addBytes(bytes, 'logits_gemm', table / shape.tp)
  return bytes
}

/** Models that upstream lays out layer kind by layer kind, logits included. */
function isLayered(model: ModelSpec): boolean {
  if (model.family === 'hybrid') return true
  return model.family !== 'gpt-oss' && model.layerGroups.some((group) => group.mixer === 'sliding')
}

function addMixers(into: OperatorBytes, model: ModelSpec, tp: number, gemm: number): void {
  for (const group of model.layerGroups) {
    if (group.recurrent !== undefined) {
      // Upstream's gated delta layer projects to three key and two value widths.
      const { kind, inProjElements = 0, outProjElements = 0 } = group.recurrent
      const values = outProjElements / model.hiddenSize
      const keys = (group.recurrent.convStateElements / 3 - values) / 2
      const inProj = kind === 'linear' ? model.hiddenSize * (3 * keys + 2 * values) : inProjElements
      addBytes(into, kind === 'linear' ? 'gdn_in_proj_gemm' : 'mamba_in_proj_gemm', (group.count * inProj * gemm) / tp)
      addBytes(
        into,
        kind === 'linear' ? 'gdn_out_proj_gemm' : 'mamba_out_proj_gemm',
        (group.count * outProjElements * gemm) / tp,
      )
      continue
    }
    if (group.mixer !== 'full' && group.mixer !== 'sliding') continue
    const headDim = group.headDim ?? model.headDim
    const vHeadDim = group.vHeadDim ?? headDim
    const heads = (group.heads ?? model.heads) / tp
    const kvHeads = Math.ceil((group.kvHeads ?? model.kvHeads) / tp)
    const kvWidth = kvHeads * (group.keyEqualsValue === true ? headDim : headDim + vHeadDim)
    addBytes(into, 'qkv_gemm', group.count * model.hiddenSize * (heads * headDim + kvWidth) * gemm)
    addBytes(into, 'proj_gemm', group.count * heads * vHeadDim * model.hiddenSize * gemm)
  }
}

function addFeedForward(into: OperatorBytes, model: ModelSpec, shape: WorkerShape, gemm: number): void {
  const { moe, hiddenSize } = model
  const ungated = model.gatedFfn === false
  const layered = isLayered(model)
  for (const group of moe === null || layered ? (model.denseFfn ?? []) : []) {
    const matrix = (group.count * hiddenSize * group.interSize * gemm) / shape.tp
    addBytes(into, 'gate_ffn1_gemm', ungated ? matrix : 2 * matrix)
    addBytes(into, 'ffn2_gemm', matrix)
  }
  if (moe === null) return
  const layers = layered ? moe.layers : model.layers
  const expert = (ungated ? 2 : 3) * (moe.latentSize ?? hiddenSize) * moe.interSize * BYTES[model.quantization.moe]
  addBytes(into, 'router_gemm', layers * hiddenSize * moe.experts * 2)
  addBytes(into, 'moe', (layers * moe.experts * expert) / (shape.moeTp * shape.moeEp))
  if (moe.latentSize !== undefined) addBytes(into, 'latent_proj_gemm', 2 * layers * hiddenSize * moe.latentSize * gemm)
  const split = model.family === 'deepseek-v32' ? shape.moeTp : shape.tp
  const sharedBytes = BYTES[model.quantization.sharedExpert ?? model.quantization.gemm]
  const forgotten = model.architecture.startsWith('Llama4')
  const matrix = forgotten ? 0 : (layers * hiddenSize * moe.sharedInterSize * sharedBytes) / split
  const oneUp = ungated || model.attentionOutputGate === true
  addBytes(into, 'shared_gate_up_gemm', oneUp ? matrix : 2 * matrix)
  addBytes(into, 'shared_ffn2_gemm', matrix)
}

/** Every attention, window and state layer is charged alike: 2 · layers · KV heads · head size. */
export function aicKvCurve(model: ModelSpec, tp: number, kvCacheDtype: KvFormat | undefined): KvCurve {
  const varied = model.layerGroups.some((group) => group.keyEqualsValue === true)
  if (isDeepSeekLike(model.family) || model.family === 'deepseek-v4' || varied)
    return kvCurve(model, tp, { kvCacheDtype })
  const element = kvElementBytes(kvCacheDtype ?? model.quantization.kv)
  const growing = 2 * model.layers * Math.ceil(model.kvHeads / tp) * model.headDim * element
  return { growingBytesPerToken: growing, windows: [], stateBytes: 0 }
}

/** Activations as ours, without the sampler; DeepSeek-like models add a dispatch buffer of the whole DP group. */
export function aicMemoryParts(input: KvEstimateInput, weightsBytes: number): MemoryParts {
  const { model, hardware, backend, shape, settings } = input
  const isSglang = backend === 'sglang'
  const tokens = settings.maxNumBatchedTokens
  const width = model.heads * model.headDim
  let activations = tokenActivationBytes(backend, tokens, width, shape.tp, model.moe !== null)
  if (isDeepSeekLike(model.family) && model.moe !== null) {
    const dispatched = (shape.attentionDp * model.moe.experts * model.moe.topk) / shape.moeEp / 128
    activations += tokens * (isSglang ? model.hiddenSize : width) * dispatched * 4
  }
  return {
    capacityBytes: hardware.gpu.memoryCapacityBytes,
    weightsBytes,
    activationsBytes: Math.floor(activations * (isSglang ? SGLANG_ACTIVATION_MARGIN : 1)),
    runtimeOverheadBytes: aicRuntimeOverhead(hardware, isSglang),
    commOverheadBytes: commBytes(hardware, shape.tp),
  }
}

function aicRuntimeOverhead(hardware: HardwareSpec, isSglang: boolean): number {
  return Math.floor(hardware.memory.runtimeOverheadBytes * (isSglang ? SGLANG_OVERHEAD : 1))
}

/** vLLM and SGLang take a fraction of the whole, TensorRT-LLM of what is free. */
export function aicKvBudgetBytes(input: KvEstimateInput, parts: MemoryParts): number {
  const fraction = input.settings.memoryFraction
  const used = nonKvBytes(parts)
  return input.backend === 'trtllm'
    ? fraction * (parts.capacityBytes - used)
    : Math.floor(fraction * parts.capacityBytes) - used
}
