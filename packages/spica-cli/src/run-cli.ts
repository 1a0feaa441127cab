import { CommanderError } from 'commander'
import type { CommandEnvironment } from './commands/command.js'
import { errorText } from './commands/print-error.js'
import { createProgram } from './commands/program.js'
import { EXIT, exitCodeOf } from './exit-codes.js'

/** Runs one command line (without `node` and the script). Resolves with the exit code; what went wrong is on `stderr`. */
export async function runCli(
  args: readonly string[],
  environment: Omit<CommandEnvironment, 'setExitCode'>,
): Promise<number> {
  let code: number = EXIT.success
  const program = createProgram({ ...environment, setExitCode: (wanted) => void (code = wanted) })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.input
    environment.stderr.write(errorText(error, args.includes('--debug')))
    return exitCodeOf(error)
  }
}
