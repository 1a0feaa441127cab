import type { Workload } from './workload.js'

/** Names packed as UTF-8 text; entry i is bytes[offsets[i]] … bytes[offsets[i + 1] − 1], or null where `present[i]` is 0. */
interface SharedNames {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly present: Uint8Array
}

type NameColumn = 'sessionIds' | 'requestIds'

/**
 * A workload whose every column lies in a `SharedArrayBuffer`: posting it to a worker thread copies nothing but a few
 * dozen words. Plain data; turn it back with `workloadFromShared`.
 */
export interface SharedWorkload {
  readonly columns: Omit<Workload, NameColumn>
  readonly names: Readonly<Record<NameColumn, SharedNames | null>>
}

/** Copies a workload into shared memory (needs `SharedArrayBuffer`, in browsers a cross-origin isolated page). */
export function workloadToShared(workload: Workload): SharedWorkload {
  const { sessionIds, requestIds, ...columns } = workload
  return {
    columns: {
      ...columns,
      inputTokens: shared(columns.inputTokens, Int32Array),
      outputTokens: shared(columns.outputTokens, Int32Array),
      runOffsets: shared(columns.runOffsets, Uint32Array),
      runValue: shared(columns.runValue, Int32Array),
      runLength: shared(columns.runLength, Int32Array),
      arrivalMs: shared(columns.arrivalMs, Float64Array),
      session: shared(columns.session, Int32Array),
      turn: shared(columns.turn, Int32Array),
      delayMs: shared(columns.delayMs, Float64Array),
      nextTurn: shared(columns.nextTurn, Int32Array),
      dependencyOffsets: columns.dependencyOffsets && shared(columns.dependencyOffsets, Uint32Array),
      dependencies: columns.dependencies && shared(columns.dependencies, Uint32Array),
      priority: columns.priority && shared(columns.priority, Float64Array),
      strictPriority: columns.strictPriority && shared(columns.strictPriority, Float64Array),
    },
    names: { sessionIds: packNames(sessionIds), requestIds: packNames(requestIds) },
  }
}

/** The workload behind shared columns; no column is copied. */
export function workloadFromShared(packed: SharedWorkload): Workload {
  return {
    ...packed.columns,
    sessionIds: unpackNames(packed.names.sessionIds),
    requestIds: unpackNames(packed.names.requestIds),
  }
}

type Column = Int32Array | Uint32Array | Float64Array | Uint8Array

function shared<T extends Column>(
  column: T,
  type: { new (buffer: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
): T {
  if (column.buffer instanceof SharedArrayBuffer) return column
  const copy = new type(new SharedArrayBuffer(column.length * type.BYTES_PER_ELEMENT))
  copy.set(column)
  return copy
}

function packNames(names: readonly (string | null)[] | null): SharedNames | null {
  if (names === null) return null
  const encoder = new TextEncoder()
  const encoded = names.map((name) => encoder.encode(name ?? ''))
  const offsets = new Uint32Array(names.length + 1)
  encoded.forEach((text, index) => {
    offsets[index + 1] = offsets[index]! + text.length
  })
  const bytes = new Uint8Array(offsets[names.length]!)
  encoded.forEach((text, index) => {
    bytes.set(text, offsets[index]!)
  })
  return {
    bytes: shared(bytes, Uint8Array),
    offsets: shared(offsets, Uint32Array),
    present: shared(
      Uint8Array.from(names, (name) => (name === null ? 0 : 1)),
      Uint8Array,
    ),
  }
}

function unpackNames(packed: SharedNames | null): (string | null)[] | null {
  if (packed === null) return null
  const decoder = new TextDecoder()
  return Array.from(packed.present, (present, index) => {
    if (present === 0) return null
    return decoder.decode(packed.bytes.slice(packed.offsets[index]!, packed.offsets[index + 1]!))
  })
}
