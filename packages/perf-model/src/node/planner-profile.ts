import { SpicaError } from '@spica/schema'
import type { PlannerProfile } from '../profile-model.js'
import { readArchiveDirectory, readArchiveEntry } from './zip-archive.js'

const ARRAYS = [
  'prefill_isl',
  'prefill_ttft_ms',
  'decode_active_kv_tokens',
  'decode_context_length',
  'decode_itl',
] as const

type ArrayName = (typeof ARRAYS)[number]

/**
 * Reads a planner profile from an NPZ file: `prefill_isl`, `prefill_ttft_ms`, `decode_active_kv_tokens`,
 * `decode_context_length` and `decode_itl` (KV tokens × context).
 *
 * @throws SpicaError `invalid-profile` when the file is no NPZ archive, or an array is missing or of an unknown type.
 */
export function readPlannerProfile(path: string): PlannerProfile {
  const fail = (reason: string): SpicaError =>
    new SpicaError('input', 'invalid-profile', `${path} is no planner profile: ${reason}`, { location: { file: path } })
  const entries = readArchiveDirectory(path, fail)
  const arrays = Object.fromEntries(
    ARRAYS.map((name) => {
      const entry = entries.find((candidate) => candidate.name === `${name}.npy`)
      if (entry === undefined) throw fail(`it has no array ${name}`)
      return [name, parseNpy(readArchiveEntry(path, entry, fail), (reason) => fail(`${name} ${reason}`))]
    }),
  ) as Record<ArrayName, Float64Array>
  return {
    prefillIsl: arrays.prefill_isl,
    prefillTtftMs: arrays.prefill_ttft_ms,
    decodeActiveKvTokens: arrays.decode_active_kv_tokens,
    decodeContextLength: arrays.decode_context_length,
    decodeItlMs: arrays.decode_itl,
  }
}

const READERS: Readonly<Record<string, readonly [bytes: number, read: (view: DataView, at: number) => number]>> = {
  '<f8': [8, (view, at) => view.getFloat64(at, true)],
  '<f4': [4, (view, at) => view.getFloat32(at, true)],
  '<i8': [8, (view, at) => Number(view.getBigInt64(at, true))],
  '<i4': [4, (view, at) => view.getInt32(at, true)],
}

/** Values of an NPY array in row-major order. */
function parseNpy(bytes: Uint8Array, fail: (reason: string) => Error): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || String.fromCharCode(...bytes.subarray(1, 6)) !== 'NUMPY') throw fail('is no NPY array')
  const isLong = bytes[6]! > 1
  const start = isLong ? 12 : 10
  const headerLength = isLong ? view.getUint32(8, true) : view.getUint16(8, true)
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, start + headerLength))
  const reader = READERS[/'descr':\s*'([^']*)'/.exec(header)?.[1] ?? '']
  if (reader === undefined) throw fail('is not of a plain little-endian number type')
  if (/'fortran_order':\s*True/.test(header)) throw fail('is stored column by column')
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? ''
  const length = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .reduce((product, part) => product * Number(part), 1)
  const [size, read] = reader
  const data = start + headerLength
  if (!Number.isSafeInteger(length) || data + length * size > bytes.length) throw fail('is cut short')
  return Float64Array.from({ length }, (_, index) => read(view, data + index * size))
}
