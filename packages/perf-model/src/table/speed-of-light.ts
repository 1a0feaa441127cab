import type { HardwareSpec } from '@spica/schema'
import type { AttentionKernel, ExpertsKernel, GemmKernel, SparseMlaKernel } from '../operators/kernel.js'
import { attentionPeakFlops, KV_BYTES, peakFlops, WEIGHT_BYTES } from '../operators/serving-formats.js'

/** Larger of compute and memory time, ms. */
function bound(flops: number, peak: number, bytes: number, bandwidth: number): number {
  return Math.max(flops / peak, bytes / bandwidth) * 1000
}

export function gemmSpeedOfLight(kernel: GemmKernel, hardware: HardwareSpec, m: number): number {
  const { n, k, format } = kernel
  const bytes = WEIGHT_BYTES[format] * (m * n + m * k + n * k)
  return bound(2 * m * n * k, peakFlops(hardware, format), bytes, hardware.gpu.memoryBandwidthBytesPerSecond)
}

/** A whole prompt of `length` tokens; its causal triangle counts half. */
export function prefillAttentionSpeedOfLight(
  kernel: AttentionKernel,
  hardware: HardwareSpec,
  heads: number,
  kvHeads: number,
  batch: number,
  length: number,
): number {
  const { headDim, window, kvFormat } = kernel
  const pairs = window > 0 && length > window ? length * window : (length * length) / 2
  const bytes = batch * headDim * length * (4 * heads + 2 * KV_BYTES[kvFormat] * kvHeads)
  const peak = attentionPeakFlops(hardware, kernel.attentionFormat)
  return bound(4 * batch * heads * headDim * pairs, peak, bytes, hardware.gpu.memoryBandwidthBytesPerSecond)
}

export function decodeAttentionSpeedOfLight(
  kernel: AttentionKernel,
  hardware: HardwareSpec,
  heads: number,
  kvHeads: number,
  batch: number,
  length: number,
): number {
  const { headDim, window, kvFormat } = kernel
  const keys = window > 0 ? Math.min(length - 1, window) : length - 1
  const bytes = batch * headDim * (4 * heads + 2 * kvHeads * keys * KV_BYTES[kvFormat])
  const peak = decodePeak(hardware, kvFormat)
  return bound(4 * batch * heads * headDim * keys, peak, bytes, hardware.gpu.memoryBandwidthBytesPerSecond)
}

function decodePeak(hardware: HardwareSpec, kvFormat: AttentionKernel['kvFormat']): number {
  return attentionPeakFlops(hardware, kvFormat === 'fp8' && hardware.gpu.smVersion >= 90 ? 'fp8' : 'bfloat16')
}

export function expertsSpeedOfLight(kernel: ExpertsKernel, hardware: HardwareSpec, tokens: number): number {
  const { hiddenSize, interSize, topk, experts, moeTp, moeEp, format } = kernel
  const matrices = kernel.gated ? 3 : 2
  const rows = Math.floor((tokens * topk) / moeEp)
  const elements =
    rows * hiddenSize * 2 +
    Math.floor((rows * interSize * matrices) / moeTp) +
    Math.floor((hiddenSize * interSize * matrices) / moeTp) * Math.min(Math.floor(experts / moeEp), rows)
  const flops = (tokens * topk * hiddenSize * interSize * matrices * 2) / moeEp / moeTp
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond
  return bound(flops, peakFlops(hardware, format), elements * WEIGHT_BYTES[format], bandwidth)
}

/** Latent attention of a whole prompt, DeepSeek's head sizes. */
export function latentPrefillSpeedOfLight(
  hardware: HardwareSpec,
  attentionFormat: AttentionKernel['attentionFormat'],
  kvFormat: AttentionKernel['kvFormat'],
  heads: number,
  batch: number,
  length: number,
): number {
  const bytes = batch * heads * 320 * length * (KV_BYTES[kvFormat] + 2)
  const flops = batch * heads * 320 * length * length
  return bound(flops, attentionPeakFlops(hardware, attentionFormat), bytes, hardware.gpu.memoryBandwidthBytesPerSecond)
}

/** One latent-attention token per sequence; `gemmFormat` adds the two absorbed batched products of a module. */
export function latentDecodeSpeedOfLight(
  hardware: HardwareSpec,
  kvFormat: AttentionKernel['kvFormat'],
  gemmFormat: GemmKernel['format'] | null,
  heads: number,
  batch: number,
  length: number,
): number {
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond
  let compute = (2 * batch * heads * 1088 * length) / decodePeak(hardware, kvFormat)
  let memory = (batch * (heads * 2176 + (length - 1) * 576 * KV_BYTES[kvFormat])) / bandwidth
  if (gemmFormat !== null) {
    compute += (4 * batch * heads * 128 * 512) / peakFlops(hardware, gemmFormat)
    memory += (2 * heads * (batch * 640 + 128 * 512) * WEIGHT_BYTES[gemmFormat]) / bandwidth
  }
  return Math.max(compute, memory) * 1000
}

/** One absorbed batched product of latent attention over `tokens`. */
export function latentBmmSpeedOfLight(
  hardware: HardwareSpec,
  format: 'bfloat16' | 'fp8',
  heads: number,
  tokens: number,
): number {
  const bytes = heads * (tokens * 640 + 128 * 512) * WEIGHT_BYTES[format]
  const flops = 2 * tokens * heads * 128 * 512
  return bound(flops, peakFlops(hardware, format), bytes, hardware.gpu.memoryBandwidthBytesPerSecond)
}

/** Sparse latent-attention block: projections, FP8 indexer past top-k, and attention over at most top-k keys per query. */
export function sparseLatentSpeedOfLight(
  kernel: SparseMlaKernel,
  hardware: HardwareSpec,
  heads: number,
  batch: number,
  fresh: number,
  prefix: number,
): number {
  const { hiddenSize, qLoraRank, kvLoraRank, nopeHeadDim, ropeHeadDim, vHeadDim, indexHeads, indexHeadDim, topk } =
    kernel
  const decode = kernel.phase === 'decode'
  const length = fresh + prefix
  const tokens = batch * fresh
  const queryDim = nopeHeadDim + ropeHeadDim
  const down = hiddenSize * (qLoraRank + kvLoraRank + ropeHeadDim + indexHeadDim)
  const up = qLoraRank * heads * queryDim + qLoraRank * indexHeads * indexHeadDim + hiddenSize * indexHeads
  const weights = down + up + heads * vHeadDim * hiddenSize
  const projection = 2 * tokens * (weights + heads * kvLoraRank * (nopeHeadDim + vHeadDim))
  const indexed = decode || length > topk
  const indexer = indexed ? 2 * tokens * indexHeads * indexHeadDim * length : 0
  const pairs = decode ? tokens * Math.min(length, topk) : batch * sparsePairs(length, prefix, topk)
  const attention = 2 * heads * (2 * kvLoraRank + ropeHeadDim) * pairs
  const entry = (kvLoraRank + ropeHeadDim) * KV_BYTES[kernel.kvFormat]
  const read = Math.min(length, topk)
  const indexBytes = indexed ? batch * length * (indexHeadDim + Math.ceil(indexHeadDim / 128) * 4) : 0
  const bytes =
    weights * WEIGHT_BYTES[kernel.gemmFormat] +
    batch * (decode ? 1 : heads) * read * entry +
    indexBytes +
    (decode ? 0 : tokens * heads * queryDim * (kernel.attentionFormat === 'fp8' ? 1 : 2) * 2)
  const { bf16Flops, fp8Flops, memoryBandwidthBytesPerSecond } = hardware.gpu
  const attentionPeak = decode ? bf16Flops : attentionPeakFlops(hardware, kernel.attentionFormat)
  const compute =
    projection / peakFlops(hardware, kernel.gemmFormat) + indexer / (fp8Flops ?? bf16Flops) + attention / attentionPeak
  return Math.max(compute, bytes / memoryBandwidthBytesPerSecond) * 1000
}

/** Keys read by all fresh queries of one sequence: the i-th reads min(prefix + i, topk). */
function sparsePairs(length: number, prefix: number, topk: number): number {
  const triangle = (n: number): number => (n * (n + 1)) / 2
  if (length <= topk) return triangle(length) - triangle(prefix)
  if (prefix >= topk) return (length - prefix) * topk
  return triangle(topk) - triangle(prefix) + (length - topk) * topk
}
