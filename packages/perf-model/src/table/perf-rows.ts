/** A text column: codes into a small dictionary. */
export interface TextColumn {
  readonly dictionary: readonly string[]
  readonly codes: Uint16Array
}

/** Columns of one measured table as typed arrays over shared memory, so that worker threads read one copy. */
export interface PerfRows {
  readonly length: number
  readonly numbers: Readonly<Record<string, Float64Array>>
  readonly texts: Readonly<Record<string, TextColumn>>
}

/** Plain column values as a reader delivers them. */
export type RawColumn = ArrayLike<unknown>

const EMPTY = new Float64Array(0)

/** Shared memory where the runtime has it, else a plain buffer. */
function buffer(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)
}

/** Packs raw columns: text becomes codes, numbers (big integers included) become doubles. */
export function packRows(length: number, columns: Readonly<Record<string, RawColumn>>): PerfRows {
  const numbers: Record<string, Float64Array> = {}
  const texts: Record<string, TextColumn> = {}
  for (const [name, values] of Object.entries(columns)) {
    const isText = values.length > 0 && typeof values[0] === 'string'
    if (isText) texts[name] = packText(values)
    else {
      const packed = new Float64Array(buffer(8 * length))
      for (let row = 0; row < length; row++) packed[row] = values[row] === null ? Number.NaN : Number(values[row])
      numbers[name] = packed
    }
  }
  return { length, numbers, texts }
}

function packText(values: RawColumn): TextColumn {
  const codes = new Uint16Array(buffer(2 * values.length))
  const known = new Map<unknown, number>()
  const dictionary: string[] = []
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    let code = known.get(value)
    if (code === undefined) {
      code = dictionary.length
      known.set(value, code)
      dictionary.push(String(value ?? ''))
    }
    codes[row] = code
  }
  return { dictionary, codes }
}

/** A number column, empty when the table has none of that name. */
export function numberColumn(rows: PerfRows, name: string): Float64Array {
  return rows.numbers[name] ?? EMPTY
}

/** Text of a row, '' when the table has no such column. */
export function textAt(rows: PerfRows, name: string, row: number): string {
  const column = rows.texts[name]
  return column === undefined ? '' : column.dictionary[column.codes[row]!]!
}

/** Predicate on rows: text columns equal to the given values (columns the table lacks match anything). */
export function textFilter(rows: PerfRows, wanted: Readonly<Record<string, string>>): (row: number) => boolean {
  const tests: { readonly codes: Uint16Array; readonly code: number }[] = []
  for (const [name, value] of Object.entries(wanted)) {
    const column = rows.texts[name]
    if (column !== undefined) tests.push({ codes: column.codes, code: column.dictionary.indexOf(value) })
  }
  return (row) => {
    for (let index = 0; index < tests.length; index++) {
      const test = tests[index]!
      if (test.codes[row] !== test.code) return false
    }
    return true
  }
}
