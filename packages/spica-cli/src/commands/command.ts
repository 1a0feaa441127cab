import type { Command } from 'commander'

/** Where a command writes and what it may ask of its process. */
export interface CommandEnvironment {
  readonly stdout:
    | NodeJS.WriteStream
    | { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr:
    | NodeJS.WriteStream
    | { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }
  /** Exit code of the process unless the command throws. */
  setExitCode(code: number): void
  /** Calls back on Ctrl-C or a termination signal until the returned function is called. */
  onInterrupt(handler: () => void): () => void
}

/** Adds one command to the program. */
export type CommandRegistration = (program: Command, environment: CommandEnvironment) => void

/** JSON of a result, for `--json`. */
export function printJson(environment: CommandEnvironment, value: unknown): void {
  environment.stdout.write(JSON.stringify(value, null, 2) + '\n')
}
