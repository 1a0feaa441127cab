import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createForecaster, type ForecasterSpec } from '../../src/index.js'

const BASE: ForecasterSpec = {
  family: 'constant',
  log1p: false,
  windowSize: 50,
  qLevel: 1,
  qTrend: 0.1,
  r: 10,
  minPoints: 5,
  intervalSeconds: 180,
}
const FAMILIES = ['constant', 'arima', 'kalman', 'prophet'] as const
const SPECS = FAMILIES.flatMap((family) => [false, true].map((log1p) => ({ ...BASE, family, log1p })))

describe.each(SPECS)('$family, log1p $log1p', (spec) => {
  it('gives finite forecasts on any series', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(5000), fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true })), {
          maxLength: 24,
        }),
        (series) => {
          const forecaster = createForecaster(spec)
          for (const value of series) {
            expect(Number.isFinite(forecaster.predictNext())).toBe(true)
            forecaster.add(value)
          }
          expect(Number.isFinite(forecaster.predictNext())).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('skips leading zeros and treats NaN as zero', () => {
    const late = createForecaster(spec)
    const prompt = createForecaster(spec)
    for (const value of [0, Number.NaN, 0]) late.add(value)
    expect(late.predictNext()).toBe(0)
    for (const value of [3, 5, 4, 6, 5, 7]) {
      late.add(value)
      prompt.add(value)
    }
    expect(late.predictNext()).toBe(prompt.predictNext())
  })

  it('repeats a constant', () => {
    const forecaster = createForecaster(spec)
    for (let i = 0; i < 12; i++) forecaster.add(42)
    expect(forecaster.predictNext()).toBeCloseTo(42, 6)
  })

  it('gives the same forecasts twice', () => {
    const run = (): number[] => {
      const forecaster = createForecaster(spec)
      return [4, 8, 15, 16, 23, 42, 40, 38, 50].map((value) => {
        forecaster.add(value)
        return forecaster.predictNext()
      })
    }
    expect(run()).toEqual(run())
  })
})

describe('trend followers', () => {
  it.each(['kalman', 'prophet'] as const)('%s extrapolates a ramp', (family) => {
    const forecaster = createForecaster({ ...BASE, family, qLevel: 10, qTrend: 1, r: 5 })
    for (let i = 1; i <= 30; i++) {
      forecaster.predictNext()
      forecaster.add(10 * i)
    }
    expect(Math.abs(forecaster.predictNext() - 310)).toBeLessThan(5)
  })

  it('prophet sees a daily season once the window spans two days', () => {
    const forecaster = createForecaster({ ...BASE, family: 'prophet', windowSize: 72, intervalSeconds: 3600 })
    const demand = (hour: number): number => 100 + 50 * Math.sin((2 * Math.PI * hour) / 24)
    for (let hour = 0; hour < 72; hour++) forecaster.add(demand(hour))
    expect(Math.abs(forecaster.predictNext() - demand(72))).toBeLessThan(8)
  })
})
