import { type OperatorTime, type PassQuery, type PerfModel, SpicaError } from '@spica/schema'

/** Times of the constant model, milliseconds. */
export interface ConstantModelOptions {
  /** Every non-empty prefill pass; default 10. */
  readonly prefillMs?: number
  /** Every non-empty decode pass; default 1. */
  readonly decodeMs?: number
}

/** A model that answers the same time for every pass: for tests, teaching and benchmarks of the replay engine itself. */
export function createConstantModel(options: ConstantModelOptions = {}): PerfModel {
  const prefill = options.prefillMs ?? 10
  const decode = options.decodeMs ?? 1
  for (const [name, value] of [
    ['prefillMs', prefill],
    ['decodeMs', decode],
  ] as const) {
    if (!Number.isFinite(value) || value <= 0) {
      throw new SpicaError(
        'input',
        'invalid-perf-option',
        `${name} must be a positive number of milliseconds, got ${value}`,
      )
    }
  }
  const prefillMs = (batch: number, meanIsl: number, meanPrefix: number): number =>
    batch === 0 || meanIsl <= meanPrefix ? 0 : prefill
  const decodeMs = (batch: number): number => (batch === 0 ? 0 : decode)
  return {
    name: 'constant',
    prefillMs,
    decodeMs,
    explain(query: PassQuery): readonly OperatorTime[] {
      const ms = query.phase === 'prefill' ? prefillMs(query.batch, query.isl, query.prefix) : decodeMs(query.batch)
      return [{ name: query.phase, ms, source: 'estimate' }]
    },
  }
}
