import { SpicaError } from '@spica/schema'

/** What the process exits with. */
export const EXIT = {
  success: 0,
  /** Ran, but nothing is feasible. */
  empty: 1,
  /** Invalid config, trace, flag, model or SKU; unreadable input; resume mismatch. */
  input: 2,
  /** Unwritable output, missing database, broker, version mismatch, or a defect of ours. */
  environment: 3,
  /** Ctrl-C, with everything so far saved. */
  interrupted: 130,
} as const

/** Exit code an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof SpicaError)) return EXIT.environment
  if (error.kind === 'input') return EXIT.input
  if (error.kind === 'empty') return EXIT.empty
  return EXIT.environment
}
