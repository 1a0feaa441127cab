import type { OperatorSource, PerfModel } from '@spica/schema'
import { ROOFLINE_COEFFICIENTS } from '../data/roofline-coefficients.js'
import type { Kernel, LeafKernel, PlannedOperator } from '../operators/kernel.js'
import { isLengthFree } from '../operators/length-free.js'
import { type PassSubject, planPass } from '../operators/plan-pass.js'
import { type PassTimers, type PhaseTimers, timersModel } from '../pass-timers.js'
import type { PerfPoint } from '../points/perf-point.js'
import { rescaleTimers } from '../points/rescale-timers.js'
import { checkSubject } from '../subject-check.js'
import type { CoefficientTable } from './coefficient-sets.js'
import { kernelTimer, type SourcedTimer } from './kernel-timers.js'

export interface RooflineModelOptions extends PassSubject {
  /**
   * Tokens one pass may compute. When given, a prompt with more new tokens is timed as the sum of its chunks; by default a
   * pass is one pass, whatever its size.
   */
  readonly maxNumBatchedTokens?: number
  /** The user's own measurements for this model and GPU; they rescale the efficiency of each phase. */
  readonly points?: readonly PerfPoint[]
  /** Coefficients to use instead of the built-in fit. */
  readonly coefficients?: CoefficientTable
}

/**
 * The embedded default: every operator is the smooth maximum of its compute and memory time, at efficiencies fitted per GPU,
 * backend and format to measured operator tables. Never above the peak, monotone in batch, tokens and context. What was
 * never measured borrows the nearest coefficients and says `estimate`.
 *
 * @throws SpicaError `invalid-shape` or `invalid-perf-option` for impossible subjects.
 */
export function createRooflineModel(options: RooflineModelOptions): PerfModel {
  checkSubject(options)
  const table = options.coefficients ?? ROOFLINE_COEFFICIENTS
  const plan = planPass(options)
  const bind = (operators: readonly PlannedOperator[]): PhaseTimers => ({
    operators: operators.map((operator) => ({
      name: operator.name,
      count: operator.count,
      lengthFree: isLengthFree(operator.kernel),
      ...operatorTimer(operator.kernel, (leaf) => kernelTimer(table, leaf, options.hardware, options.backend)),
    })),
    scale: null,
  })
  let timers: PassTimers = { prefill: bind(plan.prefill), decode: bind(plan.decode) }
  if (options.points !== undefined && options.points.length > 0) timers = rescaleTimers(timers, options.points)
  return timersModel('roofline', timers, options.maxNumBatchedTokens)
}

/** Timer of an operator made of leaf kernels, with the weakest source among them. */
function operatorTimer(kernel: Kernel, leaf: (kernel: LeafKernel) => SourcedTimer): SourcedTimer {
  if (kernel.kind === 'sequence') return sumTimers(kernel.parts.map(leaf))
  if (kernel.kind === 'overlap') {
    const first = sumTimers(kernel.first.map(leaf))
    const second = sumTimers(kernel.second.map(leaf))
    return {
      timer: (batch, length, prefix) =>
        Math.max(first.timer(batch, length, prefix), second.timer(batch, length, prefix)),
      source: first.source === 'estimate' || second.source === 'estimate' ? 'estimate' : 'roofline',
    }
  }
  return leaf(kernel)
}

function sumTimers(parts: readonly SourcedTimer[]): SourcedTimer {
  const timers = parts.map((part) => part.timer)
  const source: OperatorSource = parts.some((part) => part.source === 'estimate') ? 'estimate' : 'roofline'
  return {
    timer: (batch, length, prefix) => {
      let sum = 0
      for (let index = 0; index < timers.length; index++) sum += timers[index]!(batch, length, prefix)
      return sum
    },
    source,
  }
}
