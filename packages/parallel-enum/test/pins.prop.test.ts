import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePins } from '../src/index.js'

const field = fc.constantFrom('tp', 'pp', 'attention_dp', 'moe_tp', 'moe_ep', 'replicas', 'dp', 'prefill', 'decode')
const value = fc.oneof(fc.integer({ min: -2, max: 20 }), fc.double(), fc.string(), fc.constant(null), fc.boolean())
const shape = fc.dictionary(field, value, { maxKeys: 7 })

describe('parsePins', () => {
  it('answers anything with configurations or located issues', () => {
    const entry = fc.oneof(shape, fc.dictionary(field, shape), fc.anything())
    fc.assert(
      fc.property(
        fc.constantFrom('agg' as const, 'disagg' as const),
        fc.array(entry, { maxLength: 4 }),
        (mode, entries) => {
          const { configs, issues } = parsePins(mode, entries, 'pins')
          const faulty = new Set(issues.map((issue) => /^pins\[(\d+)\]/.exec(issue.location.path ?? '')?.[1]))
          expect(faulty.has(undefined)).toBe(false)
          expect(configs.length + faulty.size).toBe(entries.length)
          for (const config of configs) {
            const shapes = config.mode === 'agg' ? [config.agg] : [config.prefill, config.decode]
            expect(config.mode).toBe(mode)
            for (const own of shapes)
              expect(Object.values(own).every((n) => Number.isSafeInteger(n) && n >= 1)).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
