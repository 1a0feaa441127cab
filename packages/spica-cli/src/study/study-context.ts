import { bytesHash, contentHash } from './canonical-json.js'

/** Column types that may travel to workers. */
export type ColumnType = 'Int32Array' | 'Uint32Array' | 'Float64Array' | 'Float32Array' | 'Uint8Array'
export type Column = Int32Array | Uint32Array | Float64Array | Float32Array | Uint8Array

const CONSTRUCTORS: Readonly<Record<ColumnType, new (buffer: SharedArrayBuffer) => Column>> = {
  Int32Array: Int32Array,
  Uint32Array: Uint32Array,
  Float64Array: Float64Array,
  Float32Array: Float32Array,
  Uint8Array: Uint8Array,
}

/**
 * Everything workers need besides the candidate: plain JSON and flat columns (the trace, measured tables). It holds no
 * paths. Threads share the columns; a broker gets each once, by content hash.
 */
export interface StudyContext {
  readonly settings: unknown
  readonly columns: Readonly<Record<string, Column>>
}

/** How a context is found again: its settings and, by name, the hash, type and length of each column. */
export interface ContextManifest {
  readonly settings: unknown
  readonly columns: Readonly<
    Record<string, { readonly hash: string; readonly type: ColumnType; readonly length: number }>
  >
}

/** Copies a column into shared memory; one that is there already comes back as it is. */
export function shareColumn<T extends Column>(column: T): T {
  if (column.buffer instanceof SharedArrayBuffer) return column
  const shared = new CONSTRUCTORS[columnType(column)](new SharedArrayBuffer(column.byteLength))
  shared.set(column as never)
  return shared as T
}

/** Bytes of a column, without copying. */
export function columnBytes(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}

/** A shared column of `type` from its bytes. */
export function columnFromBytes(type: ColumnType, bytes: Uint8Array): Column {
  const shared = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(shared).set(bytes)
  return new CONSTRUCTORS[type](shared)
}

/** Manifest of a context, with the bytes of its columns by hash. */
export function describeContext(context: StudyContext): {
  readonly manifest: ContextManifest
  readonly hash: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
} {
  const blobs = new Map<string, Uint8Array>()
  const columns: Record<string, { hash: string; type: ColumnType; length: number }> = {}
  for (const [name, column] of Object.entries(context.columns)) {
    const bytes = columnBytes(column)
    const hash = bytesHash(bytes)
    blobs.set(hash, bytes)
    columns[name] = { hash, type: columnType(column), length: column.length }
  }
  const manifest: ContextManifest = { settings: context.settings, columns }
  return { manifest, hash: contentHash(manifest), blobs }
}

function columnType(column: Column): ColumnType {
  return column.constructor.name as ColumnType
}
