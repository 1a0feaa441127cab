import { SpicaError } from '@spica/schema'

/** A length distribution, tokens: log-normal from its mean and either its median or its 99th percentile; constant from the mean alone. */
export interface LengthShape {
  readonly mean: number
  readonly p50?: number
  readonly p99?: number
  /** Bounds; default 1 and unlimited. */
  readonly min?: number
  readonly max?: number
}

/** How the arrival rate moves around its mean over the trace. */
export type RateProfile =
  | { readonly kind: 'constant' }
  /** rate · (1 + amplitude · sin); amplitude 0…1. */
  | { readonly kind: 'sine'; readonly periodSeconds: number; readonly amplitude: number }
  /** Linear from one rate to another; only their ratio counts, the mean stays. */
  | { readonly kind: 'ramp'; readonly from: number; readonly to: number }
  /** Every `everySeconds`, for `lengthSeconds`, `factor` times the rate in between. */
  | { readonly kind: 'burst'; readonly everySeconds: number; readonly lengthSeconds: number; readonly factor: number }

export interface SynthOptions {
  readonly requests: number
  /** Mean arrivals a second over the whole trace. */
  readonly ratePerSecond: number
  /** Coefficient of variation of the gaps (gamma): 0 regular, 1 Poisson; default 1. */
  readonly burstiness?: number
  /** Default constant. */
  readonly profile?: RateProfile
  readonly inputTokens: LengthShape
  readonly outputTokens: LengthShape
  /** Share of hash ids that an unlimited cache would already hold, 0…1; default 0. */
  readonly idealPrefixHitRate?: number
  /** Distinct prefixes, chosen with Zipf weights; default 100. */
  readonly prefixGroups?: number
  /** Exponent of the Zipf weights; default 1. */
  readonly zipfExponent?: number
  /** Tokens per hash id; default 512. */
  readonly traceBlockSize?: number
  /** Default 42. */
  readonly seed?: number
}

/** Throws `SpicaError` for parameters out of range, naming the parameter. */
export function checkSynthOptions(options: SynthOptions): void {
  whole('requests', options.requests, 1, 50_000_000)
  range('ratePerSecond', options.ratePerSecond, Number.MIN_VALUE, 1e9)
  range('burstiness', options.burstiness ?? 1, 0, 100)
  range('idealPrefixHitRate', options.idealPrefixHitRate ?? 0, 0, 1)
  whole('prefixGroups', options.prefixGroups ?? 100, 1, 10_000_000)
  range('zipfExponent', options.zipfExponent ?? 1, 0, 100)
  whole('traceBlockSize', options.traceBlockSize ?? 512, 1, 1 << 20)
  whole('seed', options.seed ?? 42, 0, Number.MAX_SAFE_INTEGER)
  checkLengths('inputTokens', options.inputTokens, 1)
  checkLengths('outputTokens', options.outputTokens, 0)
  checkProfile(options.profile ?? { kind: 'constant' })
}

function checkLengths(name: string, shape: LengthShape, least: number): void {
  range(`${name}.mean`, shape.mean, least, 0x7fffffff)
  const { p50, p99, min, max } = shape
  if (min !== undefined) whole(`${name}.min`, min, least, 0x7fffffff)
  if (max !== undefined) whole(`${name}.max`, max, Math.max(1, min ?? least), 0x7fffffff)
  if (p50 !== undefined && p99 !== undefined)
    refuse(`${name}: give p50 or p99, not both`, 'two of mean, p50, p99 fix a log-normal')
  if (p50 !== undefined) range(`${name}.p50`, p50, Number.MIN_VALUE, shape.mean)
  // a log-normal's p99 is at most mean·exp(z²/2) with z the normal quantile
  if (p99 !== undefined) range(`${name}.p99`, p99, shape.mean, shape.mean * 14.9)
}

function checkProfile(profile: RateProfile): void {
  if (profile.kind === 'sine') {
    range('profile.periodSeconds', profile.periodSeconds, Number.MIN_VALUE, 1e9)
    range('profile.amplitude', profile.amplitude, 0, 1)
  } else if (profile.kind === 'ramp') {
    range('profile.from', profile.from, 0, 1e9)
    range('profile.to', profile.to, 0, 1e9)
    if (profile.from + profile.to <= 0) refuse('profile: a ramp from 0 to 0 has no arrivals')
  } else if (profile.kind === 'burst') {
    range('profile.everySeconds', profile.everySeconds, Number.MIN_VALUE, 1e9)
    range('profile.lengthSeconds', profile.lengthSeconds, 0, profile.everySeconds)
    range('profile.factor', profile.factor, 0, 1e6)
    if (profile.factor === 0 && profile.lengthSeconds === profile.everySeconds)
      refuse('profile: bursts leave no arrivals')
  } else if (profile.kind !== 'constant') {
    refuse(`profile kind ${String((profile as { kind: unknown }).kind)} is not known`, 'constant, sine, ramp or burst')
  }
}

function whole(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value)) refuse(`${name} ${value} is not a whole number`)
  range(name, value, least, most)
}

function range(name: string, value: number, least: number, most: number): void {
  if (value >= least && value <= most) return
  refuse(`${name} ${value} is outside ${least === Number.MIN_VALUE ? 'above 0' : least} … ${most}`)
}

function refuse(message: string, hint?: string): never {
  throw new SpicaError('input', 'invalid-synth-option', message, hint === undefined ? {} : { hint })
}
