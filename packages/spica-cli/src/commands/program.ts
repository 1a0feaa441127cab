import { Command } from 'commander'
import { VERSION } from '../version.js'
import { registerCatalog } from './catalog.js'
import type { CommandEnvironment, CommandRegistration } from './command.js'
import { registerCompletion } from './completion.js'
import { registerEnumerate } from './enumerate.js'
import { registerExplain } from './explain.js'
import { registerExport } from './export.js'
import { registerForecast } from './forecast.js'
import { registerInit } from './init.js'
import { registerKv } from './kv.js'
import { registerLatency } from './latency.js'
import { registerReplay } from './replay.js'
import { registerReport } from './report.js'
import { registerSchema } from './schema.js'
import { registerSweep } from './sweep.js'
import { registerTrace } from './trace.js'
import { registerValidate } from './validate.js'
import { registerWorker } from './worker.js'

/** Every command, in the order of `--help`. To add one: a file in this folder and a line here. */
const COMMANDS: readonly CommandRegistration[] = [
  registerSweep,
  registerValidate,
  registerEnumerate,
  registerExplain,
  registerKv,
  registerLatency,
  registerForecast,
  registerReplay,
  registerTrace,
  registerReport,
  registerExport,
  registerWorker,
  registerSchema,
  registerInit,
  registerCatalog,
  registerCompletion,
]

/** The whole command line. Throws `CommanderError` for wrong usage, whatever a command throws otherwise. */
export function createProgram(environment: CommandEnvironment): Command {
  const program = new Command('spica')
    .description(
      'Finds how to deploy an LLM on your GPUs: enumerates legal configurations, replays your traffic on them, and searches\n' +
        'for the best. Experimental: its figures are predictions, not guarantees.',
    )
    .version(VERSION, '-V, --version')
    .option('--debug', 'show stack traces of errors')
    .showHelpAfterError('(add --help for the flags)')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void environment.stdout.write(text),
      writeErr: (text) => void environment.stderr.write(text),
    })
  for (const register of COMMANDS) register(program, environment)
  inherit(program)
  // Words that are no command reach the default command, which names them better.
  program.commands.find((command) => command.name() === 'sweep')?.allowExcessArguments(true)
  return program
}

/** Sub-commands throw instead of exiting, and write where the program writes. */
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inherit(child)
  }
}
