import type { Backend, HardwareSpec, OperatorSource } from '@spica/schema'
import type {
  AttentionKernel,
  ExpertFormat,
  LeafKernel,
  RecurrentKernel,
  SparseMlaKernel,
} from '../operators/kernel.js'
import { decodeAttentionTimer, prefillAttentionTimer } from './attention-timer.js'
import {
  type CoefficientFamilies,
  type CoefficientFamily,
  type CoefficientTable,
  chooseCoefficients,
} from './coefficient-sets.js'
import { collectiveTimer } from './collective-timer.js'
import { expertsTimer } from './experts-timer.js'
import { gemmTimer } from './gemm-timer.js'
import { elementwiseMs } from './gpu-figures.js'
import { latentDecodeTimer, latentPrefillTimer } from './latent-timer.js'
import { priorCoefficients } from './prior-coefficients.js'
import { sparseLatentDecodeTimer, sparseLatentPrefillTimer } from './sparse-latent-timer.js'
import type { Timer } from './timer.js'

/** A kernel's time as a function of the pass, and where its coefficients come from. */
export interface SourcedTimer {
  readonly timer: Timer
  readonly source: OperatorSource
}

/** Formats to try for a kernel, nearest first, when its own was never measured. */
const NEAREST_FORMATS: Readonly<Record<ExpertFormat, readonly ExpertFormat[]>> = {
  bfloat16: ['bfloat16'],
  fp8: ['fp8', 'fp8_block', 'bfloat16'],
  fp8_block: ['fp8_block', 'fp8', 'bfloat16'],
  nvfp4: ['nvfp4', 'fp8', 'fp8_block', 'bfloat16'],
  mxfp4: ['w4a16_mxfp4', 'int4_wo', 'bfloat16'],
  w4a16_mxfp4: ['w4a16_mxfp4', 'int4_wo', 'w4a8_mxfp4_mxfp8', 'bfloat16'],
  w4a8_mxfp4_mxfp8: ['w4a8_mxfp4_mxfp8', 'w4a16_mxfp4', 'nvfp4', 'bfloat16'],
  w4afp8: ['w4afp8', 'fp8_block', 'fp8', 'bfloat16'],
  int4_wo: ['int4_wo', 'w4a16_mxfp4', 'bfloat16'],
  int8_wo: ['int8_wo', 'bfloat16'],
}

/** Head sizes with measurements of their own; others use the nearest. */
const HEAD_SIZES = [64, 128, 256] as const

/** The measured head size nearest to a kernel's, by ratio. */
export function nearestHeadSize(headDim: number): number {
  return HEAD_SIZES.reduce<number>(
    (best, size) => (Math.abs(Math.log(size / headDim)) < Math.abs(Math.log(best / headDim)) ? size : best),
    128,
  )
}

function attentionVariants(kernel: AttentionKernel): readonly string[] {
  const formats =
    kernel.phase === 'decode'
      ? [kernel.kvFormat]
      : [`${kernel.attentionFormat}/${kernel.kvFormat}`, 'bfloat16/bfloat16']
  const fallback = kernel.phase === 'decode' ? ['bfloat16'] : []
  const window = kernel.window > 0 ? ['/window', ''] : ['']
  const heads = [nearestHeadSize(kernel.headDim), 128]
  const variants: string[] = []
  for (const format of [...formats, ...fallback]) {
    for (const head of heads) for (const suffix of window) variants.push(`${format}/d${head}${suffix}`)
  }
  return [...new Set(variants)]
}

/** Formats of a sparse block, the model family's own measurements before the other family's. */
function sparseVariants(kernel: SparseMlaKernel): readonly string[] {
  const formats = [`${kernel.gemmFormat}/${kernel.kvFormat}`, 'bfloat16/fp8', 'bfloat16/bfloat16']
  const families = /^Glm/.test(kernel.architecture) ? ['glm', 'v32'] : ['v32', 'glm']
  return formats.flatMap((format) => families.map((family) => `${format}/${family}`))
}

/** The roofline's timer of a kernel on a GPU under a backend. */
export function kernelTimer(
  table: CoefficientTable,
  kernel: LeafKernel,
  hardware: HardwareSpec,
  backend: Backend,
): SourcedTimer {
  const build = <F extends CoefficientFamily>(
    family: F,
    variants: readonly string[],
    make: (coefficients: CoefficientFamilies[F]) => Timer,
  ): SourcedTimer => {
    const chosen = chooseCoefficients(table, family, hardware, backend, variants)
    if (chosen === null) return { timer: make(priorCoefficients(family, hardware)), source: 'estimate' }
    return { timer: make(chosen.coefficients), source: chosen.measured ? 'roofline' : 'estimate' }
  }
  switch (kernel.kind) {
    case 'gemm':
      return build('gemm', NEAREST_FORMATS[kernel.format], (c) => gemmTimer(c, kernel, hardware))
    case 'elementwise': {
      const constant = elementwiseMs(hardware, 0)
      const perToken = elementwiseMs(hardware, kernel.bytesPerToken) - constant
      return { timer: (batch, length, prefix) => constant + perToken * batch * (length - prefix), source: 'roofline' }
    }
    case 'attention':
      if (kernel.phase === 'prefill') {
        return build('prefill-attention', attentionVariants(kernel), (c) => prefillAttentionTimer(c, kernel, hardware))
      }
      return build('decode-attention', attentionVariants(kernel), (c) => decodeAttentionTimer(c, kernel, hardware))
    case 'mla': {
      const variants = [`${kernel.gemmFormat}/${kernel.kvFormat}`, 'fp8_block/fp8', 'bfloat16/bfloat16']
      return kernel.phase === 'prefill'
        ? build('mla-prefill', variants, (c) => latentPrefillTimer(c, kernel, hardware))
        : build('mla-decode', variants, (c) => latentDecodeTimer(c, kernel, hardware))
    }
    case 'sparse-mla': {
      const variants = sparseVariants(kernel)
      return kernel.phase === 'prefill'
        ? build('sparse-prefill', variants, (c) => sparseLatentPrefillTimer(c, kernel, hardware))
        : build('sparse-decode', variants, (c) => sparseLatentDecodeTimer(c, kernel, hardware))
    }
    case 'experts': {
      const skews =
        kernel.skew === 'power_law_1.01' ? [kernel.skew, 'power_law_1.2'] : ['power_law_1.2', 'power_law_1.01']
      const variants = NEAREST_FORMATS[kernel.format].flatMap((format) => skews.map((skew) => `${format}/${skew}`))
      return build('experts', variants, (c) => expertsTimer(c, kernel, hardware))
    }
    case 'all-reduce':
      return build('all-reduce', ['bfloat16'], (c) => collectiveTimer(c, kernel, hardware))
    case 'collective':
      return build('nccl', [kernel.collective], (c) => collectiveTimer(c, kernel, hardware))
    case 'recurrent':
      return { timer: recurrentTimer(kernel, hardware), source: 'estimate' }
  }
}

/** Scan of a recurrent layer: its state in and out once per sequence, its inputs once per token, at elementwise speed. */
function recurrentTimer(kernel: RecurrentKernel, hardware: HardwareSpec): Timer {
  const constant = elementwiseMs(hardware, 0)
  const perSequence = elementwiseMs(hardware, kernel.stateBytes) - constant
  const passes = kernel.phase === 'prefill' ? 8 : 4
  const perToken = elementwiseMs(hardware, passes * kernel.elementsPerToken) - constant
  return (batch, length, prefix) => 2 * constant + perSequence * batch + perToken * batch * (length - prefix)
}
