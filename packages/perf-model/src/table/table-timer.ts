import type { Backend, HardwareSpec, OperatorSource } from '@spica/schema'
import { SpicaError } from '@spica/schema'
import type { Timer } from '../roofline/timer.js'
import type { PerfDatabase, TableRows } from './perf-database.js'

/** A kernel's measured time, and where each value comes from. */
export interface TableTimer {
  readonly timer: Timer
  readonly sourceAt: (batch: number, length: number, prefix: number) => OperatorSource
}

/** Where a subject's tables are looked up. */
export interface TableContext {
  readonly database: PerfDatabase
  readonly hardware: HardwareSpec
  readonly backend: Backend
  readonly version: string
  /** True to reproduce the measured reference to the digit; false for monotone, continuous tables. */
  readonly exact: boolean
}

/** Rows of a table for a context. */
export function contextRows(context: TableContext, table: string): readonly TableRows[] {
  return context.database.rows(context.hardware, context.backend, context.version, table)
}

/** Key of something derived from a context's tables. */
export function derivedKey(context: TableContext, ...parts: readonly (string | number)[]): string {
  const { hardware, backend, version, exact } = context
  return [hardware.sku, hardware.ncclVersion, backend, version, exact, ...parts].join('|')
}

/** The error for a combination that was never measured, naming every coordinate. */
export function notMeasured(
  context: TableContext,
  table: string,
  coordinates: Readonly<Record<string, string | number>>,
): SpicaError {
  const where = Object.entries(coordinates).map(([name, value]) => `${name}=${value}`)
  const { hardware, backend, version } = context
  const place = table === 'nccl_perf' ? `NCCL ${hardware.ncclVersion ?? 'of unknown version'}` : `${backend} ${version}`
  return new SpicaError(
    'environment',
    'perf-table-missing',
    `no measurement of ${table} for ${where.join(', ')} on ${hardware.sku} with ${place} in ${context.database.description}`,
    {
      hint: 'use `--perf-model roofline`, which covers every shape and says what it estimates',
      details: { table, sku: hardware.sku, backend, version, ...coordinates },
    },
  )
}
