import { type PerfModel, SpicaError } from '@spica/schema'

/** Passes between looks at the clock. */
const CHECK_EVERY = 1024

/**
 * The same model, which ends an evaluation that passes `deadlineMs` (a `performance.now()` value) by throwing `time-limit`:
 * how a time limit works where no thread can be stopped.
 */
export function withDeadline(model: PerfModel, deadlineMs: number): PerfModel {
  if (deadlineMs === Number.POSITIVE_INFINITY) return model
  let left = CHECK_EVERY
  const look = () => {
    left = CHECK_EVERY
    if (performance.now() > deadlineMs)
      throw new SpicaError('environment', 'time-limit', 'ran longer than the time limit of an evaluation')
  }
  return {
    name: model.name,
    prefillMs(batch, meanIsl, meanPrefix) {
      if (--left === 0) look()
      return model.prefillMs(batch, meanIsl, meanPrefix)
    },
    decodeMs(batch, activeKvTokens, meanContext, totalKvTokens) {
      if (--left === 0) look()
      return model.decodeMs(batch, activeKvTokens, meanContext, totalKvTokens)
    },
    explain: (query) => model.explain(query),
  }
}
