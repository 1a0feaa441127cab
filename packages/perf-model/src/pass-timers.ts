import { type OperatorSource, type OperatorTime, type PassQuery, type PerfModel, SpicaError } from '@spica/schema'
import type { Timer } from './roofline/timer.js'

/** One operator of a pass, ready to time: runs `count` times. */
export interface TimedOperator {
  readonly name: string
  readonly count: number
  readonly timer: Timer
  readonly source: OperatorSource
  /** Its decode time depends on the number of sequences alone; default false. */
  readonly lengthFree?: boolean
  /** Source of one particular time, where it depends on the pass. */
  readonly sourceAt?: (batch: number, length: number, prefix: number) => OperatorSource
}

/** Correction factor of a pass as a function of its uncorrected time in ms. */
export type PassScale = (predictedMs: number) => number

/** Operators of one phase, with the correction that the user's own points ask for, if any. */
export interface PhaseTimers {
  readonly operators: readonly TimedOperator[]
  readonly scale: PassScale | null
}

export interface PassTimers {
  readonly prefill: PhaseTimers
  readonly decode: PhaseTimers
}

/** A PerfModel over bound operators; a pass is the plain sum of its operators' times × counts. */
export function timersModel(name: string, timers: PassTimers, maxNumBatchedTokens?: number): PerfModel {
  const prefill = passTimer(timers.prefill)
  const decode = decodeTimer(timers.decode)
  const prefillMs = (batch: number, meanIsl: number, meanPrefix: number): number => {
    if (!(batch > 0) || !(meanIsl > meanPrefix)) return 0
    return prefill(batch, meanIsl, meanPrefix)
  }
  return {
    name,
    prefillMs: maxNumBatchedTokens === undefined ? prefillMs : chunkedPrefill(prefillMs, maxNumBatchedTokens),
    decodeMs(batch: number, _activeKvTokens: number, meanContext: number): number {
      if (!(batch > 0)) return 0
      return decode(batch, meanContext + 1, meanContext)
    },
    explain(query: PassQuery): readonly OperatorTime[] {
      if (!(query.batch > 0)) return []
      if (query.phase === 'decode') return explainAt(timers.decode, query.batch, query.context + 1, query.context)
      if (!(query.isl > query.prefix)) return []
      if (maxNumBatchedTokens === undefined) return explainAt(timers.prefill, query.batch, query.isl, query.prefix)
      return explainChunks(timers.prefill, query, maxNumBatchedTokens)
    },
  }
}

/** Time of a whole phase: the sum over its operators, corrected. */
export function passTimer(phase: PhaseTimers): Timer {
  const { scale } = phase
  const sum = sumTimer(phase.operators)
  if (scale === null) return sum
  return (batch, length, prefix) => {
    const ms = sum(batch, length, prefix)
    return ms * scale(ms)
  }
}

/** Batches whose length-free part a model remembers: 32 KiB, filled as asked. */
const REMEMBERED_BATCHES = 4096

/** Recent (batch, length) pairs whose time a model remembers: 256 KiB. A power of two. */
const REMEMBERED_PASSES = 1 << 14
/** Lengths that fit into a key beside the batch. */
const LENGTH_LIMIT = 2 ** 26

/**
 * Time of a decode phase. Most operators see only the number of sequences; their sum is remembered per batch. Whole passes are
 * remembered too, the newest per slot: ranks and workers in lockstep ask for the same few over and over.
 */
function decodeTimer(phase: PhaseTimers): Timer {
  const free = sumTimer(phase.operators.filter((operator) => operator.lengthFree === true))
  const dependent = sumTimer(phase.operators.filter((operator) => operator.lengthFree !== true))
  const known = new Float64Array(REMEMBERED_BATCHES + 1).fill(Number.NaN)
  const keys = new Float64Array(REMEMBERED_PASSES).fill(-1)
  const times = new Float64Array(REMEMBERED_PASSES)
  const { scale } = phase
  const passMs = (base: number, batch: number, length: number, prefix: number): number => {
    const ms = base + dependent(batch, length, prefix)
    return scale === null ? ms : ms * scale(ms)
  }
  return (batch, length, prefix) => {
    const isWhole =
      batch <= REMEMBERED_BATCHES && length < LENGTH_LIMIT && Number.isInteger(batch) && Number.isInteger(length)
    if (!isWhole || prefix !== length - 1) return passMs(free(batch, 1, 0), batch, length, prefix)
    const key = batch * LENGTH_LIMIT + length
    const slot = (length * 61 + batch) & (REMEMBERED_PASSES - 1)
    if (keys[slot] === key) return times[slot]!
    let base = known[batch]!
    if (Number.isNaN(base)) {
      base = free(batch, 1, 0)
      known[batch] = base
    }
    const ms = passMs(base, batch, length, prefix)
    keys[slot] = key
    times[slot] = ms
    return ms
  }
}

function sumTimer(operators: readonly TimedOperator[]): Timer {
  const active = operators.filter((operator) => operator.count > 0)
  const counts = Float64Array.from(active.map((operator) => operator.count))
  const timers = active.map((operator) => operator.timer)
  const size = timers.length
  return (batch, length, prefix) => {
    let sum = 0
    for (let index = 0; index < size; index++) sum += counts[index]! * timers[index]!(batch, length, prefix)
    return sum
  }
}

function explainAt(phase: PhaseTimers, batch: number, length: number, prefix: number): readonly OperatorTime[] {
  const times = phase.operators.map(({ name, count, timer, source, sourceAt }) => ({
    name,
    ms: count * timer(batch, length, prefix),
    source: sourceAt === undefined ? source : sourceAt(batch, length, prefix),
  }))
  const { scale } = phase
  if (scale === null) return times
  const factor = scale(times.reduce((sum, time) => sum + time.ms, 0))
  return times.map(({ name, ms }) => ({ name, ms: ms * factor, source: 'user-points' }))
}

/** One chunk of a prompt pass. */
interface Chunk {
  readonly batch: number
  readonly isl: number
  readonly prefix: number
}

/**
 * The passes that compute `batch` prompts under a token budget: whole prompts side by side while they fit, and a prompt
 * longer than the budget alone, in chunks of the budget.
 */
export function prefillChunks(batch: number, isl: number, prefix: number, budget: number): readonly Chunk[] {
  const fresh = isl - prefix
  if (batch * fresh <= budget) return [{ batch, isl, prefix }]
  const chunks: Chunk[] = []
  if (fresh <= budget) {
    const together = Math.max(1, Math.floor(budget / fresh))
    for (let left = batch; left > 0; left -= together) chunks.push({ batch: Math.min(left, together), isl, prefix })
    return chunks
  }
  for (let left = batch; left > 0; left--) {
    const share = Math.min(1, left)
    for (let done = prefix; done < isl; done += budget) {
      chunks.push({ batch: share, isl: Math.min(isl, done + budget), prefix: done })
    }
  }
  return chunks
}

function chunkedPrefill(prefillMs: PerfModel['prefillMs'], budget: number): PerfModel['prefillMs'] {
  if (!Number.isFinite(budget) || budget < 1) {
    throw new SpicaError('input', 'invalid-perf-option', `maxNumBatchedTokens must be at least 1, got ${budget}`)
  }
  return (batch, meanIsl, meanPrefix) => {
    if (!(batch > 0) || !(meanIsl > meanPrefix)) return 0
    let sum = 0
    for (const chunk of prefillChunks(batch, meanIsl, meanPrefix, budget)) {
      sum += prefillMs(chunk.batch, chunk.isl, chunk.prefix)
    }
    return sum
  }
}

function explainChunks(
  phase: PhaseTimers,
  query: { readonly batch: number; readonly isl: number; readonly prefix: number },
  budget: number,
): readonly OperatorTime[] {
  const sums = phase.operators.map(({ name, source }) => ({
    name,
    ms: 0,
    source: phase.scale === null ? source : ('user-points' as const),
  }))
  for (const chunk of prefillChunks(query.batch, query.isl, query.prefix, budget)) {
    explainAt(phase, chunk.batch, chunk.isl, chunk.prefix).forEach((time, index) => {
      sums[index]!.ms += time.ms
    })
  }
  return sums
}
