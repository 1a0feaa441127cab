import type { Backend, HardwareSpec, OperatorSource } from '@spica/schema'
import type { LeafKernel, RecurrentKernel } from '../operators/kernel.js'
import { decodeAttentionTimer, prefillAttentionTimer } from './attention-timer.js'
import {
  type CoefficientFamilies,
  type CoefficientFamily,
  type CoefficientTable,
  chooseCoefficients,
  type VariantChoice,
} from './coefficient-sets.js'
import { collectiveTimer } from './collective-timer.js'
import { expertsTimer } from './experts-timer.js'
import { gemmTimer } from './gemm-timer.js'
import { elementwiseMs } from './gpu-figures.js'
import {
  attentionChoices,
  expertChoices,
  gemmChoices,
  inOrder,
  latentDecodeChoices,
  latentPrefillChoices,
  measuredAttention,
  sparseChoices,
} from './kernel-variants.js'
import { latentDecodeTimer, latentPrefillTimer } from './latent-timer.js'
import { priorCoefficients } from './prior-coefficients.js'
import { sparseLatentDecodeTimer, sparseLatentPrefillTimer } from './sparse-latent-timer.js'
import type { Timer } from './timer.js'

/** A kernel's time as a function of the pass, and where its coefficients come from. */
export interface SourcedTimer {
  readonly timer: Timer
  readonly source: OperatorSource
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
    choices: readonly VariantChoice[],
    make: (coefficients: CoefficientFamilies[F], variant: string) => Timer,
  ): SourcedTimer => {
    const chosen = chooseCoefficients(table, family, hardware, backend, choices)
    if (chosen === null) return { timer: make(priorCoefficients(family, hardware), ''), source: 'estimate' }
    return { timer: make(chosen.coefficients, chosen.variant), source: chosen.measured ? 'roofline' : 'estimate' }
  }
  switch (kernel.kind) {
    case 'gemm':
      return build('gemm', gemmChoices(kernel.format), (c) => gemmTimer(c, kernel, hardware))
    case 'elementwise': {
      const constant = elementwiseMs(hardware, 0)
      const perToken = elementwiseMs(hardware, kernel.bytesPerToken) - constant
      return { timer: (batch, length, prefix) => constant + perToken * batch * (length - prefix), source: 'roofline' }
    }
    case 'attention':
      if (kernel.phase === 'prefill') {
        return build('prefill-attention', attentionChoices(kernel), (c) => prefillAttentionTimer(c, kernel, hardware))
      }
      return build('decode-attention', attentionChoices(kernel), (c) => decodeAttentionTimer(c, kernel, hardware))
    case 'mla':
      if (kernel.phase === 'prefill') {
        return build('mla-prefill', latentPrefillChoices(kernel), (c, variant) =>
          latentPrefillTimer(c, { ...kernel, attentionFormat: measuredAttention(variant) }, hardware),
        )
      }
      return build('mla-decode', latentDecodeChoices(kernel), (c) => latentDecodeTimer(c, kernel, hardware))
    case 'sparse-mla':
      return kernel.phase === 'prefill'
        ? build('sparse-prefill', sparseChoices(kernel), (c) => sparseLatentPrefillTimer(c, kernel, hardware))
        : build('sparse-decode', sparseChoices(kernel), (c) => sparseLatentDecodeTimer(c, kernel, hardware))
    case 'experts':
      return build('experts', expertChoices(kernel), (c) => expertsTimer(c, kernel, hardware))
    case 'all-reduce':
      return build('all-reduce', inOrder(['bfloat16']), (c) => collectiveTimer(c, kernel, hardware))
    case 'collective':
      return build('nccl', inOrder([kernel.collective]), (c) => collectiveTimer(c, kernel, hardware))
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
