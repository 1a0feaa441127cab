import type { HardwareSpec } from '@spica/schema'
import type { MlaKernel } from '../operators/kernel.js'
import { attentionPeakFlops, KV_BYTES, peakFlops, WEIGHT_BYTES } from '../operators/serving-formats.js'
import { norm3, norm4, type Timer } from './timer.js'

/** Launch ms; fractions of peak for projections and attention, of bandwidth; padding of the causal triangle. */
export interface LatentPrefillCoefficients {
  readonly t0: number
  readonly eg: number
  readonly ea: number
  readonly em: number
  readonly s0: number
}

/** Launch ms; fractions of peak and of bandwidth for the projections (g) and the attention (a). */
export interface LatentDecodeCoefficients {
  readonly t0: number
  readonly eg: number
  readonly ew: number
  readonly ea: number
  readonly em: number
}

/** Projection weights of a latent-attention block on one rank, elements. */
export function latentWeights(kernel: MlaKernel, absorbed: boolean): number {
  const { hiddenSize, qLoraRank, kvLoraRank, nopeHeadDim, ropeHeadDim, vHeadDim, heads } = kernel
  const down = hiddenSize * (qLoraRank + kvLoraRank + ropeHeadDim)
  const query = qLoraRank * heads * (nopeHeadDim + ropeHeadDim)
  const expand = kvLoraRank * heads * (nopeHeadDim + vHeadDim)
  const output = heads * vHeadDim * hiddenSize
  return down + query + output + (absorbed ? 2 * expand : expand)
}

export function latentPrefillTimer(c: LatentPrefillCoefficients, kernel: MlaKernel, hardware: HardwareSpec): Timer {
  const weights = latentWeights(kernel, false)
  const pairWidth = kernel.nopeHeadDim + kernel.ropeHeadDim + kernel.vHeadDim
  const perToken = (2 * weights * 1000) / (peakFlops(hardware, kernel.gemmFormat) * c.eg)
  const load = (weights * WEIGHT_BYTES[kernel.gemmFormat] * 1000) / (hardware.gpu.memoryBandwidthBytesPerSecond * c.em)
  const perPair = (2 * kernel.heads * pairWidth * 1000) / (attentionPeakFlops(hardware, kernel.attentionFormat) * c.ea)
  const { t0, s0 } = c
  return (batch, length, prefix) => {
    const fresh = length - prefix
    const pairs = 0.5 * (length * length - prefix * prefix) + 0.5 * s0 * fresh
    return t0 + norm4(perToken * batch * fresh, load) + perPair * batch * pairs
  }
}

export function latentDecodeTimer(c: LatentDecodeCoefficients, kernel: MlaKernel, hardware: HardwareSpec): Timer {
  const weights = latentWeights(kernel, true)
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond
  const perToken = (2 * weights * 1000) / (peakFlops(hardware, kernel.gemmFormat) * c.eg)
  const load = (weights * WEIGHT_BYTES[kernel.gemmFormat] * 1000) / (bandwidth * c.ew)
  const width = 2 * kernel.kvLoraRank + kernel.ropeHeadDim
  const perKey = (2 * kernel.heads * width * 1000) / (hardware.gpu.bf16Flops * c.ea)
  const entry = (kernel.kvLoraRank + kernel.ropeHeadDim) * KV_BYTES[kernel.kvFormat]
  const perKeyMemory = (entry * 1000) / (bandwidth * c.em)
  const { t0 } = c
  return (batch, length) =>
    t0 + norm3(perToken * batch, load) + norm3(perKey * batch * length, perKeyMemory * length * (batch + 1))
}
