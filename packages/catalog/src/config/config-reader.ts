import { type SourceLocation, SpicaError } from '@spica/schema'

/** Largest integer a config field may hold; beyond it a figure is a typing mistake, not a model. */
const LARGEST_INTEGER = 1e10

/** Typed access to the fields of a `config.json`, under any of their spellings. Every failure names the field and the file. */
export class ConfigReader {
  readonly fields: Readonly<Record<string, unknown>>
  /** Path of the object inside the document, e.g. `text_config`; empty at the root. */
  readonly path: string
  readonly file: string | undefined

  constructor(fields: Readonly<Record<string, unknown>>, path: string = '', file?: string) {
    this.fields = fields
    this.path = path
    this.file = file
  }

  /** The first of the names that is present and not null. */
  raw(...names: readonly string[]): unknown {
    for (const name of names) {
      const value = this.fields[name]
      if (value !== undefined && value !== null) return value
    }
    return undefined
  }

  has(...names: readonly string[]): boolean {
    return this.raw(...names) !== undefined
  }

  /** A whole number ≥ `min` under one of the names, or undefined. A one-valued list counts as its value. */
  optionalInteger(names: readonly string[], min: number = 0): number | undefined {
    for (const name of names) {
      const value = sameValue(this.fields[name])
      if (value === undefined || value === null) continue
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > LARGEST_INTEGER) {
        throw this.invalid(name, `must be a whole number of at least ${min}, not ${describe(value)}`)
      }
      return value
    }
    return undefined
  }

  /** As `optionalInteger`, but absence is an error that names the field. */
  integer(names: readonly string[], min: number = 1): number {
    const value = this.optionalInteger(names, min)
    if (value === undefined) throw this.missing(names)
    return value
  }

  optionalString(...names: readonly string[]): string | undefined {
    const value = this.raw(...names)
    return typeof value === 'string' ? value : undefined
  }

  optionalBoolean(...names: readonly string[]): boolean | undefined {
    const value = this.raw(...names)
    return typeof value === 'boolean' ? value : undefined
  }

  /** An object under the name, as a reader of its own. */
  child(name: string): ConfigReader | undefined {
    const value = this.fields[name]
    if (!isRecord(value)) return undefined
    return new ConfigReader(value, this.pathOf(name), this.file)
  }

  /** A list under the name, or undefined when there is no list. */
  list(name: string): readonly unknown[] | undefined {
    const value = this.fields[name]
    return Array.isArray(value) ? value : undefined
  }

  missing(names: readonly string[]): SpicaError {
    const [first, ...others] = names
    const also = others.length === 0 ? '' : ` (other spellings: ${others.join(', ')})`
    return new SpicaError('input', 'missing-model-field', `the model config has no ${this.pathOf(first!)}${also}`, {
      location: this.location(first!),
      hint: 'take config.json from the model repository, unshortened',
    })
  }

  invalid(name: string, message: string): SpicaError {
    return this.fault('invalid-model-config', name, message)
  }

  /** An error of the user's config at one field. */
  fault(code: string, name: string, message: string): SpicaError {
    return new SpicaError('input', code, `${this.pathOf(name)} ${message}`, { location: this.location(name) })
  }

  private location(name: string): SourceLocation {
    return { path: this.pathOf(name), ...(this.file === undefined ? {} : { file: this.file }) }
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The table's entry under a key that may be anything; inherited names such as `constructor` are no entries. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
}

/** A list whose entries are all equal stands for that entry (Hunyuan writes expert sizes per layer). */
function sameValue(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value
  return value.every((entry) => entry === value[0]) ? value[0] : value
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
