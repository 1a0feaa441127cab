import { LATENCY_ROW_KEYS, type LatencyAnswer, latencyAnswerer } from '@spica/perf-model'
import { type Compat, type PerfModelName, SpicaError } from '@spica/schema'
import { Option } from 'commander'
import { openPerfInputs } from '../inputs/perf-inputs.js'
import { significant, textTable } from '../output/text-table.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { addRowFlags, answerBatch, rowLookups, rowOfFlags } from './row-flags.js'

interface LatencyFlags extends Readonly<Record<string, unknown>> {
  perfModel?: PerfModelName
  perfDb?: string
  perfPoints?: string
  compat?: Compat[]
  batch?: string
  json?: true
}

type Answered = Exclude<LatencyAnswer, { readonly error: unknown }>

export const registerLatency: CommandRegistration = (program, environment) => {
  const command = program.command('latency').description('estimate the time of one engine pass, with its operators')
  const keys = LATENCY_ROW_KEYS.filter((key) => key !== 'batch')
  addRowFlags(command, keys)
    .option('--batch <number-or-file>', 'sequences of the pass, or a JSONL file to answer row per row')
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--perf-points <file>', 'your own measured points, CSV')
    .option('--compat <list>', 'restore upstream quirks: aic-0.11', compatList)
    .option('--json', 'print JSON')
    .action(async (flags: LatencyFlags) => {
      const answer = answererOf(flags)
      const file = (flags['batchFile'] as string | undefined) ?? (isCount(flags.batch) ? undefined : flags.batch)
      if (file !== undefined) return answerBatch(file, environment, answer)
      const result = await answer(rowOfFlags(LATENCY_ROW_KEYS, flags))
      if (flags.json === true) return printJson(environment, result)
      const rows = result.operators.map(({ name, ms, source }) => [name, significant(ms), source])
      environment.stdout.write(`${significant(result.ms, 6)} ms\n${textTable(['operator', 'ms', 'source'], rows)}\n`)
    })
}

function isCount(text: string | undefined): boolean {
  return text === undefined || /^\s*-?\d+(\.\d+)?\s*$/.test(text)
}

/** Answers rows by the model that the flags name; a row without an answer is thrown as an `input` error. */
function answererOf(flags: LatencyFlags): (row: unknown) => Promise<Answered> {
  const perf = {
    model: flags.perfModel ?? null,
    database: flags.perfDb ?? null,
    points: flags.perfPoints ?? null,
  }
  const { model, database, points } = openPerfInputs(perf, process.cwd())
  const answer = latencyAnswerer({
    ...rowLookups(),
    perfModel: model,
    ...(database === null ? {} : { database }),
    ...(points === null ? {} : { points }),
    ...(flags.compat?.includes('aic-0.11') === true ? { compat: 'aic-0.11' as const } : {}),
  })
  return async (row) => {
    const result = await answer(row)
    if ('error' in result) throw new SpicaError('input', result.error.code, result.error.message)
    return result
  }
}
