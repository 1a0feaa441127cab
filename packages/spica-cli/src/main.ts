#!/usr/bin/env node
import { CommanderError } from 'commander'
import { errorText } from './commands/print-error.js'
import { createProgram } from './commands/program.js'
import { EXIT, exitCodeOf } from './exit-codes.js'

const debug = process.argv.includes('--debug')

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.success)
    throw error
  })
}
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const program = createProgram({
  stdout: process.stdout,
  stderr: process.stderr,
  setExitCode: (code) => {
    process.exitCode = code
  },
  onInterrupt(handler) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, handler)
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, handler)
    }
  },
})
program.parseAsync().catch(fail)

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.success : EXIT.input
    return
  }
  process.stderr.write(errorText(error, debug))
  process.exitCode = exitCodeOf(error)
  // Threads or connections that an error left behind must not keep the process alive.
  setImmediate(() => process.exit())
}
