#!/usr/bin/env node
import { errorText } from './commands/print-error.js'
import { EXIT, exitCodeOf } from './exit-codes.js'
import { runCli } from './run-cli.js'

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe has left, as `| head` does.
    process.exit(error.code === 'EPIPE' ? EXIT.success : EXIT.environment)
  })
}
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.stderr.write(errorText(error, process.argv.includes('--debug')))
    process.exit(exitCodeOf(error))
  })
}

const code = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(handler) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, handler)
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, handler)
    }
  },
})
process.exitCode = code
// Threads or connections that a failure left behind must not keep the process alive.
if (code !== EXIT.success) setTimeout(() => process.exit(), 2000).unref()
