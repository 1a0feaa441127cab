import { readFileSync } from 'node:fs'
import { hypervolume } from '@spica/scorer/pareto'
import { describe, expect, it } from 'vitest'
import { benchmarkProblems, griewank, levy, rosenbrock, type TestProblem } from '../../src/test-functions/index.js'

interface Fixture {
  name: string
  optimum: number | null
  hypervolume: number | null
  vectors: { x: Record<string, number | string>; y: number[] | null }[]
}

const fixtures = JSON.parse(
  readFileSync(new URL('../fixtures/test-vectors.json', import.meta.url), 'utf8'),
) as Fixture[]

describe('benchmark problems', () => {
  it('equal all 72 test vectors', () => {
    let checked = 0
    for (const fixture of fixtures) {
      const problem = benchmarkProblems.find((p) => p.name === fixture.name)!
      for (const { x, y } of fixture.vectors) {
        const value = problem.evaluate(x)
        if (y === null) expect(value).toBeNull()
        else
          expect(value!.map((v, m) => Math.abs(v - y[m]!) <= 1e-9 * Math.max(1, Math.abs(v)))).toEqual(
            y.map(() => true),
          )
        checked++
      }
      expect(problem.optimum ?? null).toBe(fixture.optimum)
      if (fixture.hypervolume === null) expect(problem.hypervolume).toBeUndefined()
      else expect(problem.hypervolume).toBeCloseTo(fixture.hypervolume, 12)
    }
    expect(checked).toBe(72)
  })

  it('reach their optimum where it is known', () => {
    const all: TestProblem[] = [...benchmarkProblems, rosenbrock(4), levy(5), griewank(6)]
    const known = all.filter((p) => p.optimumAt !== undefined)
    expect(known.length).toBe(7)
    for (const problem of known) {
      expect(problem.evaluate(problem.optimumAt!)![0]).toBeCloseTo(problem.optimum!, 4)
    }
  })

  it('have fronts that fill their hypervolume from below', () => {
    const fronts = benchmarkProblems.filter((p) => p.front !== undefined)
    expect(fronts.map((p) => p.name)).toEqual(['zdt1_5', 'zdt2_5', 'dtlz2_6_3'])
    for (const problem of fronts) {
      const reference = problem.objectives.map((o) => -o.referencePoint!)
      const volume = hypervolume(
        problem.front!(900).map((y) => y.map((v) => -v)),
        reference,
      )
      expect(volume).toBeLessThanOrEqual(problem.hypervolume! + 1e-9)
      expect(volume).toBeGreaterThan(0.93 * problem.hypervolume!)
    }
  })
})

describe('the hypervolume that scores them', () => {
  it('equals a brute-force count of grid cells', () => {
    const side = 8
    for (let round = 0; round < 6; round++) {
      const m = 2 + (round % 2)
      const points = Array.from({ length: 7 }, (_, i) =>
        Array.from({ length: m }, (_, j) => 1 + ((i * (3 + j) + round * 5 + j * j) % side)),
      )
      let cells = 0
      for (let cell = 0; cell < side ** m; cell++) {
        const corner = Array.from({ length: m }, (_, j) => Math.floor(cell / side ** j) % side)
        if (points.some((p) => p.every((v, j) => v > corner[j]!))) cells++
      }
      expect(hypervolume(points, new Array<number>(m).fill(0))).toBeCloseTo(cells, 9)
    }
  })
})
