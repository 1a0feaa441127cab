import { fitHinge, HINGE_MIN_SAMPLES } from './hinge-fit.js'
import { fitPlane, type PassSurface } from './plane-fit.js'
import { type PassSample, SampleStore } from './sample-store.js'

/** Work of one pass: prefill tokens computed, sequences decoding and their summed length in tokens. */
export interface PassWork {
  readonly prefillTokens: number
  readonly decodeRequests: number
  readonly decodeKvTokens: number
}

export interface ForwardPassModelOptions {
  /** Samples kept per kind of pass. */
  readonly maxSamples: number
  /** Samples of a kind before it is fitted. */
  readonly minObservations: number
  readonly bucketCount: number
  /** Answer for a mixed pass that was never learned with the sum of its parts, when both are known; default false. */
  readonly composeMixed?: boolean
}

const NS_PER_MS = 1e6

type PassKind = 'prefill' | 'decode' | 'mixed'

/**
 * Pass times learned from what the engines did: one regression for prefill-only passes (over tokens), one for decode-only
 * passes (sequences, KV tokens) and one for mixed passes (prefill tokens, KV tokens). A kind without enough samples has no
 * answer. Source: spec of the planner's regression model (§10).
 */
export class ForwardPassModel {
  private readonly stores: Readonly<Record<PassKind, SampleStore>>
  private readonly fits = new Map<PassKind, PassSurface | null>()

  constructor(private readonly options: ForwardPassModelOptions) {
    const store = (dimensions: number): SampleStore =>
      new SampleStore(dimensions, options.maxSamples, options.bucketCount)
    this.stores = { prefill: store(1), decode: store(2), mixed: store(2) }
  }

  /** Learns one pass; passes without work or time teach nothing. */
  learn(work: PassWork, ms: number): void {
    const kind = kindOf(work)
    if (kind === null || !(ms > 0) || !Number.isFinite(ms)) return
    this.stores[kind].add({ features: featuresOf(kind, work), ms })
    this.fits.delete(kind)
  }

  /** True when at least one kind of pass has been fitted. */
  get ready(): boolean {
    return (['prefill', 'decode', 'mixed'] as const).some((kind) => this.surface(kind) !== null)
  }

  /** Estimated ms of a pass; 0 for no work, null when passes of its kind are not known well enough. */
  passMs(work: PassWork): number | null {
    const kind = kindOf(work)
    if (kind === null) return 0
    const surface = this.surface(kind)
    if (surface !== null) return wholeNanoseconds(surface(featuresOf(kind, work)))
    if (kind !== 'mixed' || this.options.composeMixed !== true) return null
    const prefill = this.passMs({ ...work, decodeRequests: 0, decodeKvTokens: 0 })
    const decode = this.passMs({ ...work, prefillTokens: 0 })
    return prefill === null || decode === null ? null : prefill + decode
  }

  /**
   * Ms to compute `queuedTokens` in chunks of `chunkTokens`, each pass carrying the given decode work as well.
   * null when any pass it needs is unknown.
   */
  drainMs(queuedTokens: number, chunkTokens: number, decodeRequests: number, decodeKvTokens: number): number | null {
    const full = Math.floor(queuedTokens / chunkTokens)
    const tail = queuedTokens - full * chunkTokens
    let total = 0
    for (const [count, prefillTokens] of [
      [full, chunkTokens],
      [tail > 0 ? 1 : 0, tail],
    ]) {
      if (count === 0) continue
      const ms = this.passMs({ prefillTokens, decodeRequests, decodeKvTokens })
      if (ms === null) return null
      total += count * ms
    }
    return total
  }

  private surface(kind: PassKind): PassSurface | null {
    const cached = this.fits.get(kind)
    if (cached !== undefined) return cached
    const samples = this.stores[kind].all()
    const fit = samples.length < this.options.minObservations ? null : this.fit(kind, samples)
    this.fits.set(kind, fit)
    return fit
  }

  private fit(kind: PassKind, samples: readonly PassSample[]): PassSurface | null {
    if (kind === 'prefill' && samples.length >= Math.max(this.options.minObservations, HINGE_MIN_SAMPLES)) {
      return fitHinge(samples)
    }
    return fitPlane(samples)
  }
}

/** Pass times are durations of whole nanoseconds, as the engines report them. */
function wholeNanoseconds(ms: number): number {
  return Math.round(ms * NS_PER_MS) / NS_PER_MS
}

function kindOf(work: PassWork): PassKind | null {
  const prefills = work.prefillTokens > 0
  const decodes = work.decodeRequests > 0 || work.decodeKvTokens > 0
  if (prefills) return decodes ? 'mixed' : 'prefill'
  return decodes ? 'decode' : null
}

function featuresOf(kind: PassKind, work: PassWork): readonly number[] {
  if (kind === 'prefill') return [work.prefillTokens]
  if (kind === 'decode') return [work.decodeRequests, work.decodeKvTokens]
  return [work.prefillTokens, work.decodeKvTokens]
}
