import { SpicaError } from '@spica/schema'
import type { TraceBytes } from './trace/byte-lines.js'
import { diagnoseRows } from './trace/diagnose-rows.js'
import { linkDependencies } from './trace/link-dependencies.js'
import { linkGrowingPrompts, linkPrompts } from './trace/link-prompts.js'
import { linkSessions, type TimingOptions } from './trace/link-sessions.js'
import { readTrace, type TraceFile } from './trace/read-trace.js'
import type { ReadOptions, TraceFormat } from './trace/trace-format.js'
import { SpicaTraceError, type TraceProblem } from './trace/trace-problem.js'
import type { Workload } from './workload.js'
import { type WorkloadStatistics, workloadStatistics } from './workload-statistics.js'

/** Beyond this many hash ids, loading skips the checks that need memory for each distinct one. */
const DIAGNOSED_HASHES = 1 << 22

export interface LoadTraceOptions extends ReadOptions {
  /** Divides arrivals and delays (open loop only); default 1. */
  readonly arrivalSpeedupRatio?: number
  /** Closed loop needs no timestamps and ignores the speed-up; default false. */
  readonly closedLoop?: boolean
  /** Accept a trace without any timestamp, all arrivals at 0; default false. */
  readonly allowNoTimestamps?: boolean
  /** File name for messages. */
  readonly file?: string
}

export interface LoadedTrace {
  readonly workload: Workload
  readonly format: TraceFormat | 'csv'
  /** Warnings and notes, by line. */
  readonly problems: readonly TraceProblem[]
  /** Computed when first read. */
  readonly statistics: WorkloadStatistics
}

/**
 * Loads a trace: Mooncake JSONL and its variants, Azure, BurstGPT, Vidur and Weka files. Throws `SpicaTraceError` listing
 * every line that cannot be read; what can be repaired is repaired and reported in `problems`.
 */
export function loadTrace(bytes: TraceBytes, options: LoadTraceOptions = {}): LoadedTrace {
  checkOptions(options)
  const file = readTrace(bytes, options)
  const workload = linkTrace(file, options)
  if (file.problems.errorCount > 0) throw new SpicaTraceError(file.problems.toArray(), options.file)
  let statistics: WorkloadStatistics | undefined
  return {
    workload,
    format: file.format,
    problems: file.problems.toArray(),
    get statistics(): WorkloadStatistics {
      statistics ??= workloadStatistics(workload)
      return statistics
    },
  }
}

/** Builds the workload of a read trace; further problems go to the file's list. */
export function linkTrace(file: TraceFile, options: LoadTraceOptions): Workload {
  const { rows, problems, traceBlockSize } = file
  const timingOptions: TimingOptions = {
    arrivalSpeedupRatio: options.arrivalSpeedupRatio ?? 1,
    closedLoop: options.closedLoop ?? false,
    allowNoTimestamps: options.allowNoTimestamps ?? false,
  }
  const outputTokens = rows.outputTokens.toArray()
  const graph = file.format === 'agentic_mooncake' ? linkDependencies(rows, problems, timingOptions) : undefined
  const timing = graph ?? linkSessions(rows, problems, timingOptions)
  const promptOptions = { traceBlockSize, idsCoverFullBlocksOnly: file.format === 'weka' }
  const prompts =
    file.format === 'mooncake-delta'
      ? linkGrowingPrompts(rows, problems, promptOptions, timing, outputTokens)
      : linkPrompts(rows, problems, promptOptions)
  if (rows.hashes.length <= DIAGNOSED_HASHES && file.format !== 'mooncake-delta')
    diagnoseRows(rows, problems, traceBlockSize)
  const { count } = rows
  return {
    count,
    inputTokens: prompts.inputTokens,
    outputTokens,
    runOffsets: prompts.runOffsets,
    runValue: prompts.runValue,
    runLength: prompts.runLength,
    distinctValues: prompts.distinctValues,
    uniformRunLength: prompts.uniformRunLength,
    arrivalMs: timing.arrivalMs,
    session: timing.session,
    turn: timing.turn,
    delayMs: timing.delayMs,
    nextTurn: timing.nextTurn,
    dependencyOffsets: graph?.dependencyOffsets ?? null,
    dependencies: graph?.dependencies ?? null,
    priority: nonZero(rows.priority.toArray(), (value) => Math.max(0, value)),
    strictPriority: nonZero(rows.strictPriority.toArray(), (value) => value),
    sessionIds: timing.sessionIds,
    requestIds: rows.requestIds.length === 0 ? null : padded(rows.requestIds, count),
    origin: 'trace',
  }
}

function nonZero(column: Float64Array, map: (value: number) => number): Float64Array | null {
  let any = false
  for (let row = 0; row < column.length; row++) {
    column[row] = map(column[row]!)
    if (column[row] !== 0) any = true
  }
  return any ? column : null
}

function padded(ids: readonly (string | null)[], count: number): (string | null)[] {
  const all = ids.slice()
  while (all.length < count) all.push(null)
  return all
}

function checkOptions(options: LoadTraceOptions): void {
  const { arrivalSpeedupRatio, traceBlockSize } = options
  if (arrivalSpeedupRatio !== undefined && !(arrivalSpeedupRatio > 0 && Number.isFinite(arrivalSpeedupRatio))) {
    const message = `arrival speed-up ratio ${arrivalSpeedupRatio} is not a positive number`
    throw new SpicaError('input', 'invalid-speedup', message, {
      hint: '1 keeps the trace as it is, 2 doubles its rate',
    })
  }
  if (traceBlockSize !== undefined && !(Number.isInteger(traceBlockSize) && traceBlockSize > 0)) {
    const message = `trace block size ${traceBlockSize} is not a positive whole number`
    throw new SpicaError('input', 'invalid-trace-block-size', message, {
      hint: 'tokens per hash id; Mooncake traces use 512',
    })
  }
}
