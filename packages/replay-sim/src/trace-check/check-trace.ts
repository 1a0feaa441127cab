import { type LoadTraceOptions, linkTrace } from '../workload/load-trace.js'
import type { TraceBytes } from '../workload/trace/byte-lines.js'
import { readTrace } from '../workload/trace/read-trace.js'
import type { TraceFormat } from '../workload/trace/trace-format.js'
import type { TraceProblem } from '../workload/trace/trace-problem.js'
import { type WorkloadStatistics, workloadStatistics } from '../workload/workload-statistics.js'

export interface TraceCheck {
  /** Format found or given; `csv` is a column-mapped table. */
  readonly format: TraceFormat | 'csv'
  /** Rows of data in the file, readable or not, without a header. */
  readonly rows: number
  /** Requests that would be replayed. */
  readonly requests: number
  /** Every departure from plain Mooncake JSONL, by line. */
  readonly problems: readonly TraceProblem[]
  /** False when a problem is an error: the file does not load as it is. */
  readonly loads: boolean
  /** Of the rows that can be read; null when there are none. */
  readonly statistics: WorkloadStatistics | null
  /** Tokens per hash id. */
  readonly traceBlockSize: number
}

/**
 * Diagnoses a trace without replaying it. Never throws for what the file holds; a trace without any timestamp counts as
 * loadable (at fixed concurrency), with a warning.
 */
export function checkTrace(bytes: TraceBytes, options: LoadTraceOptions = {}): TraceCheck {
  const file = readTrace(bytes, options)
  const { rows, problems } = file
  const workload = rows.count === 0 ? null : linkTrace(file, { allowNoTimestamps: true, ...options })
  return {
    format: file.format,
    rows: file.dataRows,
    requests: rows.count,
    problems: problems.toArray(),
    loads: problems.errorCount === 0,
    statistics: workload === null ? null : workloadStatistics(workload),
    traceBlockSize: file.traceBlockSize,
  }
}
