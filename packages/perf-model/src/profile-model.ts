import { type OperatorTime, type PassQuery, type PerfModel, SpicaError } from '@spica/schema'

/** A planner profile: measured prefill times over prompt tokens, and decode times over tokens in use × mean context. */
export interface PlannerProfile {
  /** New prompt tokens, ascending. */
  readonly prefillIsl: ArrayLike<number>
  readonly prefillTtftMs: ArrayLike<number>
  /** KV tokens in use, ascending. */
  readonly decodeActiveKvTokens: ArrayLike<number>
  /** Mean context in tokens, ascending. */
  readonly decodeContextLength: ArrayLike<number>
  /** Row-major [active KV tokens][context]. */
  readonly decodeItlMs: ArrayLike<number>
}

/**
 * A model over a planner profile: prefill is piecewise linear in the new tokens of the pass, decode bilinear in KV tokens in use
 * and mean context; both go on linearly beyond their ends, never below zero.
 *
 * @throws SpicaError `invalid-profile` for arrays that are empty, unsorted, of unequal size, or not finite.
 */
export function createProfileModel(profile: PlannerProfile): PerfModel {
  const tokens = ascending('prefill_isl', profile.prefillIsl)
  const ttft = finite('prefill_ttft_ms', profile.prefillTtftMs, tokens.length)
  const kv = ascending('decode_active_kv_tokens', profile.decodeActiveKvTokens)
  const contexts = ascending('decode_context_length', profile.decodeContextLength)
  const itl = finite('decode_itl', profile.decodeItlMs, kv.length * contexts.length)
  const rows = Array.from({ length: kv.length }, (_, row) =>
    itl.subarray(row * contexts.length, (row + 1) * contexts.length),
  )
  const prefillMs = (batch: number, meanIsl: number, meanPrefix: number): number =>
    batch === 0 || meanIsl <= meanPrefix ? 0 : Math.max(0, linear(tokens, ttft, batch * (meanIsl - meanPrefix)))
  const column = new Float64Array(kv.length)
  const decodeMs = (batch: number, activeKvTokens: number, meanContext: number): number => {
    if (batch === 0) return 0
    rows.forEach((row, index) => {
      column[index] = linear(contexts, row, meanContext)
    })
    return Math.max(0, linear(kv, column, activeKvTokens))
  }
  return {
    name: 'profile',
    prefillMs,
    decodeMs,
    explain(query: PassQuery): readonly OperatorTime[] {
      const ms =
        query.phase === 'prefill'
          ? prefillMs(query.batch, query.isl, query.prefix)
          : decodeMs(query.batch, query.activeKvTokens ?? query.batch * query.context, query.context)
      return [{ name: query.phase, ms, source: 'user-points' }]
    },
  }
}

/** Piecewise-linear value at x, with the end segments continued. */
function linear(xs: Float64Array, ys: Float64Array, x: number): number {
  if (xs.length === 1) return ys[0]!
  let index = 0
  while (index < xs.length - 2 && xs[index + 1]! <= x) index++
  const slope = (ys[index + 1]! - ys[index]!) / (xs[index + 1]! - xs[index]!)
  return ys[index]! + slope * (x - xs[index]!)
}

function finite(name: string, values: ArrayLike<number>, length: number): Float64Array {
  if (values.length !== length || length === 0) {
    throw invalid(`${name} has ${values.length} values, expected ${Math.max(1, length)}`)
  }
  const copy = Float64Array.from(values)
  const bad = copy.findIndex((value) => !Number.isFinite(value))
  if (bad !== -1) throw invalid(`${name}[${bad}] is ${copy[bad]}`)
  return copy
}

function ascending(name: string, values: ArrayLike<number>): Float64Array {
  const copy = finite(name, values, values.length)
  for (let index = 1; index < copy.length; index++) {
    if (copy[index]! <= copy[index - 1]!)
      throw invalid(`${name} must rise, but ${copy[index - 1]} is followed by ${copy[index]}`)
  }
  return copy
}

function invalid(message: string): SpicaError {
  return new SpicaError('input', 'invalid-profile', `the planner profile is unusable: ${message}`)
}
