import { type ConfigIssue, type HardwareSpec, type SourceLocation, SpicaConfigError } from '@spica/schema'
import { isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml'
import { closeMatches } from '../lookup/close-matches.js'
import {
  HARDWARE_FIELDS,
  type HardwareField,
  type HardwareFigure,
  REQUIRED_FIGURES,
  SYSTEM_FILE_FIELDS,
  UNUSED_SYSTEM_FILE_KEYS,
} from './hardware-fields.js'
import { hardwareFromFigures } from './hardware-from-figures.js'

/** Longest GPU file read; a real one has twenty lines. */
const MAX_CHARACTERS = 100_000

/** What a file has said so far. */
interface Reading {
  name: string | undefined
  readonly figures: Map<HardwareFigure, number>
  ncclBytesByTp: Record<string, number> | undefined
  readonly issues: ConfigIssue[]
  at(offset: number | undefined, path?: string): SourceLocation
}

/**
 * Reads the YAML of a user's own GPU: `vram_gib`, `mem_bw_gbps` (GB/s), `bf16_tflops` (or `fp16_tflops`) and, optionally, `name`
 * (default the file's) and the other keys of `HARDWARE_FIELDS`. AIConfigurator's system files, with their sections `gpu`, `node` and
 * `misc` in base units, load unchanged. Strict: every unknown or repeated key and every wrong value is reported at once, with its
 * line, in one `SpicaConfigError`.
 */
export function parseHardwareYaml(text: string, file?: string): HardwareSpec {
  const lines = new LineCounter()
  const reading: Reading = {
    name: undefined,
    figures: new Map(),
    ncclBytesByTp: undefined,
    issues: [],
    at: (offset, path) => {
      const position = offset === undefined ? undefined : lines.linePos(offset)
      return {
        ...(file === undefined ? {} : { file }),
        ...(position === undefined ? {} : { line: position.line, column: position.col }),
        ...(path === undefined ? {} : { path }),
      }
    },
  }
  const stop = (code: string, message: string): never => {
    throw new SpicaConfigError([{ code, message, location: reading.at(0) }])
  }
  if (text.length > MAX_CHARACTERS) stop('hardware-file-too-large', 'a GPU file has at most 100,000 characters')
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  if (document.errors.length > 0) {
    throw new SpicaConfigError(
      document.errors.map((error) => ({
        code: 'yaml-syntax',
        message: error.message.split('\n')[0]!,
        location: reading.at(error.pos[0]),
      })),
    )
  }
  const root = document.contents
  if (!isMap(root)) return stop('hardware-not-a-mapping', 'a GPU file must be a mapping of keys to figures')
  for (const pair of root.items) readRootPair(reading, pair)
  checkComplete(reading)
  const name = reading.name ?? file?.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '')
  if (reading.issues.length > 0) throw new SpicaConfigError(reading.issues)
  return hardwareFromFigures(
    name === undefined || name === '' ? 'custom' : name,
    reading.figures,
    reading.ncclBytesByTp,
  )
}

function readRootPair(reading: Reading, pair: Pair): void {
  const { key, offset } = keyOf(pair)
  if (key === 'name' || key === 'sku') {
    const value = isScalar(pair.value) ? pair.value.value : undefined
    if (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)) reading.name = value
    else complain(reading, 'hardware-value', 'must be a word of letters, digits, _, . and -', offset, key)
    return
  }
  const section = Object.hasOwn(SYSTEM_FILE_FIELDS, key) ? SYSTEM_FILE_FIELDS[key] : undefined
  if (section === undefined) {
    readFigure(reading, HARDWARE_FIELDS, pair, key, key, offset)
    return
  }
  if (!isMap(pair.value)) {
    complain(reading, 'hardware-value', 'must be a mapping of keys to figures', offset, key)
    return
  }
  for (const inner of pair.value.items) {
    const { key: innerKey, offset: innerOffset } = keyOf(inner)
    if (key === 'misc' && innerKey === 'nccl_mem') readNcclBytes(reading, inner, innerOffset)
    else readFigure(reading, section, inner, innerKey, `${key}.${innerKey}`, innerOffset)
  }
}

/** Buffer bytes by tensor-parallel size. */
function readNcclBytes(reading: Reading, pair: Pair, offset: number | undefined): void {
  const sizes: Record<string, number> = {}
  for (const inner of isMap(pair.value) ? pair.value.items : []) {
    const { key } = keyOf(inner)
    const bytes = isScalar(inner.value) ? inner.value.value : undefined
    if (/^\d{1,4}$/.test(key) && typeof bytes === 'number' && bytes >= 0 && bytes < 1e12) sizes[key] = bytes
    else complain(reading, 'hardware-value', 'must map GPU counts to bytes', offset, `misc.nccl_mem.${key}`)
  }
  if (Object.keys(sizes).length > 0) reading.ncclBytesByTp = sizes
  else complain(reading, 'hardware-value', 'must map GPU counts to bytes', offset, 'misc.nccl_mem')
}

function readFigure(
  reading: Reading,
  fields: Readonly<Record<string, HardwareField>>,
  pair: Pair,
  key: string,
  path: string,
  offset: number | undefined,
): void {
  if (UNUSED_SYSTEM_FILE_KEYS.includes(path)) return
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (field === undefined) {
    const known = Object.keys(fields)
    const close = closeMatches(key, known, 1)
    const hint = close.length > 0 ? `did you mean ${close[0]}?` : `known keys: ${known.join(', ')}`
    reading.issues.push({
      code: 'unknown-key',
      message: `unknown key "${key}"`,
      location: reading.at(offset, path),
      hint,
    })
    return
  }
  const value = isScalar(pair.value) ? pair.value.value : undefined
  const problem = figureProblem(value, field)
  if (problem !== undefined) complain(reading, 'hardware-value', problem, offset, path)
  else if (reading.figures.has(field.figure)) complain(reading, 'repeated-key', 'is given twice', offset, path)
  else reading.figures.set(field.figure, (value as number) * field.scale)
}

function keyOf(pair: Pair): { key: string; offset: number | undefined } {
  return isScalar(pair.key)
    ? { key: String(pair.key.value), offset: pair.key.range?.[0] }
    : { key: '', offset: undefined }
}

function complain(reading: Reading, code: string, message: string, offset: number | undefined, path: string): void {
  reading.issues.push({ code, message, location: reading.at(offset, path) })
}

function figureProblem(value: unknown, field: HardwareField): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a finite number'
  if (field.mayBeZero === true ? value < 0 : value <= 0) {
    return field.mayBeZero === true ? 'must not be negative' : 'must be above 0'
  }
  if (value > field.max) return field.max === 1 ? 'must be at most 1' : 'is beyond any GPU; check its unit'
  return field.integer === true && !Number.isInteger(value) ? 'must be a whole number' : undefined
}

/** Missing figures, unless their key is there with another mistake. */
function checkComplete(reading: Reading): void {
  for (const [figure, key] of REQUIRED_FIGURES) {
    if (reading.figures.has(figure)) continue
    const isFaulty = reading.issues.some((issue) => {
      const path = issue.location.path ?? ''
      const field = HARDWARE_FIELDS[path] ?? SYSTEM_FILE_FIELDS[path.split('.')[0]!]?.[path.split('.')[1] ?? '']
      return field?.figure === figure
    })
    if (!isFaulty) complain(reading, 'missing-key', `${key} is missing`, 0, key)
  }
}
