import { findHardware, findModel } from '@spica/catalog'
import {
  type Backend,
  type HardwareSpec,
  type ModelSpec,
  type OperatorTime,
  type PassQuery,
  type PerfModel,
  SpicaError,
} from '@spica/schema'
import type { PassSubject } from '../operators/plan-pass.js'
import type { PerfPoint } from '../points/perf-point.js'
import { createPolynomialModel } from '../polynomial-model.js'
import { createRooflineModel } from '../roofline/roofline-model.js'
import type { PerfDatabase } from '../table/perf-database.js'
import { createTableModel } from '../table/table-model.js'
import { RowReader, rowError } from './row-reader.js'

/** Keys of a latency row. */
export const LATENCY_ROW_KEYS: readonly string[] = [
  'model_name',
  'hardware_sku',
  'backend',
  'backend_version',
  'tp',
  'attention_dp',
  'moe_tp',
  'moe_ep',
  'phase',
  'batch',
  'isl',
  'prefix',
  'context',
  'max_num_batched_tokens',
  'max_num_seqs',
  'memory_fraction',
  'kv_cache_dtype',
]

const BACKENDS: readonly Backend[] = ['vllm', 'sglang', 'trtllm']

/** How rows are answered. */
export interface LatencyRowOptions {
  /** Default `roofline`, or `table` when a database is given. */
  readonly perfModel?: 'roofline' | 'table' | 'polynomial'
  readonly database?: PerfDatabase
  readonly compat?: 'aic-0.11'
  readonly points?: readonly PerfPoint[]
  /** Look-up of names; default the catalog's. */
  readonly findModel?: (name: string) => ModelSpec
  readonly findHardware?: (sku: string) => HardwareSpec
}

/** Time of one pass and of its operators, or why there is none. */
export type LatencyAnswer =
  | { readonly ms: number; readonly operators: readonly OperatorTime[] }
  | { readonly error: { readonly code: string; readonly message: string } }

/** Models that an answerer keeps; the least recently used goes. */
const KEPT_MODELS = 64

/**
 * Answers rows of `spica latency`, keeping the models of recent subjects. `batch` counts sequences per attention-DP rank. A
 * `max_num_batched_tokens` that a prompt exceeds makes the answer the sum of the prompt's chunks. Mistakes and uncovered
 * combinations are answers, never exceptions.
 */
export function latencyAnswerer(options: LatencyRowOptions = {}): (row: unknown) => Promise<LatencyAnswer> {
  const models = new Map<string, PerfModel>()
  const keep = async (read: ReadRow): Promise<PerfModel> => {
    const { subject, version, query, budget } = read
    const { model, hardware, backend, shape, kvCacheDtype } = subject
    const key = JSON.stringify([model.name, hardware.sku, backend, shape, kvCacheDtype, version, query.phase, budget])
    const found = models.get(key) ?? (await modelOf(subject, version, query.phase, budget, options))
    models.delete(key)
    models.set(key, found)
    const oldest = models.keys().next().value
    if (models.size > KEPT_MODELS && oldest !== undefined) models.delete(oldest)
    return found
  }
  return async (row) => {
    try {
      const read = readRow(new RowReader(row, LATENCY_ROW_KEYS), options)
      const operators = (await keep(read)).explain(read.query)
      return { ms: operators.reduce((sum, operator) => sum + operator.ms, 0), operators }
    } catch (error) {
      if (error instanceof SpicaError) return { error: { code: error.code, message: error.message } }
      throw error
    }
  }
}

/** Answers one row; see `latencyAnswerer`. */
export function latencyRow(row: unknown, options: LatencyRowOptions = {}): Promise<LatencyAnswer> {
  return latencyAnswerer(options)(row)
}

interface ReadRow {
  readonly subject: PassSubject
  readonly version: string | undefined
  readonly query: PassQuery
  readonly budget: number | undefined
}

function readRow(row: RowReader, options: LatencyRowOptions): ReadRow {
  const model = (options.findModel ?? findModel)(row.text('model_name'))
  const hardware = (options.findHardware ?? findHardware)(row.text('hardware_sku'))
  const backend = row.choice('backend', BACKENDS)
  const kvCacheDtype = row.kvFormat('kv_cache_dtype')
  row.whole('max_num_seqs', 1, 1)
  row.fraction('memory_fraction')
  const shape = {
    tp: row.whole('tp', 1, 1),
    attentionDp: row.whole('attention_dp', 1, 1),
    moeTp: row.whole('moe_tp', 1, 1),
    moeEp: row.whole('moe_ep', 1, 1),
  }
  return {
    subject: { model, hardware, backend, shape, ...(kvCacheDtype === undefined ? {} : { kvCacheDtype }) },
    version: row.has('backend_version') ? row.text('backend_version') : undefined,
    query: readQuery(row),
    budget: row.has('max_num_batched_tokens') ? row.whole('max_num_batched_tokens', 1) : undefined,
  }
}

function readQuery(row: RowReader): PassQuery {
  const batch = row.whole('batch', 1)
  if (row.choice('phase', ['prefill', 'decode']) === 'decode') {
    for (const key of ['isl', 'prefix']) {
      if (row.has(key)) throw rowError('invalid-value', key, `${key} belongs to prefill rows; a decode row has context`)
    }
    return { phase: 'decode', batch, context: row.whole('context', 1) }
  }
  if (row.has('context')) {
    throw rowError('invalid-value', 'context', 'context belongs to decode rows; a prefill row has isl and prefix')
  }
  const isl = row.whole('isl', 1)
  const prefix = row.whole('prefix', 0, 0)
  if (prefix >= isl)
    throw rowError('invalid-number', 'prefix', `prefix ${prefix} must be below isl ${isl}, which includes it`)
  return { phase: 'prefill', batch, isl, prefix }
}

async function modelOf(
  subject: PassSubject,
  version: string | undefined,
  phase: 'prefill' | 'decode',
  budget: number | undefined,
  options: LatencyRowOptions,
): Promise<PerfModel> {
  const chunks = budget === undefined ? {} : { maxNumBatchedTokens: budget }
  const name = options.perfModel ?? (options.database === undefined ? 'roofline' : 'table')
  if (name === 'polynomial') return createPolynomialModel()
  if (name === 'roofline') {
    const points = options.points === undefined ? {} : { points: options.points }
    return createRooflineModel({ ...subject, ...chunks, ...points })
  }
  if (options.database === undefined) {
    throw new SpicaError('input', 'perf-db-not-given', 'the table model needs a performance database', {
      hint: 'give --perf-db, or use the roofline',
    })
  }
  return createTableModel(options.database, {
    ...subject,
    ...chunks,
    phases: [phase],
    ...(version === undefined ? {} : { backendVersion: version }),
    ...(options.compat === undefined ? {} : { compat: options.compat }),
  })
}
