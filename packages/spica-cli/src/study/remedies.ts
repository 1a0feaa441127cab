import { listHardware } from '@spica/catalog'
import { NO_VIABLE_PARALLEL_CONFIG } from '@spica/parallel-enum'
import { type Compat, type HardwareSpec, type ModelSpec, type SpicaConfig, SpicaError } from '@spica/schema'
import { backendGap, type PerfInputs } from '../inputs/perf-inputs.js'
import { type FitSubject, findFit, type ShapeQuestion } from './deployment-fit.js'
import { changesText, fitText, type SingleChange, singleChanges } from './single-change.js'
import { summariseReasons } from './tally.js'
import type { TrialRecord } from './trial-record.js'

/** What was read of a config's model, GPU and performance data. */
export interface RemedyInputs {
  readonly model: ModelSpec
  readonly hardware: HardwareSpec
  readonly perf: PerfInputs
}

/** Reasons of trials that more room would cure. */
const ROOM_CODES: ReadonlySet<string> = new Set([
  'kv-does-not-fit',
  'no-kv-budget',
  'less-than-one-token',
  'no-kv-block',
  'kv-capacity-too-small',
  'over-gpu-budget',
])

/** The single changes that make something fit: any deployment of the config, or the shape in question. */
export function remediesFor(
  config: SpicaConfig,
  inputs: RemedyInputs,
  compat: readonly Compat[],
  question?: ShapeQuestion,
): SingleChange[] {
  return singleChanges(subjectOf(config, inputs, compat), {
    otherHardware: listHardware(),
    usesTables: inputs.perf.database !== null,
    ...(question === undefined ? {} : { question }),
  })
}

/** The error that nothing is viable, with the single changes that help as its hint; any other error as it is. */
export function withRemedies(
  error: unknown,
  config: SpicaConfig,
  inputs: RemedyInputs,
  compat: readonly Compat[],
): unknown {
  if (!(error instanceof SpicaError) || error.code !== NO_VIABLE_PARALLEL_CONFIG) return error
  const changes = remediesFor(config, inputs, compat)
  const hint = changes.length > 0 ? changesText(changes) : NO_REMEDY
  return new SpicaError(error.kind, error.code, error.message, {
    hint,
    ...(error.location === undefined ? {} : { location: error.location }),
    details: { ...error.details, singleChanges: changes },
    cause: error,
  })
}

/** Said when no change alone is enough. */
export const NO_REMEDY: string =
  'no single change of context, budget, memory fraction, batching, backend or GPU is enough; change several, or take a smaller or quantised model'

/** What to do when no trial of a finished sweep was feasible, in plain words. */
export function nothingFeasibleText(
  trials: readonly TrialRecord[],
  config: SpicaConfig,
  inputs: RemedyInputs,
  compat: readonly Compat[],
): string {
  const own = trials.filter(({ status, reason }) => status !== 'cache-hit' && reason !== null)
  const { shown } = summariseReasons(own, 1)
  const first =
    shown[0] === undefined ? '' : `most often: ${shown[0].message} (${shown[0].count} of ${own.length} trials)\n`
  if (own.every(({ status }) => status === 'timed-out'))
    return `${first}with more than sweep.max_eval_seconds: ${config.sweep.max_eval_seconds}, or a smaller workload, they may finish`
  if (own.every(({ reason }) => reason?.code === 'perf-table-missing'))
    return `${first}with perf.model: roofline (--perf-model roofline) no measured tables are needed`
  if (!own.some(({ reason }) => ROOM_CODES.has(reason?.code ?? '')))
    return `${first}no change of context, budget, memory or backend cures that`
  const changes = remediesFor(config, inputs, compat)
  if (changes.length > 0) return first + changesText(changes)
  const fit = findFit(subjectOf(config, inputs, compat))
  if (fit === null) return first + NO_REMEDY
  return `${first}yet ${fitText(fit)} holds a request: raise sweep.max_rounds, list smaller batching limits, or list that shape under parallel_configs`
}

function subjectOf(config: SpicaConfig, inputs: RemedyInputs, compat: readonly Compat[]): FitSubject {
  const { isl, osl } = config.workload
  return {
    space: config.search_space,
    model: inputs.model,
    hardware: inputs.hardware,
    compat,
    requestTokens: isl === null || osl === null ? null : isl + osl,
    isTimed: (hardware, backend) => backendGap(inputs.perf, hardware, backend, compat) === null,
  }
}
