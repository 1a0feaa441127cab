import { resolve } from 'node:path'
import { type Compat, closestMatch, type PerfModelName, SpicaError } from '@spica/schema'
import { type Command, Option } from 'commander'
import { withEnvironmentPassword } from '../broker/connection.js'
import { EXECUTOR_NAMES } from '../executors/registry.js'
import { EXIT } from '../exit-codes.js'
import { incumbentRefresher } from '../export/write-exports.js'
import { defaultOutputFolder, STUDY_FILES } from '../io/output-folder.js'
import { candidatesJson } from '../output/candidates.js'
import { createProgress } from '../output/progress.js'
import { bestText, sweepSummary } from '../output/sweep-summary.js'
import { nothingFeasibleText } from '../study/remedies.js'
import { runSweep } from '../study/run-sweep.js'
import { openEnumerationInputs } from '../study/study-inputs.js'
import type { SweepResult } from '../study/sweep-result.js'
import { afterSweep } from './after-sweep.js'
import type { CommandEnvironment, CommandRegistration } from './command.js'
import { compatList, finiteNumber, wholeNumber } from './flags.js'
import { resolveSweepConfig } from './sweep-config.js'
import { refuseSweepConflicts } from './sweep-conflicts.js'

interface SweepFlags {
  config?: string
  out?: string
  resume?: string
  workers?: number
  seed?: number
  perfModel?: PerfModelName
  perfDb?: string
  perfPoints?: string
  executor: 'local' | 'bullmq'
  broker?: string
  timeLimit?: number
  memoryLimit?: number
  compat?: Compat[]
  quiet?: true
  json?: true
}

export const registerSweep: CommandRegistration = (program, environment) => {
  program
    .command('sweep', { isDefault: true })
    .description(
      'search the deployments of a config and save a ranking or a Pareto front (also plain `spica --config FILE`)',
    )
    .option('--config <file>', 'sweep config, YAML; may be left out with --resume')
    .option('--out <folder>', 'where to save everything (default: spica-out/<timestamp>)')
    .option('--resume <folder>', 'go on with the study of a folder')
    .addOption(
      new Option('--workers <n>', 'evaluations at once (default: cores)')
        .argParser(wholeNumber(1, 1024))
        .env('SPICA_WORKERS'),
    )
    .option('--seed <n>', 'replaces sweep.random_seed', wholeNumber(0, 2 ** 32 - 1))
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--perf-points <file>', 'your own measured points, CSV; they rescale the roofline')
    .addOption(new Option('--executor <name>', 'where evaluations run').choices(EXECUTOR_NAMES).default('local'))
    .addOption(new Option('--broker <url>', 'Redis or Valkey of the bullmq executor').env('SPICA_BROKER'))
    .option('--time-limit <seconds>', 'stop the whole sweep after this long', finiteNumber(0))
    .option('--memory-limit <mb>', 'heap limit of each worker', wholeNumber(32))
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4, aic-0.11', compatList)
    .option('--quiet', 'no progress, no table')
    .option('--json', 'print the candidates as JSON')
    .action((flags: SweepFlags, command: Command) => {
      refuseUnknownCommand(command, program)
      refuseSweepConflicts(flags, command)
      return sweep(flags, environment)
    })
}

/** Since sweep is the command of a bare command line, a word that is no command arrives here. */
function refuseUnknownCommand(command: Command, program: Command): void {
  const [word] = command.args
  if (word === undefined) return
  const near = closestMatch(
    word,
    program.commands.map((known) => known.name()),
  )
  throw new SpicaError('input', 'unknown-command', `there is no command "${word}"`, {
    hint: near === undefined ? 'spica --help lists them' : `did you mean spica ${near}?`,
  })
}

async function sweep(flags: SweepFlags, environment: CommandEnvironment): Promise<void> {
  const resolved = resolveSweepConfig(flags.config, flags.resume, flags)
  const folder = resolve(flags.resume ?? flags.out ?? defaultOutputFolder(new Date()))
  const quiet = flags.quiet === true
  const progress = createProgress({ stream: environment.stderr, quiet, now: () => performance.now() })
  const note = (message: string) => {
    if (!quiet) progress.note(message)
  }
  for (const warning of resolved.warnings) note(`warning: ${warning}`)
  const hard = new AbortController()
  const soft = new AbortController()
  const release = environment.onInterrupt(() => {
    if (soft.signal.aborted) hard.abort()
    else {
      soft.abort()
      note('stopping: running evaluations finish first; press Ctrl-C again to stop now')
    }
  })
  const { goal, sweep: limits } = resolved.config
  const perRound = limits.candidates_per_round ?? limits.parallel_evals
  const at = { branch: '', round: 1, done: 0, total: 0, best: null as string | null }
  const refreshIncumbent = incumbentRefresher(folder)
  let result: SweepResult
  try {
    result = await runSweep(resolved.config, {
      folder: resolved.folder,
      out: folder,
      resume: flags.resume !== undefined,
      executor: flags.executor,
      compat: resolved.compat,
      overrides: resolved.overrides,
      signal: hard.signal,
      softSignal: soft.signal,
      ...(flags.workers === undefined ? {} : { workers: flags.workers }),
      ...(flags.broker === undefined ? {} : { broker: withEnvironmentPassword(flags.broker) }),
      ...(flags.timeLimit === undefined ? {} : { timeLimitSeconds: flags.timeLimit }),
      ...(flags.memoryLimit === undefined ? {} : { memoryLimitMb: flags.memoryLimit }),
      onNotice: note,
      onPlan(plan) {
        at.total = plan.branches.length * limits.max_rounds * perRound
        for (const branch of plan.enumeration.branches)
          note(`${branch.deploymentMode}: ${branch.pool.size} configurations on ${branch.backends.join(', ')}`)
      },
      onTrial(record, tally) {
        at.branch = record.branch
        at.round = record.round
        at.done = tally.feasible
        progress.update({ ...at, tally })
      },
      onRound(report) {
        refreshIncumbent(report.candidates)
        at.best = bestText(report.candidates, goal)
      },
    })
  } finally {
    release()
    progress.end()
  }
  await afterSweep(folder, result, note)
  if (flags.json === true) environment.stdout.write(candidatesJson(result.candidates))
  else if (!quiet) environment.stdout.write(sweepSummary(result, goal, folder))
  environment.setExitCode(exitOf(result))
  if (result.candidates.length === 0 && result.stopped === 'finished') {
    const { config, compat } = resolved
    const inputs = openEnumerationInputs(config, resolved.folder)
    const remedy = nothingFeasibleText(result.trials, config, inputs, compat)
    environment.stderr.write(
      `nothing feasible was found; ${STUDY_FILES.ledger} in ${folder} says why for each trial\n${remedy}\n`,
    )
  }
}

function exitOf(result: SweepResult): number {
  if (result.stopped === 'interrupted') return EXIT.interrupted
  return result.candidates.length === 0 ? EXIT.empty : EXIT.success
}
