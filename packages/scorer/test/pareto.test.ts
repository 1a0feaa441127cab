import { describe, expect, it } from 'vitest'
import { dominates, hypervolume, hypervolumeContributions, nonDominatedSort, paretoFront } from '../src/pareto.js'

describe('dominates', () => {
  it('needs one strict gain and no loss', () => {
    expect(dominates([2, 1], [1, 1])).toBe(true)
    expect(dominates([1, 1], [1, 1])).toBe(false)
    expect(dominates([2, 0], [1, 1])).toBe(false)
    expect(dominates([Number.NaN, 1], [0, 0])).toBe(false)
    expect(dominates([0, 0], [Number.NEGATIVE_INFINITY, 0])).toBe(true)
  })
})

describe('paretoFront', () => {
  it('takes views into one flat array', () => {
    const flat = Float64Array.of(1, 4, 2, 2, 2, 2, 1, 1)
    const rows = [0, 1, 2, 3].map((i) => flat.subarray(2 * i, 2 * i + 2))
    expect(paretoFront(rows)).toEqual([0, 1])
  })

  it('is empty for no points', () => {
    expect(paretoFront([])).toEqual([])
    expect(nonDominatedSort([])).toEqual([])
    expect(hypervolume([], [0, 0])).toBe(0)
  })

  it('keeps a lone point of minus infinities', () => {
    expect(paretoFront([[Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]])).toEqual([0])
    expect(paretoFront([[Number.NEGATIVE_INFINITY]])).toEqual([0])
  })

  it('refuses NaN, empty and ragged rows', () => {
    expect(() => paretoFront([[1, Number.NaN]])).toThrow(RangeError)
    expect(() => paretoFront([[]])).toThrow('no objectives')
    expect(() => paretoFront([[1, 2], [1]])).toThrow('point 1 has 1 objectives, point 0 has 2')
  })

  it('takes 200,000 points in two objectives in well under a minute', () => {
    // All on one descending line: the worst case for pairwise comparison.
    const points = Array.from({ length: 200_000 }, (_, i) => [i, -i])
    expect(paretoFront(points)).toHaveLength(200_000)
    expect(nonDominatedSort(points).every((rank) => rank === 0)).toBe(true)
  })
})

describe('hypervolume', () => {
  it('matches hand-computed areas and volumes', () => {
    expect(hypervolume([[3]], [1])).toBe(2)
    expect(
      hypervolume(
        [
          [3, 1],
          [1, 3],
          [2, 2],
        ],
        [0, 0],
      ),
    ).toBe(6)
    expect(
      hypervolume(
        [
          [3, 1],
          [1, 3],
          [2, 2],
        ],
        [1, 0],
      ),
    ).toBe(3)
    expect(
      hypervolume(
        [
          [1, 2, 3],
          [3, 2, 1],
        ],
        [0, 0, 0],
      ),
    ).toBe(10)
    expect(
      hypervolume(
        [
          [1, 2, 3, 1],
          [3, 2, 1, 1],
        ],
        [0, 0, 0, -1],
      ),
    ).toBe(20)
  })

  it('ignores points that do not exceed the reference', () => {
    expect(
      hypervolume(
        [
          [5, 0],
          [0, 5],
          [Number.NEGATIVE_INFINITY, 9],
        ],
        [0, 0],
      ),
    ).toBe(0)
  })

  it('refuses what has no finite volume', () => {
    expect(() => hypervolume([[Number.POSITIVE_INFINITY, 1]], [0, 0])).toThrow(RangeError)
    expect(() => hypervolume([[1, 1]], [0, Number.NEGATIVE_INFINITY])).toThrow('reference')
    expect(() => hypervolume([[1, 1]], [0])).toThrow('reference point has 1')
  })

  it('gives repeated points no contribution of their own', () => {
    expect(
      hypervolumeContributions(
        [
          [2, 2],
          [2, 2],
          [1, 3],
        ],
        [0, 0],
      ),
    ).toEqual([0, 0, 1])
    expect(hypervolumeContributions([[2, 2]], [0, 0])).toEqual([4])
  })
})
