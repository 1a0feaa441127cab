import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dominates,
  equalPoints,
  hypervolume,
  hypervolumeContributions,
  hypervolumeImprovement,
  nonDominatedSort,
  paretoFront,
  paretoFrontWithAlternatives,
} from '../src/pareto.js'

/** Small grids, so that ties and repeated vectors are common. */
function pointSets(
  maxPoints: number,
  coordinate = fc.integer({ min: 0, max: 6 }),
): fc.Arbitrary<{ m: number; points: number[][] }> {
  return fc
    .integer({ min: 1, max: 5 })
    .chain((m) =>
      fc
        .array(fc.array(coordinate, { minLength: m, maxLength: m }), { maxLength: maxPoints })
        .map((points) => ({ m, points })),
    )
}

function bruteFront(points: number[][]): number[] {
  return points.flatMap((point, i) => {
    const beaten = points.some((other, k) => dominates(other, point) || (k < i && equalPoints(other, point)))
    return beaten ? [] : [i]
  })
}

/** Counts the unit cells of the grid below any point. */
function cellVolume(points: number[][], reference: number[], m: number): number {
  let cells = 0
  const cell = new Array<number>(m).fill(0)
  const visit = (j: number): void => {
    if (j === m) {
      if (points.some((point) => point.every((value, k) => value > cell[k]))) cells++
      return
    }
    for (cell[j] = reference[j]; cell[j] < 7; cell[j]++) visit(j + 1)
  }
  visit(0)
  return cells
}

describe('fronts', () => {
  it('equal the pairwise definition for any number of objectives', () => {
    fc.assert(
      fc.property(pointSets(40), ({ points }) => {
        expect(paretoFront(points)).toEqual(bruteFront(points))
      }),
      { numRuns: 500 },
    )
  })

  it('list every index of a kept vector exactly once', () => {
    fc.assert(
      fc.property(pointSets(40), ({ points }) => {
        const members = paretoFrontWithAlternatives(points)
        const listed = members.flatMap((member) => [member.index, ...member.alternatives]).sort((a, b) => a - b)
        const expected = points.flatMap((point, i) => (points.some((other) => dominates(other, point)) ? [] : [i]))
        expect(listed).toEqual(expected)
        for (const { index, alternatives } of members) {
          for (const other of alternatives) expect(points[other]).toEqual(points[index])
        }
      }),
    )
  })

  it('peel off one after another in the non-dominated sort', () => {
    fc.assert(
      fc.property(pointSets(30), ({ points }) => {
        const expected = new Array<number>(points.length).fill(-1)
        for (let rank = 0; expected.includes(-1); rank++) {
          const left = points.flatMap((_, i) => (expected[i] === -1 ? [i] : []))
          const free = left.filter((i) => !left.some((k) => dominates(points[k], points[i])))
          for (const i of free) expected[i] = rank
        }
        expect(nonDominatedSort(points)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})

describe('hypervolume', () => {
  it('counts grid cells exactly', () => {
    fc.assert(
      fc.property(pointSets(12), fc.integer({ min: 0, max: 3 }), ({ m, points }, level) => {
        const reference = Array.from({ length: m }, (_, j) => (j % 2 === 0 ? level : 0))
        expect(hypervolume(points, reference)).toBe(cellVolume(points, reference, m))
      }),
      { numRuns: 300 },
    )
  })

  it('grows by the improvement, whichever the order of the points', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(pointSets(15, coordinate), ({ m, points }) => {
        const reference = new Array<number>(m).fill(-0.5)
        let total = 0
        points.forEach((point, i) => {
          total += hypervolumeImprovement(point, points.slice(0, i), reference)
        })
        expect(hypervolume(points, reference)).toBeCloseTo(total, 10)
        expect(hypervolume([...points].reverse(), reference)).toBeCloseTo(total, 10)
      }),
    )
  })

  it('loses a contribution when a point goes', () => {
    fc.assert(
      fc.property(pointSets(10), ({ m, points }) => {
        const reference = new Array<number>(m).fill(0)
        const whole = hypervolume(points, reference)
        hypervolumeContributions(points, reference).forEach((loss, i) => {
          expect(whole - hypervolume(points.toSpliced(i, 1), reference)).toBe(loss)
        })
      }),
    )
  })
})
