import { resolve } from 'node:path'
import { SpicaError } from '@spica/schema'
import type { Command } from 'commander'

interface ConflictingFlags {
  readonly out?: string
  readonly resume?: string
  readonly executor: string
  readonly broker?: string
}

/** Refuses flags of a sweep that would be ignored beside others, with an `input` error. */
export function refuseSweepConflicts(flags: ConflictingFlags, command: Command): void {
  const conflict = (message: string, hint: string): never => {
    throw new SpicaError('input', 'conflicting-flags', message, { hint })
  }
  for (const name of ['out', 'resume'] as const) {
    if (flags[name]?.trim() === '') conflict(`--${name} names no folder`, `leave --${name} out, or name one`)
  }
  if (flags.out !== undefined && flags.resume !== undefined && resolve(flags.out) !== resolve(flags.resume))
    conflict('--resume goes on in its own folder, so --out cannot name another', 'leave one of them out')
  if (flags.broker !== undefined && flags.executor === 'local' && command.getOptionValueSource('broker') === 'cli')
    conflict('--broker is for --executor bullmq, not for local evaluations', 'add --executor bullmq, or leave it out')
}
