/** Fields of a row that mean something to replay. */
export type RowField =
  | 'timestamp'
  | 'input_length'
  | 'output_length'
  | 'hash_ids'
  | 'session_id'
  | 'delay'
  | 'request_id'
  | 'priority'
  | 'strict_priority'
  | 'wait_for'
  | 'requests'
  | 'block_size'

const MOONCAKE_FIELDS: readonly RowField[] = [
  'timestamp',
  'input_length',
  'output_length',
  'hash_ids',
  'session_id',
  'delay',
  'request_id',
  'priority',
  'strict_priority',
  'wait_for',
]

/** Names seen in the wild for Mooncake fields. */
const ALIASES: Readonly<Record<string, RowField>> = {
  input_tokens: 'input_length',
  output_tokens: 'output_length',
  created_time: 'timestamp',
  delay_ms: 'delay',
}

/** Weka's short names; times in seconds. */
const WEKA_FIELDS: Readonly<Record<string, RowField>> = {
  id: 'session_id',
  t: 'timestamp',
  in: 'input_length',
  out: 'output_length',
  hash_ids: 'hash_ids',
  requests: 'requests',
  block_size: 'block_size',
}

interface KnownName {
  readonly bytes: Uint8Array
  readonly field: RowField
  readonly alias: boolean
}

/** Looks up field names as bytes, without making strings. */
export class FieldNames {
  private readonly byKey: (KnownName[] | undefined)[] = new Array(1 << 13)

  constructor(weka: boolean, columns: Readonly<Record<string, string>> | undefined) {
    const renamed = columns ?? {}
    if (weka) for (const [name, field] of Object.entries(WEKA_FIELDS)) this.add(name, field, false)
    else {
      for (const field of MOONCAKE_FIELDS) if (renamed[field] === undefined) this.add(field, field, false)
      for (const [name, field] of Object.entries(ALIASES)) this.add(name, field, true)
    }
    for (const field of MOONCAKE_FIELDS) {
      const name = renamed[field]
      if (name !== undefined) this.add(name, field, false)
    }
  }

  /** The field whose name stands in bytes[start … end). */
  find(
    bytes: Uint8Array,
    start: number,
    end: number,
  ): { readonly field: RowField; readonly alias: boolean } | undefined {
    const candidates = this.byKey[keyOf(bytes, start, end)]
    if (candidates === undefined) return undefined
    for (const candidate of candidates) {
      if (candidate.bytes.length !== end - start) continue
      let offset = 0
      while (offset < candidate.bytes.length && candidate.bytes[offset] === bytes[start + offset]) offset++
      if (offset === candidate.bytes.length) return candidate
    }
    return undefined
  }

  private add(name: string, field: RowField, alias: boolean): void {
    const bytes = new TextEncoder().encode(name)
    const key = keyOf(bytes, 0, bytes.length)
    const known = { bytes, field, alias }
    const list = this.byKey[key]
    if (list === undefined) this.byKey[key] = [known]
    else list.unshift(known)
  }
}

function keyOf(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start) return 0
  return ((end - start) * 1009 + bytes[start]! * 31 + bytes[end - 1]!) & 8191
}
