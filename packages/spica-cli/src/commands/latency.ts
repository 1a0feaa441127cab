import {
  type Backend,
  type Compat,
  type PassQuery,
  type PerfModelName,
  SpicaError,
  type WorkerShape,
} from '@spica/schema'
import { Option } from 'commander'
import { perfModelMaker } from '../evaluation/perf-models.js'
import { openPerfInputs, type PerfInputs, preloadTables } from '../inputs/perf-inputs.js'
import { significant, textTable } from '../output/text-table.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { addRowFlags, answerBatch, rowLookups, rowOfFlags } from './row-flags.js'

const LATENCY_KEYS: readonly string[] = [
  'model_name',
  'hardware_sku',
  'backend',
  'backend_version',
  'tp',
  'attention_dp',
  'moe_tp',
  'moe_ep',
  'phase',
  'batch',
  'isl',
  'prefix',
  'context',
  'max_num_batched_tokens',
  'max_num_seqs',
  'memory_fraction',
  'kv_cache_dtype',
]

interface LatencyFlags extends Readonly<Record<string, unknown>> {
  perfModel?: PerfModelName
  perfDb?: string
  perfPoints?: string
  compat?: Compat[]
  batch?: string
  json?: true
}

/** Answer of `spica latency`: milliseconds of one pass and of its operators. */
interface LatencyAnswer {
  readonly ms: number
  readonly operators: readonly { name: string; ms: number; source: string }[]
}

export const registerLatency: CommandRegistration = (program, environment) => {
  const command = program.command('latency').description('estimate the time of one engine pass, with its operators')
  const keys = LATENCY_KEYS.filter((key) => key !== 'batch')
  addRowFlags(command, keys)
    .option('--batch <number-or-file>', 'sequences of the pass, or a JSONL file to answer row per row')
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--perf-points <file>', 'your own measured points, CSV')
    .option('--compat <list>', 'restore upstream quirks: aic-0.11', compatList)
    .option('--json', 'print JSON')
    .action(async (flags: LatencyFlags) => {
      const inputs = openPerfInputs(
        { model: flags.perfModel ?? null, database: flags.perfDb ?? null, points: flags.perfPoints ?? null },
        process.cwd(),
      )
      const answer = latencyAnswerer(inputs, flags.compat ?? [])
      const file = (flags['batchFile'] as string | undefined) ?? (isCount(flags.batch) ? undefined : flags.batch)
      if (file !== undefined) return answerBatch(file, environment, answer)
      const result = await answer(rowOfFlags(LATENCY_KEYS, flags))
      if (flags.json === true) return printJson(environment, result)
      const rows = result.operators.map(({ name, ms, source }) => [name, significant(ms), source])
      environment.stdout.write(`${significant(result.ms, 6)} ms\n${textTable(['operator', 'ms', 'source'], rows)}\n`)
    })
}

function isCount(text: string | undefined): boolean {
  return text === undefined || /^\s*-?\d+(\.\d+)?\s*$/.test(text)
}

/** Answers rows; models of the same subject are made once. */
function latencyAnswerer(inputs: PerfInputs, compat: readonly Compat[]): (row: unknown) => Promise<LatencyAnswer> {
  const lookups = rowLookups()
  const makers = new Map<string, ReturnType<typeof perfModelMaker>>()
  return async (value) => {
    const row = checkRow(value)
    const model = lookups.findModel(row.text('model_name'))
    const hardware = lookups.findHardware(row.text('hardware_sku'))
    const backend = row.choice('backend', ['vllm', 'sglang', 'trtllm']) as Backend
    const shape: WorkerShape = {
      tp: row.whole('tp', 1, 1),
      attentionDp: row.whole('attention_dp', 1, 1),
      moeTp: row.whole('moe_tp', 1, 1),
      moeEp: row.whole('moe_ep', 1, 1),
    }
    const query = queryOf(row)
    const version = row.optionalText('backend_version')
    if (inputs.database !== null)
      await preloadTables(inputs.database, { model, hardware, compat }, [{ backend, shape }])
    const key = JSON.stringify([row.text('model_name'), hardware.sku, version])
    let make = makers.get(key)
    if (make === undefined) {
      const backendVersions = version === undefined ? {} : { [backend]: version }
      const perf = {
        model: inputs.model,
        points: inputs.points,
        backendVersions,
        database: inputs.database?.toShared() ?? null,
      }
      make = perfModelMaker({ model, hardware, perf, compat })
      if (inputs.database === null) makers.set(key, make)
    }
    const operators = make(backend, shape).explain(query)
    const ms = operators.reduce((sum, operator) => sum + operator.ms, 0)
    return { ms, operators: operators.map(({ name, ms: own, source }) => ({ name, ms: own, source })) }
  }
}

function queryOf(row: CheckedRow): PassQuery {
  const batch = row.whole('batch', 1, 1)
  if (row.choice('phase', ['prefill', 'decode']) === 'decode')
    return { phase: 'decode', batch, context: row.whole('context', undefined, 1) }
  const isl = row.whole('isl', undefined, 1)
  const prefix = row.whole('prefix', 0, 0)
  if (prefix >= isl) throw rowError(`prefix ${prefix} must be below isl ${isl}, which includes it`)
  return { phase: 'prefill', batch, isl, prefix }
}

interface CheckedRow {
  text(key: string): string
  optionalText(key: string): string | undefined
  choice(key: string, menu: readonly string[]): string
  whole(key: string, fallback: number | undefined, least: number): number
}

const rowError = (message: string, hint?: string) =>
  new SpicaError('input', 'invalid-row', message, hint === undefined ? {} : { hint })

function checkRow(value: unknown): CheckedRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw rowError('a row must be a JSON object')
  const row = value as Record<string, unknown>
  const unknown = Object.keys(row).find((key) => !LATENCY_KEYS.includes(key))
  if (unknown !== undefined) throw rowError(`unknown key "${unknown}"`, `known keys: ${LATENCY_KEYS.join(', ')}`)
  const text = (key: string): string => {
    const found = row[key]
    if (typeof found !== 'string' || found === '') throw rowError(`${key} must be given as a text`)
    return found
  }
  return {
    text,
    optionalText: (key) => (row[key] === undefined || row[key] === null ? undefined : text(key)),
    choice(key, menu) {
      const found = text(key)
      if (!menu.includes(found)) throw rowError(`${key} must be one of ${menu.join(', ')}, not "${found}"`)
      return found
    },
    whole(key, fallback, least) {
      const found = row[key] ?? fallback
      if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < least || found > 1e9)
        throw rowError(
          `${key} must be a whole number of at least ${least}${found === undefined ? '' : `, not ${String(found)}`}`,
        )
      return found
    },
  }
}
