import { closeMatches } from '@spica/catalog'
import { type Backend, type KvFormat, SpicaError } from '@spica/schema'

/** Keys of a row, as of `spica kv`. */
export const KV_ROW_KEYS: readonly string[] = [
  'model_name',
  'hardware_sku',
  'backend',
  'backend_version',
  'tp',
  'attention_dp',
  'moe_tp',
  'moe_ep',
  'max_num_batched_tokens',
  'max_num_seqs',
  'memory_fraction',
  'kv_cache_dtype',
  'context_length',
  'window_pages',
  'nextn',
]

const BACKENDS: readonly Backend[] = ['vllm', 'sglang', 'trtllm']

const KV_DTYPES: Readonly<Record<string, KvFormat>> = {
  bfloat16: 'bfloat16',
  bf16: 'bfloat16',
  float16: 'bfloat16',
  fp16: 'bfloat16',
  half: 'bfloat16',
  fp8: 'fp8',
  fp8_e4m3: 'fp8',
  fp8_e5m2: 'fp8',
  int8: 'int8',
}

type Row = Readonly<Record<string, unknown>>

export function rowError(code: string, path: string, message: string, hint?: string): SpicaError {
  return new SpicaError('input', code, message, { location: { path }, ...(hint === undefined ? {} : { hint }) })
}

/** A JSON object without unknown keys. */
export function asRow(row: unknown): Row {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw rowError('invalid-row', '', 'a row must be a JSON object')
  }
  for (const key of Object.keys(row)) {
    if (KV_ROW_KEYS.includes(key)) continue
    const close = closeMatches(key, KV_ROW_KEYS, 1)
    const hint = close.length > 0 ? `did you mean ${close[0]}?` : `known keys: ${KV_ROW_KEYS.join(', ')}`
    throw rowError('unknown-key', key, `unknown key "${key}"`, hint)
  }
  return row as Row
}

export function requiredText(row: Row, key: string): string {
  const value = row[key]
  if (value === undefined || value === null) throw rowError('missing-key', key, `${key} is missing`)
  if (typeof value !== 'string' || value.trim() === '') throw rowError('invalid-value', key, `${key} must be a text`)
  return value
}

/** A whole number ≥ `min`; absent and null mean the default. */
export function wholeNumber<T>(row: Row, key: string, fallback: T, min: number = 1): number | T {
  const value = row[key]
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > 2 ** 31) {
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
    throw rowError('invalid-number', key, `${key} must be a whole number from ${min} to ${2 ** 31}, not ${shown}`)
  }
  return value
}

export function memoryFraction(row: Row, fallback: number): number {
  const value = row['memory_fraction']
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number' || !(value > 0 && value <= 1)) {
    throw rowError(
      'invalid-number',
      'memory_fraction',
      `memory_fraction must be above 0 and at most 1, not ${String(value)}`,
    )
  }
  return value
}

export function backendOf(row: Row): Backend {
  const value = row['backend']
  if (value === undefined || value === null) return 'vllm'
  const found = BACKENDS.find((backend) => backend === value)
  if (found === undefined) {
    throw rowError(
      'unknown-backend',
      'backend',
      `unknown backend ${JSON.stringify(value)}; known: ${BACKENDS.join(', ')}`,
    )
  }
  return found
}

/** `auto` and absence mean what the checkpoint says. */
export function kvFormatOf(row: Row): KvFormat | undefined {
  const value = row['kv_cache_dtype']
  if (value === undefined || value === null || value === 'auto') return undefined
  const name = typeof value === 'string' ? value.toLowerCase() : ''
  const format = Object.hasOwn(KV_DTYPES, name) ? KV_DTYPES[name] : undefined
  if (format === undefined) {
    const known = ['auto', ...Object.keys(KV_DTYPES)].join(', ')
    throw rowError(
      'unknown-kv-cache-dtype',
      'kv_cache_dtype',
      `unknown kv_cache_dtype ${JSON.stringify(value)}; known: ${known}`,
    )
  }
  return format
}
