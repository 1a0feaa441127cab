import { resolve } from 'node:path'
import { writeReport } from '../report/write-report.js'
import { type CommandRegistration, printJson } from './command.js'

interface ReportFlags {
  overlay?: string
  json?: true
}

export const registerReport: CommandRegistration = (program, environment) => {
  program
    .command('report')
    .description('write report.html of a study: one file, to open in any browser, offline')
    .argument('<folder>', 'folder of the sweep (its --out)')
    .option(
      '--overlay <path>',
      'points to lay over the plot: a CSV with columns named after the objectives (and name), or the folder of another study',
    )
    .option('--json', 'print where the report is and what it holds')
    .action((folder: string, flags: ReportFlags) => {
      const overlay = flags.overlay === undefined ? {} : { overlay: resolve(flags.overlay) }
      const { path, bytes, data } = writeReport(resolve(folder), overlay)
      if (flags.json === true)
        printJson(environment, {
          report: path,
          bytes,
          kind: data.kind,
          trials: data.trials.length,
          feasible: data.feasible.length,
          candidates: data.candidates.length,
          overlay_points: data.overlay?.points.length ?? 0,
        })
      else environment.stdout.write(`${path}\n`)
    })
}
