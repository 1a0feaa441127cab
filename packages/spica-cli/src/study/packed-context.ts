import { SpicaError } from '@spica/schema'
import { type Column, type StudyContext, shareColumn } from './study-context.js'

const MARK = '$column'

/** Splits nested plain data into JSON and flat columns in shared memory, so that threads share and brokers store them. */
export function packContext(value: unknown): StudyContext {
  const columns: Record<string, Column> = {}
  const pack = (inner: unknown, path: string): unknown => {
    if (ArrayBuffer.isView(inner)) {
      columns[path] = shareColumn(inner as Column)
      return { [MARK]: path }
    }
    if (Array.isArray(inner)) return inner.map((item, index) => pack(item, `${path}.${index}`))
    if (inner === null || typeof inner !== 'object') return inner
    return Object.fromEntries(
      Object.entries(inner)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, pack(item, path === '' ? key : `${path}.${key}`)]),
    )
  }
  return { settings: pack(value, ''), columns }
}

/** The value behind a packed context; columns are used as they are. */
export function unpackContext(context: StudyContext): unknown {
  const unpack = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(unpack)
    if (inner === null || typeof inner !== 'object') return inner
    const record = inner as Record<string, unknown>
    const name = record[MARK]
    if (typeof name === 'string') {
      const column = context.columns[name]
      if (column === undefined)
        throw new SpicaError('environment', 'missing-column', `the study's context lacks its column ${name}`)
      return column
    }
    return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, unpack(item)]))
  }
  return unpack(context.settings)
}
