import type { Outcome, Parameter } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLegal } from '../src/contract/contract-spaces.js'
import { createOptimizer } from '../src/index.js'

const finite = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })

const parameter: fc.Arbitrary<Parameter> = fc.oneof(
  fc
    .tuple(finite(-1e3, 1e3), finite(0, 1e3))
    .map(([min, w]): Parameter => ({ name: '', kind: 'float', min, max: min + w })),
  fc
    .tuple(finite(1e-6, 1), finite(1, 1e6))
    .map(([min, f]): Parameter => ({ name: '', kind: 'float', min, max: min * f, scale: 'log' })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 60 }))
    .map(([min, w]): Parameter => ({ name: '', kind: 'integer', min, max: min + w })),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 4096 }), { minLength: 1, maxLength: 6 })
    .map((values): Parameter => ({ name: '', kind: 'discrete', values, scale: 'log' })),
  fc
    .uniqueArray(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 4 })
    .map((values): Parameter => ({ name: '', kind: 'categorical', values })),
)
const space = fc
  .array(parameter, { minLength: 1, maxLength: 5 })
  .map((parameters) => parameters.map((p, i) => ({ ...p, name: `p${i}` })))

describe('createOptimizer on random spaces and outcomes', () => {
  it('stays legal, never repeats, and does not depend on how outcomes are told', () => {
    const outcome = fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: fc.oneof(finite(-1e3, 1e3), finite(-1e300, 1e300), fc.constant(0), fc.constant(1e-300)) },
    )
    const outcomes = fc.array(outcome, { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(space, outcomes, fc.integer({ min: 1, max: 3 }), fc.nat(), (parameters, values, m, seed) => {
        const objectives = Array.from({ length: m }, (_, j) => ({ name: `o${j}`, direction: 'maximize' as const }))
        const [a, b] = [1, 2].map(() => createOptimizer({ parameters, objectives, seed }))
        const seen = new Set<string>()
        for (let round = 0; round < 3; round++) {
          const [x, y] = [a!.ask(6), b!.ask(6)]
          expect(y).toEqual(x)
          const told = x.map(({ id, parameters: p }): Outcome => {
            expect(isLegal(parameters, p)).toBe(true)
            const key = JSON.stringify(p)
            expect(seen.has(key)).toBe(false)
            seen.add(key)
            const value = values[id] ?? null
            if (value === null) return { id, status: 'infeasible', reason: 'drawn' }
            return {
              id,
              status: 'complete',
              metrics: Object.fromEntries(objectives.map((o, j) => [o.name, value / (j + 1)])),
            }
          })
          a!.tell(told)
          for (const one of [...told].reverse()) b!.tell([one])
        }
      }),
      { numRuns: 20 },
    )
  })
})
