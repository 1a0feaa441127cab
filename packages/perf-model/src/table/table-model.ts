import { type PerfModel, SpicaError } from '@spica/schema'
import type { Kernel, LeafKernel, PassPlan, PlannedOperator } from '../operators/kernel.js'
import { isLengthFree } from '../operators/length-free.js'
import { type PassSubject, planPass } from '../operators/plan-pass.js'
import { type PhaseTimers, type TimedOperator, timersModel } from '../pass-timers.js'
import { elementwiseMs } from '../roofline/gpu-figures.js'
import { checkSubject } from '../subject-check.js'
import { bindAttention } from './bind-attention.js'
import { bindCollective } from './bind-communication.js'
import { bindExperts } from './bind-experts.js'
import { bindGemm, GemmSites } from './bind-gemm.js'
import { bindLatent } from './bind-latent.js'
import { bindSparseLatent } from './bind-sparse-latent.js'
import type { PerfDatabase } from './perf-database.js'
import { derivedKey, notMeasured, type TableContext, type TableTimer } from './table-timer.js'

export interface TableModelOptions extends PassSubject {
  /** `latest` (default) or a literal version of the backend's measurements. */
  readonly backendVersion?: string
  /**
   * `aic-0.11` reproduces the measured reference digit for digit, its donors and ragged edges included. Without it tables are
   * made monotone and continuous, a backend's own rows come before borrowed ones, and prefill always ends in logits.
   */
  readonly compat?: 'aic-0.11'
  /** Phases that will be asked for; default both. A missing table of another phase is no error then. */
  readonly phases?: readonly ('prefill' | 'decode')[]
  /** Tokens one pass may compute; see the roofline's option of the same name. */
  readonly maxNumBatchedTokens?: number
}

/**
 * A model over measured tables: exact hits, else interpolation, else the speed of light at the utilisation seen at the
 * boundary. Reads the tables it needs first.
 *
 * @throws SpicaError `perf-table-missing` naming the combination that was never measured.
 */
export async function createTableModel(database: PerfDatabase, options: TableModelOptions): Promise<PerfModel> {
  await loadTables(database, options)
  return createLoadedTableModel(database, options)
}

/** Reads every table that a subject needs, so that the database can be shared with worker threads. */
export async function loadTables(database: PerfDatabase, options: TableModelOptions): Promise<void> {
  checkSubject(options)
  const { hardware, backend } = options
  const version = database.resolveVersion(hardware.sku, backend, options.backendVersion)
  await database.load(hardware, backend, version, neededTables(planPass(options, options.compat !== undefined)))
}

/** As createTableModel, over tables that `loadTables` has read already. */
export function createLoadedTableModel(database: PerfDatabase, options: TableModelOptions): PerfModel {
  checkSubject(options)
  const { hardware, backend } = options
  const version = database.resolveVersion(hardware.sku, backend, options.backendVersion)
  const exact = options.compat !== undefined
  const context: TableContext = { database, hardware, backend, version, exact }
  const sitesOf = (format: string): GemmSites =>
    database.derived(derivedKey(context, 'gemm', format), () => new GemmSites(context, format))
  const plan = planPass(options, exact)
  const phases = options.phases ?? ['prefill', 'decode']
  const bind = (phase: 'prefill' | 'decode'): PhaseTimers => ({
    operators: phases.includes(phase)
      ? plan[phase].map((operator) => bindOperator(context, sitesOf, operator))
      : [unboundOperator(phase)],
    scale: null,
  })
  return timersModel('table', { prefill: bind('prefill'), decode: bind('decode') }, options.maxNumBatchedTokens)
}

/** Stands for a phase that the caller said it would not ask for. */
function unboundOperator(phase: 'prefill' | 'decode'): TimedOperator {
  const timer = (): number => {
    throw new SpicaError('internal', 'perf-phase-not-loaded', `this table model was made without its ${phase} phase`)
  }
  return { name: phase, count: 1, source: 'estimate', timer }
}

const TABLES: Readonly<Record<LeafKernel['kind'], readonly string[]>> = {
  gemm: ['gemm_perf'],
  elementwise: [],
  attention: ['context_attention_perf', 'generation_attention_perf'],
  mla: [
    'mla_context_module_perf',
    'mla_generation_module_perf',
    'context_mla_perf',
    'generation_mla_perf',
    'mla_bmm_perf',
    'context_attention_perf',
    'generation_attention_perf',
  ],
  'sparse-mla': ['dsa_context_module_perf', 'dsa_generation_module_perf'],
  experts: ['moe_perf'],
  'all-reduce': ['custom_allreduce_perf'],
  collective: ['nccl_perf'],
  recurrent: [],
}

function leaves(kernel: Kernel): readonly LeafKernel[] {
  if (kernel.kind === 'sequence') return kernel.parts
  if (kernel.kind === 'overlap') return [...kernel.first, ...kernel.second]
  return [kernel]
}

/** Tables that the operators of a plan are looked up in. */
export function neededTables(plan: PassPlan): ReadonlySet<string> {
  const kernels = [...plan.prefill, ...plan.decode].flatMap((operator) => leaves(operator.kernel))
  return new Set(kernels.flatMap((kernel) => TABLES[kernel.kind]))
}

function bindOperator(
  context: TableContext,
  sitesOf: (format: string) => GemmSites,
  operator: PlannedOperator,
): TimedOperator {
  const { name, count, kernel } = operator
  if (kernel.kind === 'overlap') {
    const first = sumTimers(kernel.first.map((leaf) => bindLeaf(context, sitesOf, leaf)))
    const second = sumTimers(kernel.second.map((leaf) => bindLeaf(context, sitesOf, leaf)))
    return {
      name,
      count,
      lengthFree: isLengthFree(kernel),
      source: 'measured',
      timer: (batch, length, prefix) =>
        Math.max(first.timer(batch, length, prefix), second.timer(batch, length, prefix)),
      sourceAt: (batch, length, prefix) =>
        first.timer(batch, length, prefix) >= second.timer(batch, length, prefix)
          ? first.sourceAt(batch, length, prefix)
          : second.sourceAt(batch, length, prefix),
    }
  }
  const bound = sumTimers(leaves(kernel).map((leaf) => bindLeaf(context, sitesOf, leaf)))
  return {
    name,
    count,
    lengthFree: isLengthFree(kernel),
    source: 'measured',
    timer: bound.timer,
    sourceAt: bound.sourceAt,
  }
}

function bindLeaf(context: TableContext, sitesOf: (format: string) => GemmSites, kernel: LeafKernel): TableTimer {
  switch (kernel.kind) {
    case 'gemm':
      return bindGemm(context, sitesOf(kernel.format), kernel)
    case 'elementwise': {
      const constant = elementwiseMs(context.hardware, 0)
      const perToken = elementwiseMs(context.hardware, kernel.bytesPerToken) - constant
      return {
        timer: (batch, length, prefix) => constant + perToken * batch * (length - prefix),
        sourceAt: () => 'roofline',
      }
    }
    case 'attention':
      return bindAttention(context, kernel)
    case 'mla':
      return bindLatent(context, () => sitesOf(kernel.gemmFormat), kernel)
    case 'sparse-mla':
      return bindSparseLatent(context, kernel)
    case 'experts':
      return bindExperts(context, kernel)
    case 'all-reduce':
    case 'collective':
      return bindCollective(context, kernel)
    case 'recurrent':
      throw notMeasured(context, 'mamba2_perf', { state_bytes: kernel.stateBytes })
  }
}

/** Sources from the most to the least certain. */
const CERTAINTY = ['measured', 'roofline', 'interpolated', 'extrapolated', 'estimate'] as const

function sumTimers(parts: readonly TableTimer[]): TableTimer {
  if (parts.length === 1) return parts[0]!
  const timers = parts.map((part) => part.timer)
  return {
    timer: (batch, length, prefix) => {
      let sum = 0
      for (let index = 0; index < timers.length; index++) sum += timers[index]!(batch, length, prefix)
      return sum
    },
    sourceAt: (batch, length, prefix) => {
      const ranks = parts.map((part) => (CERTAINTY as readonly string[]).indexOf(part.sourceAt(batch, length, prefix)))
      return CERTAINTY[Math.max(0, ...ranks)]!
    },
  }
}
