import { findHardware, findModel } from '@spica/catalog'
import { type HardwareSpec, isMoe, type ModelSpec, SpicaError, type WorkerShape } from '@spica/schema'
import { estimateKv } from '../estimate-kv.js'
import type { KvCompat, KvEstimate, WindowPages } from '../kv-types.js'
import { asRow, backendOf, kvFormatOf, memoryFraction, requiredText, rowError, wholeNumber } from './row-fields.js'

export interface KvRowOptions {
  readonly compat?: KvCompat | undefined
  /** Finds the model of a row; default by catalogue name only. */
  readonly findModel?: (name: string) => ModelSpec
  /** Finds the GPU of a row; default by SKU only. */
  readonly findHardware?: (sku: string) => HardwareSpec
}

/** Answer of `spica kv --json`. Bytes are of one GPU. */
export interface KvRowAnswer {
  readonly feasible: boolean
  readonly total_kv_size_tokens: number | null
  /** Why it is infeasible, in words, or null. */
  readonly reason: string | null
  readonly reason_code: string | null
  readonly shortfall_bytes: number
  readonly weights_bytes: number
  readonly activations_bytes: number
  readonly runtime_overhead_bytes: number
  readonly cuda_graph_bytes: number
  readonly comm_overhead_bytes: number
  readonly non_kv_bytes: number
  readonly gpu_memory_capacity_bytes: number
  readonly kv_budget_bytes: number
  readonly kv_size_per_token_bytes: number
  readonly kv_state_bytes_per_sequence: number
  readonly kv_cache_dtype: string
  readonly max_sequence_tokens: number
  readonly weights_by_operator: Readonly<Record<string, number>>
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

export interface KvRowError {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string }
}

/** Answers one row of `spica kv --batch`. Never throws for what a row says: what cannot be answered comes back as `error`. */
export function kvRow(row: unknown, options: KvRowOptions = {}): KvRowAnswer | KvRowError {
  try {
    return answerOf(estimateRow(row, options))
  } catch (error) {
    if (!(error instanceof SpicaError)) throw error
    const { code, message, hint } = error
    return { error: { code, message, ...(hint === undefined ? {} : { hint }) } }
  }
}

/** The estimate behind a row. Throws `SpicaError` for rows that cannot be answered. */
export function estimateRow(value: unknown, options: KvRowOptions = {}): KvEstimate {
  const row = asRow(value)
  const model = (options.findModel ?? findModel)(requiredText(row, 'model_name'))
  const hardware = (options.findHardware ?? findHardware)(requiredText(row, 'hardware_sku'))
  const version = row['backend_version']
  if (version !== undefined && version !== null && typeof version !== 'string') {
    throw rowError('invalid-value', 'backend_version', 'backend_version must be a text')
  }
  const kvCacheDtype = kvFormatOf(row)
  const maxSequenceTokens = wholeNumber(row, 'context_length', undefined)
  return estimateKv({
    model,
    hardware,
    backend: backendOf(row),
    shape: shapeOf(row, model),
    settings: {
      maxNumBatchedTokens: wholeNumber(row, 'max_num_batched_tokens', 8192),
      maxNumSeqs: wholeNumber(row, 'max_num_seqs', 256),
      memoryFraction: memoryFraction(row, 0.9),
    },
    windowPages: windowPages(row),
    nextn: wholeNumber(row, 'nextn', 0, 0),
    ...(kvCacheDtype === undefined ? {} : { kvCacheDtype }),
    ...(maxSequenceTokens === undefined ? {} : { maxSequenceTokens }),
    ...(options.compat === undefined ? {} : { compat: options.compat }),
  })
}

/**
 * Absent numbers are 1. The experts use the GPUs of the attention: where one of their two numbers is given the other follows, where
 * none is they are split as engines do by default, by `moe_tp`.
 */
function shapeOf(row: Readonly<Record<string, unknown>>, model: ModelSpec): WorkerShape {
  const tp = wholeNumber(row, 'tp', 1)
  const attentionDp = wholeNumber(row, 'attention_dp', 1)
  const moeTp = wholeNumber(row, 'moe_tp', undefined)
  const moeEp = wholeNumber(row, 'moe_ep', undefined)
  const gpus = tp * attentionDp
  const rest = (given: number): number => (isMoe(model) && gpus % given === 0 ? gpus / given : 1)
  if (moeTp !== undefined) return { tp, attentionDp, moeTp, moeEp: moeEp ?? rest(moeTp) }
  return { tp, attentionDp, moeTp: rest(moeEp ?? 1), moeEp: moeEp ?? 1 }
}

function windowPages(row: Readonly<Record<string, unknown>>): WindowPages {
  const value = row['window_pages']
  if (value === undefined || value === null) return 'capped'
  if (value === 'capped' || value === 'unified') return value
  throw rowError(
    'invalid-value',
    'window_pages',
    `window_pages must be capped or unified, not ${JSON.stringify(value)}`,
  )
}

function answerOf(estimate: KvEstimate): KvRowAnswer {
  return {
    feasible: estimate.feasible,
    total_kv_size_tokens: estimate.totalKvSizeTokens,
    reason: estimate.reason?.message ?? null,
    reason_code: estimate.reason?.code ?? null,
    shortfall_bytes: estimate.shortfallBytes,
    weights_bytes: estimate.weightsBytes,
    activations_bytes: estimate.activationsBytes,
    runtime_overhead_bytes: estimate.runtimeOverheadBytes,
    cuda_graph_bytes: estimate.cudaGraphBytes,
    comm_overhead_bytes: estimate.commOverheadBytes,
    non_kv_bytes: estimate.nonKvBytes,
    gpu_memory_capacity_bytes: estimate.capacityBytes,
    kv_budget_bytes: estimate.kvBudgetBytes,
    kv_size_per_token_bytes: estimate.kvSizePerTokenBytes,
    kv_state_bytes_per_sequence: estimate.stateBytesPerSequence,
    kv_cache_dtype: estimate.kvFormat,
    max_sequence_tokens: estimate.maxSequenceTokens,
    weights_by_operator: estimate.weightsByOperator,
    warnings: estimate.warnings,
  }
}
