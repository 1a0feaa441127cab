import { defineOptimizerContract } from '@spica/optimizer-gp/contract'
import { benchmarkProblems } from '@spica/optimizer-gp/test-functions'
import { describe, expect, it } from 'vitest'
import { createOptimizer } from '../src/index.js'

defineOptimizerContract({ createOptimizer, describe, it })

describe('the evolution strategy', () => {
  it('improves on its random start', () => {
    const branin = benchmarkProblems.find((problem) => problem.name === 'branin')!
    const optimizer = createOptimizer({ parameters: branin.parameters, objectives: branin.objectives, seed: 1 })
    const values: number[] = []
    for (let round = 0; round < 15; round++) {
      const asked = optimizer.ask(8)
      const told = asked.map(({ id, parameters }) => ({ id, value: branin.evaluate(parameters)![0]! }))
      values.push(...told.map(({ value }) => value))
      optimizer.tell(told.map(({ id, value }) => ({ id, status: 'complete' as const, metrics: { f: value } })))
    }
    expect(Math.min(...values.slice(8))).toBeLessThan(Math.min(...values.slice(0, 8)))
    expect(Math.min(...values)).toBeLessThan(1.5)
  })
})
