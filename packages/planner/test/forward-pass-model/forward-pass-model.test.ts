import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForwardPassModel } from '../../src/forward-pass-model/forward-pass-model.js'
import { fitHinge } from '../../src/forward-pass-model/hinge-fit.js'
import { fitPlane } from '../../src/forward-pass-model/plane-fit.js'
import { SampleStore } from '../../src/forward-pass-model/sample-store.js'
import { searchCapacity } from '../../src/throughput-scaling/capacity-search.js'

const OPTIONS = { maxSamples: 64, minObservations: 5, bucketCount: 16 }
const CAPABILITIES = {
  gpus: 1,
  maxKvTokens: 65_536,
  maxNumBatchedTokens: 8192,
  maxNumSeqs: 256,
  contextLength: null,
  speculativeNextn: 0,
}

function trained(): ForwardPassModel {
  const model = new ForwardPassModel({ ...OPTIONS, composeMixed: true })
  for (let i = 1; i <= 12; i++) {
    model.learn({ prefillTokens: 500 * i, decodeRequests: 0, decodeKvTokens: 0 }, 10 + 0.02 * 500 * i)
    model.learn(
      { prefillTokens: 0, decodeRequests: 4 * i, decodeKvTokens: 3000 * i + 100 * (i % 3) },
      5 + 0.1 * 4 * i + 0.001 * (3000 * i + 100 * (i % 3)),
    )
  }
  return model
}

describe('fits', () => {
  it('recovers a plane and floors its predictions', () => {
    const samples = Array.from({ length: 20 }, (_, i) => ({
      features: [i, (i * 7) % 11],
      ms: 3 + 2 * i + 0.5 * ((i * 7) % 11),
    }))
    const surface = fitPlane(samples)
    expect(surface?.([10, 4])).toBeCloseTo(25, 6)
    expect(fitPlane(samples.map((s) => ({ ...s, ms: -s.ms })))).toBeNull()
  })

  it('recovers a hinge', () => {
    const xs = [100, 200, 400, 800, 1600, 3200, 6400, 8192]
    const truth = (x: number): number => 20 + 0.01 * x + 0.03 * Math.max(0, x - 1600)
    const surface = fitHinge(xs.map((x) => ({ features: [x], ms: truth(x) })))
    for (const x of xs) expect(Math.abs((surface?.([x]) ?? 0) / truth(x) - 1)).toBeLessThan(0.05)
  })

  it('never slopes down', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.integer({ min: 1, max: 500 })), {
          minLength: 5,
          maxLength: 40,
        }),
        (rows) => {
          const surface = fitPlane(rows.map(([a, b, ms]) => ({ features: [a, b], ms })))
          if (surface === null) return
          expect(surface([500, 500]) <= surface([600, 500]) + 1e-9).toBe(true)
          expect(surface([500, 500]) <= surface([500, 600]) + 1e-9).toBe(true)
          expect(Number.isFinite(surface([0, 0]))).toBe(true)
        },
      ),
    )
  })
})

describe('SampleStore', () => {
  it('keeps sparse regions when one operating point floods it', () => {
    const store = new SampleStore(1, 16, 16)
    store.add({ features: [8000], ms: 100 })
    for (let i = 0; i < 200; i++) store.add({ features: [i % 5], ms: i })
    expect(store.size).toBe(16)
    expect(store.all()[0].features[0]).toBe(8000)
  })
})

describe('ForwardPassModel', () => {
  it('knows nothing before the minimum of observations', () => {
    const model = new ForwardPassModel(OPTIONS)
    for (let i = 1; i <= 4; i++) model.learn({ prefillTokens: 100 * i, decodeRequests: 0, decodeKvTokens: 0 }, i)
    expect(model.ready).toBe(false)
    expect(model.passMs({ prefillTokens: 100, decodeRequests: 0, decodeKvTokens: 0 })).toBeNull()
    expect(model.passMs({ prefillTokens: 0, decodeRequests: 0, decodeKvTokens: 0 })).toBe(0)
  })

  it('adds the parts of a mixed pass it never saw, unless told to behave as upstream', () => {
    const mixed = { prefillTokens: 1000, decodeRequests: 8, decodeKvTokens: 6000 }
    const model = trained()
    const prefill = model.passMs({ ...mixed, decodeRequests: 0, decodeKvTokens: 0 }) ?? 0
    const decode = model.passMs({ ...mixed, prefillTokens: 0 }) ?? 0
    expect(model.passMs(mixed)).toBeCloseTo(prefill + decode, 9)
    const upstream = new ForwardPassModel(OPTIONS)
    for (let i = 1; i <= 8; i++) {
      upstream.learn({ prefillTokens: 500 * i, decodeRequests: 0, decodeKvTokens: 0 }, 10 * i)
      upstream.learn({ prefillTokens: 0, decodeRequests: i, decodeKvTokens: 100 * i }, 5 * i)
    }
    expect(upstream.passMs(mixed)).toBeNull()
  })

  it('drains a queue in chunks', () => {
    const model = trained()
    const chunk = model.passMs({ prefillTokens: 8192, decodeRequests: 0, decodeKvTokens: 0 }) ?? 0
    const tail = model.passMs({ prefillTokens: 3616, decodeRequests: 0, decodeKvTokens: 0 }) ?? 0
    expect(model.drainMs(20_000, 8192, 0, 0)).toBeCloseTo(2 * chunk + tail, 9)
    expect(model.drainMs(0, 8192, 0, 0)).toBe(0)
  })

  it('ignores passes without time or with nonsense', () => {
    const model = new ForwardPassModel(OPTIONS)
    for (let i = 0; i < 10; i++)
      model.learn({ prefillTokens: 10 + i, decodeRequests: 0, decodeKvTokens: 0 }, i % 2 === 0 ? 0 : Number.NaN)
    expect(model.ready).toBe(false)
  })
})

describe('searchCapacity', () => {
  const request = { isl: 1000, osl: 200, ttftSlaMs: 500, itlSlaMs: 40, hitRate: 0, acceptLength: 1 }

  it('meets the SLA when it can and says so', () => {
    const capacity = searchCapacity('decode', trained(), CAPABILITIES, request)
    expect(capacity?.eligible).toBe(true)
    expect(capacity?.itlMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(40)
  })

  it('falls back to the best it can when nothing meets the SLA', () => {
    const capacity = searchCapacity('aggregated', trained(), CAPABILITIES, { ...request, itlSlaMs: 0.001 })
    expect(capacity?.eligible).toBe(false)
    expect(capacity?.requestsPerSecond).toBeGreaterThan(0)
  })

  it('serves more with cache hits', () => {
    const cold = searchCapacity('prefill', trained(), CAPABILITIES, request)
    const warm = searchCapacity('prefill', trained(), CAPABILITIES, { ...request, hitRate: 0.5 })
    expect(warm?.requestsPerSecond ?? 0).toBeGreaterThan(cold?.requestsPerSecond ?? Number.POSITIVE_INFINITY)
  })

  it('has no answer for empty shapes', () => {
    expect(searchCapacity('decode', trained(), CAPABILITIES, { ...request, isl: 0 })).toBeNull()
  })
})
