import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outcomeOf, randomCase } from './random-case.js'

it('coalescing gives bit-equal results to one pass at a time', () => {
  fc.assert(
    fc.property(randomCase(['vllm', 'vllm', 'trtllm']), (options) => {
      const slow = outcomeOf({ ...options, engineKind: 'pass-by-pass' })
      const fast = outcomeOf(options)
      expect(fast.rows).toEqual(slow.rows)
      expect(fast.report).toEqual(slow.report)
    }),
    { numRuns: Number(process.env['SPICA_RUNS'] ?? 300) },
  )
}, 600_000)
