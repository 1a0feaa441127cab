import type { HardwareSpec } from '@spica/schema'
import type { AttentionKernel } from '../operators/kernel.js'
import { attentionPeakFlops, KV_BYTES } from '../operators/serving-formats.js'
import { elementwiseMs } from './gpu-figures.js'
import { norm2, type Timer } from './timer.js'

/** Launch ms; fractions of peak and bandwidth; padding of the causal triangle; tiles below which the GPU is not full. */
export interface PrefillAttentionCoefficients {
  readonly t0: number
  readonly ec: number
  readonly em: number
  readonly s0: number
  readonly b0: number
}

/** Launch ms; ms per sequence and head; fractions of bandwidth and peak; KV splits below which the GPU is not full. */
export interface DecodeAttentionCoefficients {
  readonly t0: number
  readonly t1: number
  readonly ec: number
  readonly em: number
  readonly b0: number
}

/** Query-key pairs of a causal prompt of `length` tokens, at most `window` keys per query, over those of its first `prefix`. */
function causalPairs(length: number, window: number): number {
  if (window === 0 || length <= window) return 0.5 * length * length
  return window * length - 0.5 * window * window
}

/** Attention kernel of a prompt without the rotary and cache-write extras, the part that databases measure. */
export function prefillAttentionCore(
  c: PrefillAttentionCoefficients,
  kernel: AttentionKernel,
  hardware: HardwareSpec,
): Timer {
  const { heads, kvHeads, headDim, window } = kernel
  const perPair = (4 * heads * headDim * 1000) / (attentionPeakFlops(hardware, kernel.attentionFormat) * c.ec)
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond * c.em
  const perToken = (4 * heads * headDim * 1000) / bandwidth
  const perKey = (2 * KV_BYTES[kernel.kvFormat] * kvHeads * headDim * 1000) / bandwidth
  const halfPadding = 0.5 * c.s0
  const fill = c.b0 / heads
  const { t0 } = c
  return (batch, length, prefix) => {
    const fresh = length - prefix
    const pairs = causalPairs(length, window) - causalPairs(prefix, window) + halfPadding * fresh
    const tiles = batch * (fresh > 128 ? fresh / 128 : 1)
    return t0 + perPair * batch * pairs * (1 + fill / tiles) + batch * (perToken * fresh + perKey * length)
  }
}

/** Rotary embedding, optional query/key norms and the cache write around a prompt's attention, ms (they do not grow with the prompt). */
export function attentionExtrasMs(kernel: AttentionKernel, hardware: HardwareSpec): number {
  const query = kernel.heads * kernel.headDim
  const key = kernel.kvHeads * kernel.headDim
  const keyBytes = kernel.attentionFormat === 'fp8' ? 1 : 2
  const rotary = 2 * elementwiseMs(hardware, 2 * query + 2 * key)
  const write = 2 * elementwiseMs(hardware, key * keyBytes)
  const norms = kernel.qkNorm ? 4 * elementwiseMs(hardware, 2 * query) + 4 * elementwiseMs(hardware, 2 * key) : 0
  return 1.1 * (rotary + write + norms)
}

export function prefillAttentionTimer(
  c: PrefillAttentionCoefficients,
  kernel: AttentionKernel,
  hardware: HardwareSpec,
): Timer {
  const core = prefillAttentionCore(c, kernel, hardware)
  const extras = attentionExtrasMs(kernel, hardware)
  return (batch, length, prefix) => core(batch, length, prefix) + extras
}

export function decodeAttentionTimer(
  c: DecodeAttentionCoefficients,
  kernel: AttentionKernel,
  hardware: HardwareSpec,
): Timer {
  const { heads, kvHeads, headDim, window } = kernel
  const bandwidth = hardware.gpu.memoryBandwidthBytesPerSecond * c.em
  const perKey = (2 * kvHeads * headDim * KV_BYTES[kernel.kvFormat] * 1000) / bandwidth
  const perSequence = (4 * heads * headDim * 1000) / bandwidth
  const compute = (4 * heads * headDim * 1000) / (hardware.gpu.bf16Flops * c.ec)
  const fill = c.b0 / kvHeads
  const perHead = c.t1 * heads
  const { t0 } = c
  return (batch, length) => {
    const keys = window > 0 && length > window ? window : length
    const memory = perKey * (batch * keys + fill * Math.min(keys, 256)) + perSequence * batch
    return t0 + perHead * batch + norm2(memory, compute * batch * keys)
  }
}
