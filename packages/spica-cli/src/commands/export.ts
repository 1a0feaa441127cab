import { resolve } from 'node:path'
import { SpicaError } from '@spica/schema'
import { EXIT } from '../exit-codes.js'
import { DEFAULT_DYNAMO_VERSION } from '../export/dynamo-version.js'
import { openExportableStudy } from '../export/export-study.js'
import { candidateFolder, type Exported, writeExport } from '../export/write-exports.js'
import { type CommandEnvironment, type CommandRegistration, printJson } from './command.js'
import { wholeNumber } from './flags.js'

interface ExportFlags {
  candidate?: number
  all?: true
  dynamoVersion: string
  json?: true
}

export const registerExport: CommandRegistration = (program, environment) => {
  program
    .command('export')
    .description('write candidates of a study as Kubernetes manifests (DynamoGraphDeployment) and engine command lines')
    .argument('<folder>', 'folder of the sweep (its --out)')
    .option('--candidate <n>', 'number in candidates.json, from 1', wholeNumber(1))
    .option('--all', 'every candidate of the ranking or front')
    .option('--dynamo-version <version>', 'picks image and flags', DEFAULT_DYNAMO_VERSION)
    .option('--json', 'print what was written')
    .action((folder: string, flags: ExportFlags) => exportCandidates(resolve(folder), flags, environment))
}

function exportCandidates(folder: string, flags: ExportFlags, environment: CommandEnvironment): void {
  if ((flags.candidate === undefined) === (flags.all === undefined)) {
    throw new SpicaError('input', 'flags', 'give --candidate N or --all, and not both')
  }
  const study = openExportableStudy(folder)
  const count = study.candidates.length
  if (flags.candidate !== undefined && flags.candidate > count) {
    throw new SpicaError('input', 'no-such-candidate', `there is no candidate ${flags.candidate}`, {
      hint: count === 0 ? 'the study found nothing feasible' : `the study has candidates 1 to ${count}`,
    })
  }
  const numbers = flags.candidate === undefined ? study.candidates.map((_, index) => index + 1) : [flags.candidate]
  const exported: Exported[] = []
  for (const number of numbers) {
    const sample = study.candidates[number - 1]
    if (sample === undefined) continue
    const result = study.export(sample, number, flags.dynamoVersion)
    exported.push(writeExport(folder, candidateFolder(number), number, result))
  }
  if (flags.json === true) printJson(environment, { folder, dynamo_version: flags.dynamoVersion, exported })
  else print(exported, environment)
  if (numbers.length === 0 || exported.some(({ error }) => error !== null)) environment.setExitCode(EXIT.empty)
}

function print(exported: readonly Exported[], environment: CommandEnvironment): void {
  if (exported.length === 0) environment.stderr.write('the study found nothing feasible: there is nothing to export\n')
  for (const { candidate, files, error } of exported) {
    if (error === null) for (const file of files) environment.stdout.write(`${file}\n`)
    else environment.stderr.write(`candidate ${candidate} cannot be deployed: ${error.message} (${error.code})\n`)
  }
  for (const warning of new Set(exported.flatMap(({ warnings }) => warnings)))
    environment.stderr.write(`warning: ${warning}\n`)
}
