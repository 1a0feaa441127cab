import { availableParallelism } from 'node:os'
import { Option } from 'commander'
import { startBrokerWorker } from '../broker/broker-worker.js'
import { withEnvironmentPassword } from '../broker/connection.js'
import { WORKER_FILE } from '../executors/registry.js'
import { VERSION } from '../version.js'
import type { CommandRegistration } from './command.js'
import { wholeNumber } from './flags.js'

interface WorkerFlags {
  broker: string
  workers?: number
  memoryLimit?: number
  quiet?: true
}

export const registerWorker: CommandRegistration = (program, environment) => {
  program
    .command('worker')
    .description('serve evaluations of sweeps on other machines, through Redis or Valkey')
    .addOption(
      new Option('--broker <url>', 'redis:// or, with TLS, rediss://').env('SPICA_BROKER').makeOptionMandatory(),
    )
    .addOption(
      new Option('--workers <n>', 'evaluations at once (default: cores)')
        .argParser(wholeNumber(1, 1024))
        .env('SPICA_WORKERS'),
    )
    .option('--memory-limit <mb>', 'heap limit of each thread, at most', wholeNumber(32))
    .option('--quiet', 'no log')
    .action(async (flags: WorkerFlags) => {
      const log = (message: string) => void environment.stderr.write(`${message}\n`)
      const worker = await startBrokerWorker({
        brokerUrl: withEnvironmentPassword(flags.broker),
        version: VERSION,
        threads: flags.workers ?? availableParallelism(),
        workerFile: WORKER_FILE,
        memoryLimitMb: flags.memoryLimit ?? null,
        ...(flags.quiet === true ? {} : { onLog: log }),
      })
      await new Promise<void>((resolve) => {
        let stops = 0
        const release = environment.onInterrupt(() => {
          stops++
          if (stops === 1) log('stopping: running evaluations finish first; once more to leave now')
          void (stops === 1 ? worker.close() : worker.abort()).finally(() => {
            release()
            resolve()
          })
        })
      })
    })
}
