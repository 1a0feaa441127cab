import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampPair, clampSingle } from '../../src/state/gpu-band.js'

const gpus = fc.constantFrom(1, 2, 4, 8, 16)
const count = fc.integer({ min: 0, max: 40 })
const bound = fc.integer({ min: -1, max: 128 })
const endpoint = fc.integer({ min: 0, max: 4 })

describe('GPU band', () => {
  it('never exceeds the ceiling', () => {
    fc.assert(
      fc.property(count, count, gpus, gpus, bound, bound, endpoint, (p, d, gp, gd, minGpus, maxGpus, minEndpoint) => {
        fc.pre(maxGpus >= 0 && minGpus <= maxGpus)
        const band = { minGpus, maxGpus, minEndpoint }
        const [np, nd] = clampPair(p, d, gp, gd, band)
        expect(clampSingle(p, gp, band) * gp).toBeLessThanOrEqual(maxGpus)
        expect(np * gp + nd * gd).toBeLessThanOrEqual(maxGpus)
      }),
    )
  })

  it('is idempotent inside a band that leaves room', () => {
    fc.assert(
      fc.property(count, count, gpus, gpus, fc.integer({ min: 64, max: 128 }), (p, d, gp, gd, maxGpus) => {
        const band = { minGpus: -1, maxGpus, minEndpoint: 1 }
        const once = clampPair(p, d, gp, gd, band)
        expect(clampPair(once[0], once[1], gp, gd, band)).toEqual(once)
      }),
    )
  })

  it.each([
    [10, 4, { minGpus: -1, maxGpus: 16, minEndpoint: 1 }, 4],
    [1, 4, { minGpus: 16, maxGpus: -1, minEndpoint: 1 }, 4],
    [3, 4, { minGpus: 13, maxGpus: 16, minEndpoint: 1 }, 3],
    [3, 8, { minGpus: -1, maxGpus: 4, minEndpoint: 1 }, 0],
  ])('moves %i replicas of %i GPUs into %j: %i', (replicas, size, band, expected) => {
    expect(clampSingle(replicas, size, band)).toBe(expected)
  })
})
