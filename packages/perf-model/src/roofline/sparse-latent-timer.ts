import type { HardwareSpec } from '@spica/schema'
import type { SparseMlaKernel } from '../operators/kernel.js'
import { KV_BYTES, WEIGHT_BYTES } from '../operators/serving-formats.js'
import { norm2, norm3, type Timer } from './timer.js'

/**
 * Floor and per-token ms; fractions of peak for projections (g), indexer (i), sparse (a) and dense (d) attention;
 * `tf` ms per token and unit of length over top-k past the knee.
 */
export interface SparseLatentPrefillCoefficients {
  readonly t0: number
  readonly ts: number
  readonly eg: number
  readonly ei: number
  readonly ea: number
  readonly ed: number
  readonly tf: number
}

/** Launch ms, ms per sequence (tb) and per key (ts); fractions of peak and bandwidth of each part. */
export interface SparseLatentDecodeCoefficients {
  readonly t0: number
  readonly tb: number
  readonly ts: number
  readonly eg: number
  readonly ei: number
  readonly ea: number
  readonly em: number
}

/** Projection weights on one rank, elements: latent projections, absorbed expansions and the indexer's own. */
export function sparseLatentWeights(kernel: SparseMlaKernel): number {
  const { hiddenSize, qLoraRank, kvLoraRank, nopeHeadDim, ropeHeadDim, vHeadDim, heads } = kernel
  const down = hiddenSize * (qLoraRank + kvLoraRank + ropeHeadDim + kernel.indexHeadDim)
  const query = qLoraRank * heads * (nopeHeadDim + ropeHeadDim)
  const indexer = qLoraRank * kernel.indexHeads * kernel.indexHeadDim + hiddenSize * kernel.indexHeads
  const expand = kvLoraRank * heads * (nopeHeadDim + vHeadDim)
  return down + query + indexer + expand + heads * vHeadDim * hiddenSize
}

/** Share of top-k over which the indexer and the sparse kernel take over, so that times have no step there. */
const KNEE = 0.25

/** Query-key pairs of a prompt when every query reads at most `topk` keys. */
function cappedPairs(length: number, topk: number): number {
  if (length <= topk) return 0.5 * length * length
  return topk * length - 0.5 * topk * topk
}

export function sparseLatentPrefillTimer(
  c: SparseLatentPrefillCoefficients,
  kernel: SparseMlaKernel,
  hardware: HardwareSpec,
): Timer {
  const { topk, heads } = kernel
  const peak = hardware.gpu.bf16Flops
  const indexerPeak = hardware.gpu.fp8Flops ?? peak
  const perToken = (2 * sparseLatentWeights(kernel) * 1000) / (peak * c.eg) + c.ts
  const perIndexPair = (2 * kernel.indexHeads * kernel.indexHeadDim * 1000) / (indexerPeak * c.ei)
  const flopsPerPair = 2 * heads * (2 * kernel.kvLoraRank + kernel.ropeHeadDim) * 1000
  const perSparsePair = (flopsPerPair * (Math.max(heads, 64) / heads)) / (peak * c.ea)
  const perDensePair = Math.min(flopsPerPair / (peak * c.ed), perSparsePair)
  const { t0, tf } = c
  const perOver = perIndexPair + tf / topk
  return (batch, length, prefix) => {
    const tokens = batch * (length - prefix)
    const pairs = batch * (cappedPairs(length, topk) - cappedPairs(prefix, topk))
    const sparse = Math.min(1, Math.max(0, (length - topk) / (KNEE * topk)))
    const perPair = perDensePair + (perSparsePair - perDensePair) * sparse
    return norm2(t0, perToken * tokens + sparse * perOver * tokens * length + perPair * pairs)
  }
}

export function sparseLatentDecodeTimer(
  c: SparseLatentDecodeCoefficients,
  kernel: SparseMlaKernel,
  hardware: HardwareSpec,
): Timer {
  const { topk, heads } = kernel
  const peak = hardware.gpu.bf16Flops
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond * c.em
  const weights = sparseLatentWeights(kernel)
  const perSequence = (2 * weights * 1000) / (peak * c.eg)
  const load = (weights * WEIGHT_BYTES[kernel.gemmFormat] * 1000) / bandwidth
  const perIndexKey = (2 * kernel.indexHeads * kernel.indexHeadDim * 1000) / ((hardware.gpu.fp8Flops ?? peak) * c.ei)
  const indexEntry = ((kernel.indexHeadDim * 33) / 32) * (1000 / bandwidth)
  const width = 2 * kernel.kvLoraRank + kernel.ropeHeadDim
  const perKey = (2 * heads * width * (Math.max(heads, 64) / heads) * 1000) / (peak * c.ea)
  const entry = ((kernel.kvLoraRank + kernel.ropeHeadDim) * KV_BYTES[kernel.kvFormat] * 1000) / bandwidth
  const { t0, tb, ts } = c
  return (batch, length) => {
    const read = Math.min(length, topk)
    return (
      t0 +
      tb * batch +
      ts * batch * length +
      norm3(perSequence * batch, load) +
      norm3(perIndexKey * batch * length, indexEntry * batch * length) +
      norm3(perKey * batch * read, entry * batch * read)
    )
  }
}
