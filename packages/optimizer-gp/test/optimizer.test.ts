import type { CreateOptimizer } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { createOptimizer, createQuasiRandomOptimizer } from '../src/index.js'
import { branin, servingTradeOff, type TestProblem, zdt1 } from '../src/test-functions/index.js'

function run(problem: TestProblem, create: CreateOptimizer, seed: number, trials: number): (number[] | null)[] {
  const { parameters, objectives } = problem
  const optimizer = create({ parameters, objectives, seed })
  const values: (number[] | null)[] = []
  while (values.length < trials) {
    const asked = optimizer.ask(8)
    optimizer.tell(
      asked.map(({ id, parameters: x }) => {
        const y = problem.evaluate(x)
        values.push(y)
        if (y === null) return { id, status: 'infeasible', reason: 'constraint' }
        return { id, status: 'complete', metrics: Object.fromEntries(objectives.map((o, m) => [o.name, y[m]!])) }
      }),
    )
  }
  return values
}

describe('the Gaussian-process optimiser', () => {
  it('finds the minimum of Branin in 48 trials', () => {
    for (const seed of [1, 2, 3]) {
      const best = Math.min(...run(branin, createOptimizer, seed, 48).map((y) => y![0]!))
      expect(best - branin.optimum!).toBeLessThan(0.02)
    }
  })

  it('reaches the front of ZDT1', () => {
    const slack = run(zdt1, createOptimizer, 1, 40).map((y) => y![1]! - 1 + Math.sqrt(y![0]!))
    expect(slack.filter((v) => v < 0.05).length).toBeGreaterThan(8)
  })

  it('keeps to feasible points better than space-filling does', () => {
    const feasible = (create: CreateOptimizer): number =>
      [1, 2].reduce((sum, seed) => sum + run(servingTradeOff, create, seed, 48).filter((y) => y !== null).length, 0)
    expect(feasible(createOptimizer)).toBeGreaterThan(feasible(createQuasiRandomOptimizer))
  })
})
