import type { Backend, HardwareSpec, KvFormat, ModelSpec, WeightFormat } from '@spica/schema'
import type { AttentionFormat, ExpertFormat } from './kernel.js'

/** Numeric formats that a backend really runs a model in on a GPU. */
export interface ServingFormats {
  readonly gemm: WeightFormat
  /** Format of attention projections inside fused MLA blocks. */
  readonly attentionGemm: WeightFormat
  readonly experts: ExpertFormat
  readonly kv: KvFormat
  readonly attention: AttentionFormat
}

/** Bytes per weight element, block scales of FP4 included. */
export const WEIGHT_BYTES: Readonly<Record<ExpertFormat, number>> = {
  bfloat16: 2,
  fp8: 1,
  fp8_block: 1,
  nvfp4: 0.5625,
  mxfp4: 0.5,
  w4a16_mxfp4: 0.5,
  w4a8_mxfp4_mxfp8: 0.5,
  w4afp8: 0.5,
  int4_wo: 0.5,
  int8_wo: 1,
}

export const KV_BYTES: Readonly<Record<KvFormat, number>> = { bfloat16: 2, fp8: 1, int8: 1 }

/** Dense matrix-product peak of a GPU for a weight format, FLOP/s. Falls back to BF16 where the GPU lacks the format. */
export function peakFlops(hardware: HardwareSpec, format: ExpertFormat): number {
  const { bf16Flops, fp8Flops, fp4Flops } = hardware.gpu
  switch (format) {
    case 'fp8':
    case 'fp8_block':
    case 'w4afp8':
    case 'w4a8_mxfp4_mxfp8':
      return fp8Flops ?? bf16Flops
    case 'nvfp4':
      return fp4Flops ?? bf16Flops
    default:
      return bf16Flops
  }
}

/** Peak of attention arithmetic, FLOP/s. */
export function attentionPeakFlops(hardware: HardwareSpec, format: AttentionFormat): number {
  return format === 'fp8' ? (hardware.gpu.fp8Flops ?? hardware.gpu.bf16Flops) : hardware.gpu.bf16Flops
}

/**
 * Formats of a model on a backend. vLLM and the sparse-attention models keep attention arithmetic in BF16; SGLang and
 * TensorRT-LLM use FP8 on an FP8 cache where the GPU has it. The KV cache follows the checkpoint unless `kvCacheDtype` says otherwise.
 */
export function servingFormats(
  model: ModelSpec,
  hardware: HardwareSpec,
  backend: Backend,
  kvCacheDtype?: KvFormat,
): ServingFormats {
  const kv = kvCacheDtype ?? model.quantization.kv
  const hasFp8 = hardware.gpu.fp8Flops !== null
  const attention = kv === 'fp8' && backend !== 'vllm' && model.indexer === null && hasFp8 ? 'fp8' : 'bfloat16'
  const moe = model.quantization.moe
  const experts: ExpertFormat =
    moe === 'mxfp4' ? (hardware.gpu.smVersion >= 100 && backend === 'trtllm' ? 'w4a8_mxfp4_mxfp8' : 'w4a16_mxfp4') : moe
  return {
    gemm: model.quantization.gemm,
    attentionGemm: /^Glm/.test(model.architecture) ? 'bfloat16' : model.quantization.attention,
    experts,
    kv,
    attention,
  }
}
