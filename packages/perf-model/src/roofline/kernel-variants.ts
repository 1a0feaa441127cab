import type {
  AttentionFormat,
  AttentionKernel,
  ExpertFormat,
  ExpertsKernel,
  MlaKernel,
  SparseMlaKernel,
} from '../operators/kernel.js'
import { nearMatch, type VariantChoice } from './coefficient-sets.js'

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

/** Choices one step apart, the first exact. */
export function inOrder(variants: readonly string[]): readonly VariantChoice[] {
  return [...new Set(variants)].map((variant, distance) => ({ variant, distance }))
}

export function gemmChoices(format: ExpertFormat): readonly VariantChoice[] {
  return inOrder(NEAREST_FORMATS[format])
}

/** The variant under which an attention kernel's set is kept. */
export function attentionVariant(kernel: AttentionKernel): string {
  const formats = kernel.phase === 'decode' ? kernel.kvFormat : `${kernel.attentionFormat}/${kernel.kvFormat}`
  return `${formats}/d${nearestHeadSize(kernel.headDim)}${kernel.window > 0 ? '/window' : ''}`
}

export function attentionChoices(kernel: AttentionKernel): readonly VariantChoice[] {
  const plain = { ...kernel, kvFormat: 'bfloat16', attentionFormat: 'bfloat16' } as const
  const kernels = [kernel, { ...kernel, attentionFormat: 'bfloat16' } as const, plain].flatMap((base) => [
    base,
    { ...base, window: 0 },
    { ...base, headDim: 128 },
    { ...base, headDim: 128, window: 0 },
  ])
  return inOrder(kernels.map(attentionVariant))
}

/** The variant under which a latent block's set is kept. */
export function latentVariant(kernel: MlaKernel): string {
  const formats = `${kernel.gemmFormat}/${kernel.kvFormat}`
  return kernel.phase === 'prefill' ? `${formats}/${kernel.attentionFormat}` : formats
}

export function latentPrefillChoices(kernel: MlaKernel): readonly VariantChoice[] {
  const formats = [`${kernel.gemmFormat}/${kernel.kvFormat}`, `${kernel.gemmFormat}/bfloat16`]
  const others = ['fp8_block/fp8', 'fp8_block/bfloat16', 'bfloat16/bfloat16']
  const arithmetic: readonly AttentionFormat[] = [kernel.attentionFormat, 'bfloat16']
  return inOrder([...formats, ...others].flatMap((format) => arithmetic.map((attention) => `${format}/${attention}`)))
}

export function latentDecodeChoices(kernel: MlaKernel): readonly VariantChoice[] {
  return inOrder([
    latentVariant(kernel),
    `${kernel.gemmFormat}/bfloat16`,
    'fp8_block/fp8',
    'fp8_block/bfloat16',
    'bfloat16/bfloat16',
  ])
}

/** Attention arithmetic that a latent prefill variant was measured in. */
export function measuredAttention(variant: string): AttentionFormat {
  return variant.endsWith('/fp8') ? 'fp8' : 'bfloat16'
}

/** The variant under which a sparse block's set is kept. */
export function sparseVariant(kernel: SparseMlaKernel): string {
  return `${kernel.gemmFormat}/${kernel.kvFormat}/${sparseFamily(kernel)}`
}

function sparseFamily(kernel: SparseMlaKernel): 'glm' | 'v32' {
  return /^Glm/.test(kernel.architecture) ? 'glm' : 'v32'
}

/** The model family's own measurements come before the other family's. */
export function sparseChoices(kernel: SparseMlaKernel): readonly VariantChoice[] {
  const formats = [`${kernel.gemmFormat}/${kernel.kvFormat}`, 'bfloat16/fp8', 'bfloat16/bfloat16']
  const families = sparseFamily(kernel) === 'glm' ? ['glm', 'v32'] : ['v32', 'glm']
  return inOrder(formats.flatMap((format) => families.map((family) => `${format}/${family}`)))
}

/**
 * Variants of an experts kernel for which sets are kept, the general one last: backends run different kernels with and without
 * expert parallelism, and pick tiles by the model's dimensions.
 */
export function expertVariants(kernel: ExpertsKernel): readonly [specific: string, general: string] {
  const general = generalVariant(kernel.format, kernel.skew, kernel.moeEp > 1)
  return [`${general}/${kernel.topk}x${kernel.experts}x${kernel.hiddenSize}x${kernel.interSize}`, general]
}

function generalVariant(format: ExpertFormat, skew: string, isExpertParallel: boolean): string {
  return `${format}/${skew}/${isExpertParallel ? 'ep' : 'tp'}`
}

export function expertChoices(kernel: ExpertsKernel): readonly VariantChoice[] {
  const other = kernel.skew === 'power_law_1.01' ? 'power_law_1.2' : 'power_law_1.01'
  const skews = kernel.skew === 'balanced' ? ['power_law_1.01', 'power_law_1.2'] : [kernel.skew, other]
  const isExpertParallel = kernel.moeEp > 1
  const general = NEAREST_FORMATS[kernel.format].flatMap((format) =>
    skews.flatMap((skew) => [isExpertParallel, !isExpertParallel].map((ep) => generalVariant(format, skew, ep))),
  )
  const [specific] = expertVariants(kernel)
  return [
    { variant: specific, distance: 0 },
    ...general.map((variant, index) => ({ variant, distance: index === 0 ? nearMatch : index })),
  ]
}
