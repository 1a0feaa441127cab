import { closeMatches } from '@spica/catalog'
import { type KvFormat, SpicaError } from '@spica/schema'

/** Largest count that a row may ask for; beyond it times are meaningless. */
const MOST = 1e9

const KV_FORMATS: Readonly<Record<string, KvFormat>> = {
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

/** Reads the values of one row strictly: no coercion, every mistake an error with the key as its path. */
export class RowReader {
  readonly #row: Readonly<Record<string, unknown>>

  /** @throws SpicaError `invalid-row` or `unknown-key` */
  constructor(row: unknown, keys: readonly string[]) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw rowError('invalid-row', '', 'a row must be a JSON object')
    }
    for (const key of Object.keys(row)) {
      if (keys.includes(key)) continue
      const [close] = closeMatches(key, keys, 1)
      const hint = close === undefined ? `known keys: ${keys.join(', ')}` : `did you mean ${close}?`
      throw rowError('unknown-key', key, `unknown key "${key}"`, hint)
    }
    this.#row = row as Readonly<Record<string, unknown>>
  }

  /** True when the key has a value. */
  has(key: string): boolean {
    return this.#row[key] !== undefined && this.#row[key] !== null
  }

  text(key: string): string {
    if (!this.has(key)) throw rowError('missing-key', key, `${key} is missing`)
    const value = this.#row[key]
    if (typeof value !== 'string' || value.trim() === '') throw rowError('invalid-value', key, `${key} must be a text`)
    return value
  }

  choice<T extends string>(key: string, menu: readonly T[]): T {
    const value = this.text(key)
    const found = menu.find((entry) => entry === value)
    if (found === undefined) {
      throw rowError('invalid-value', key, `${key} must be one of ${menu.join(', ')}, not ${JSON.stringify(value)}`)
    }
    return found
  }

  /** A whole number of at least `least`; without a default the key must be there. */
  whole(key: string, least: number, fallback?: number): number {
    if (!this.has(key)) {
      if (fallback !== undefined) return fallback
      throw rowError('missing-key', key, `${key} is missing`)
    }
    const value = this.#row[key]
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > MOST) {
      const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
      throw rowError('invalid-number', key, `${key} must be a whole number from ${least} to ${MOST}, not ${shown}`)
    }
    return value
  }

  /** A number above 0 and at most 1, if given. */
  fraction(key: string): void {
    if (!this.has(key)) return
    const value = this.#row[key]
    if (typeof value !== 'number' || !(value > 0 && value <= 1)) {
      throw rowError('invalid-number', key, `${key} must be above 0 and at most 1, not ${String(value)}`)
    }
  }

  /** The KV cache's format; absence and `auto` mean the checkpoint's. */
  kvFormat(key: string): KvFormat | undefined {
    if (!this.has(key) || this.#row[key] === 'auto') return undefined
    const value = this.#row[key]
    const name = typeof value === 'string' ? value.toLowerCase() : ''
    const format = Object.hasOwn(KV_FORMATS, name) ? KV_FORMATS[name] : undefined
    if (format === undefined) {
      const known = ['auto', ...Object.keys(KV_FORMATS)].join(', ')
      throw rowError('unknown-kv-cache-dtype', key, `unknown ${key} ${JSON.stringify(value)}; known: ${known}`)
    }
    return format
  }
}

export function rowError(code: string, path: string, message: string, hint?: string): SpicaError {
  return new SpicaError('input', code, message, { location: { path }, ...(hint === undefined ? {} : { hint }) })
}
