import { loadHardware, loadModel } from '@spica/catalog/node'
import type { HardwareSpec, ModelSpec } from '@spica/schema'
import { SpicaError } from '@spica/schema'
import type { Command } from 'commander'
import { EXIT } from '../exit-codes.js'
import { readInputText } from '../io/read-input.js'
import type { CommandEnvironment } from './command.js'

/** Keys of a `kv` or `latency` row whose values are numbers. */
const NUMBER_KEYS = new Set([
  'tp',
  'attention_dp',
  'moe_tp',
  'moe_ep',
  'max_num_batched_tokens',
  'max_num_seqs',
  'memory_fraction',
  'context_length',
  'nextn',
  'batch',
  'isl',
  'prefix',
  'context',
])

const kebab = (key: string) => key.replaceAll('_', '-')
const camel = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Adds a flag for each row key. */
export function addRowFlags(command: Command, keys: readonly string[]): Command {
  for (const key of keys) command.option(`--${kebab(key)} <value>`, key.replaceAll('_', ' '))
  return command.option('--batch-file <file>', 'same as --batch')
}

/** The row that the flags spell; keys that were not given are absent. A number that is none stays text, for the row check to name. */
export function rowOfFlags(keys: readonly string[], flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const key of keys) {
    const value = flags[camel(key)]
    if (value === undefined) continue
    const number = Number(value)
    row[key] = NUMBER_KEYS.has(key) && String(value).trim() !== '' && !Number.isNaN(number) ? number : value
  }
  return row
}

/** Looks models and GPUs up by name or path, each once. */
export function rowLookups(): { findModel: (name: string) => ModelSpec; findHardware: (sku: string) => HardwareSpec } {
  const models = new Map<string, ModelSpec>()
  const hardware = new Map<string, HardwareSpec>()
  const remember = <T>(known: Map<string, T>, key: string, load: (key: string) => T): T => {
    const found = known.get(key) ?? load(key)
    known.set(key, found)
    return found
  }
  return {
    findModel: (name) => remember(models, name, (key) => loadModel(key)),
    findHardware: (sku) => remember(hardware, sku, (key) => loadHardware(key)),
  }
}

/** An answer, or `{error}` in its place. */
export type RowAnswer = object

/** Answers a JSONL file row by row, one JSON object a line in input order. The exit code is 1 when a row has no answer. */
export async function answerBatch(
  path: string,
  environment: CommandEnvironment,
  answer: (row: unknown) => RowAnswer | Promise<RowAnswer>,
): Promise<void> {
  let unanswered = 0
  let pending: string[] = []
  const flush = () => {
    environment.stdout.write(pending.join(''))
    pending = []
  }
  for (const line of readInputText(path).split('\n')) {
    if (line.trim() === '') continue
    const result = await answerLine(line, answer)
    if ('error' in result) unanswered++
    pending.push(JSON.stringify(result) + '\n')
    if (pending.length >= 1000) flush()
  }
  flush()
  environment.setExitCode(unanswered > 0 ? EXIT.empty : EXIT.success)
}

async function answerLine(line: string, answer: (row: unknown) => RowAnswer | Promise<RowAnswer>): Promise<RowAnswer> {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch (error) {
    return { error: { code: 'invalid-json', message: `this line is not JSON: ${(error as Error).message}` } }
  }
  try {
    return await answer(row)
  } catch (error) {
    if (!(error instanceof SpicaError)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}
