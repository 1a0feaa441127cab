import { SpicaConfigError } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRooflineModel, type PerfPoint, parsePerfPoints } from '../src/index.js'
import { llama } from './support/subjects.js'

describe('reading perf_points.csv', () => {
  it('reads prefill and decode points in any column order', () => {
    const text = 'ms,phase,batch,context,isl\r\n21.5,prefill,1,,1024\r\n12,prefill,2,512,1024\n4.9,decode,8,2000,\n'
    expect(parsePerfPoints(text)).toEqual([
      { phase: 'prefill', batch: 1, isl: 1024, prefix: 0, ms: 21.5 },
      { phase: 'prefill', batch: 2, isl: 1024, prefix: 512, ms: 12 },
      { phase: 'decode', batch: 8, context: 2000, ms: 4.9 },
    ])
  })

  it('reports every mistake at its line', () => {
    const text =
      'phase,batch,isl,context,ms\nprefil,1,10,,1\nprefill,0,10,,nan\ndecode,1,,,5\nprefill,1,10,10,1\ndecode,1,2\n'
    try {
      parsePerfPoints(text, 'mine.csv')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(SpicaConfigError)
      const issues = (error as SpicaConfigError).issues
      expect(issues.map(({ location }) => [location.line, location.path])).toEqual([
        [2, 'phase'],
        [3, 'batch'],
        [3, 'ms'],
        [4, 'context'],
        [5, 'isl'],
        [6, undefined],
      ])
      expect(issues[0]!.message).toContain('found "prefil"')
      expect(issues[0]!.location.file).toBe('mine.csv')
    }
  })

  it('refuses wrong headers and files without points', () => {
    expect(() => parsePerfPoints('phase,batch,isl,ms\n')).toThrow(/header must name/)
    expect(() => parsePerfPoints('')).toThrow(/header must name/)
    expect(() => parsePerfPoints('phase,batch,isl,context,ms\n\n')).toThrow(/no points/)
  })

  it('never fails with anything but a located error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parsePerfPoints(`phase,batch,isl,context,ms\n${text}`)
        } catch (error) {
          expect(error).toBeInstanceOf(SpicaConfigError)
        }
      }),
    )
  })
})

describe('rescaling by the user’s points', () => {
  const base = createRooflineModel(llama)
  const point = (batch: number, context: number, factor: number): PerfPoint => ({
    phase: 'decode',
    batch,
    context,
    ms: base.decodeMs(batch, 0, context, 0) * factor,
  })

  it('takes the median ratio of a few points and leaves the other phase alone', () => {
    const model = createRooflineModel({
      ...llama,
      points: [point(1, 500, 1.5), point(8, 500, 1.4), point(8, 900, 1.6)],
    })
    expect(model.decodeMs(4, 0, 700, 0)).toBeCloseTo(1.5 * base.decodeMs(4, 0, 700, 0), 9)
    expect(model.prefillMs(4, 700, 0)).toBe(base.prefillMs(4, 700, 0))
    const sources = model.explain({ phase: 'decode', batch: 4, context: 700 }).map(({ source }) => source)
    expect(new Set(sources)).toEqual(new Set(['user-points']))
  })

  it('follows small and large passes with enough points, and stays monotone', () => {
    const points = [point(1, 100, 2), point(2, 100, 2), point(256, 8000, 1), point(256, 9000, 1)]
    const model = createRooflineModel({ ...llama, points })
    expect(model.decodeMs(1, 0, 100, 0) / base.decodeMs(1, 0, 100, 0)).toBeGreaterThan(1.9)
    expect(model.decodeMs(256, 0, 9000, 0) / base.decodeMs(256, 0, 9000, 0)).toBeLessThan(1.05)
    let last = 0
    for (let batch = 1; batch <= 256; batch++) {
      const ms = model.decodeMs(batch, 0, 4000, 0)
      expect(ms).toBeGreaterThanOrEqual(last)
      last = ms
    }
  })
})
