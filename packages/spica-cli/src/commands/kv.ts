import { estimateRow, KV_ROW_KEYS, type KvEstimate, type KvRowOptions, kvRow } from '@spica/kv-estimate'
import { type Compat, SpicaError } from '@spica/schema'
import { textTable } from '../output/text-table.js'
import { rowChanges, sequenceShortfallBytes } from '../study/row-change.js'
import { type CommandRegistration, printJson } from './command.js'
import { compatList } from './flags.js'
import { addRowFlags, answerBatch, rowLookups, rowOfFlags } from './row-flags.js'

interface KvFlags extends Readonly<Record<string, unknown>> {
  compat?: Compat[]
  batch?: string
  json?: true
}

export const registerKv: CommandRegistration = (program, environment) => {
  const command = program.command('kv').description('estimate the KV cache of one GPU, with its breakdown')
  addRowFlags(command, KV_ROW_KEYS)
    .option('--batch <file>', 'answer a JSONL file, a row per row')
    .option('--compat <list>', 'restore upstream quirks: aic-0.11', compatList)
    .option('--json', 'print JSON')
    .action(async (flags: KvFlags) => {
      const options = {
        ...rowLookups(),
        ...(flags.compat?.includes('aic-0.11') ? { compat: 'aic-0.11' as const } : {}),
      }
      const file = flags.batch ?? (flags['batchFile'] as string | undefined)
      if (file !== undefined) return answerBatch(file, environment, (row) => kvRow(row, options))
      const row = rowOfFlags(KV_ROW_KEYS, flags)
      const answer = kvRow(row, options)
      if ('error' in answer)
        throw new SpicaError('input', answer.error.code, answer.error.message, {
          ...(answer.error.hint === undefined ? {} : { hint: answer.error.hint }),
        })
      if (flags.json === true) return printJson(environment, answer)
      const estimate = estimateRow(row, options)
      const gib = (bytes: number) => Number((bytes / 2 ** 30).toFixed(3))
      const rows: [string, number][] = [
        ['weights', gib(estimate.weightsBytes)],
        ['activations', gib(estimate.activationsBytes)],
        ['runtime', gib(estimate.runtimeOverheadBytes)],
        ['communication', gib(estimate.commOverheadBytes)],
        ['left for the KV cache', gib(estimate.kvBudgetBytes)],
        ['capacity', gib(estimate.capacityBytes)],
      ]
      const verdict = estimate.feasible
        ? `${estimate.totalKvSizeTokens} tokens of KV cache per GPU, ${Math.round(estimate.kvSizePerTokenBytes)} bytes each (${estimate.kvFormat})`
        : `does not fit: ${estimate.reason?.message}; ${gib(estimate.shortfallBytes)} GiB short`
      const warnings = estimate.warnings.map(({ message }) => `warning: ${message}\n`).join('')
      environment.stdout.write(
        `${verdict}\n${textTable(['part', 'GiB'], rows)}\n${sequenceText(row, estimate, options)}${warnings}`,
      )
    })
}

/** Whether one sequence of the longest length fits, by how much not, and what alone would cure it. */
function sequenceText(row: Readonly<Record<string, unknown>>, estimate: KvEstimate, options: KvRowOptions): string {
  const { maxSequenceTokens } = estimate
  const lacks = sequenceShortfallBytes(estimate)
  if (lacks === 0) return ''
  const changes = rowChanges(row, options)
  const cure = changes.length === 0 ? 'no single change is enough' : 'any one of these is enough'
  const head = `one sequence of ${maxSequenceTokens} tokens lacks ${(lacks / 2 ** 30).toFixed(2)} GiB per GPU; ${cure}`
  return [head, ...changes.map((change) => `  ${change}`)].join('\n') + '\n'
}
