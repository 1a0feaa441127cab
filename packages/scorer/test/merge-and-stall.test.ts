import { describe, expect, it } from 'vitest'
import {
  createStallMonitor,
  dominators,
  frontHypervolume,
  mergeBranches,
  type ObjectiveName,
  paretoCandidates,
  rankCandidates,
  type ScoredCandidate,
  type ScoringGoal,
} from '../src/index.js'

const axes: readonly ObjectiveName[] = ['throughput', 'e2e_latency']
const pareto: ScoringGoal = { target: 'pareto', pareto_objectives: axes }

interface Named extends ScoredCandidate {
  readonly id: string
}

const scalar = (id: string, score: number, usedGpus: number): Named => ({
  id,
  score,
  usedGpus,
  objectives: { throughput: score },
})
const point = (id: string, throughput: number, latency: number, usedGpus = 8): Named => ({
  id,
  score: null,
  usedGpus,
  objectives: { throughput, e2e_latency: latency },
})

describe('rankCandidates', () => {
  it('breaks ties by fewer GPUs, then by the given order, and leaves its input alone', () => {
    const given = [
      scalar('a', 1, 8),
      scalar('b', 2, 8),
      scalar('c', 2, 4),
      scalar('d', 1, 8),
      scalar('e', Number.NEGATIVE_INFINITY, 1),
    ]
    expect(rankCandidates(given).map((one) => one.id)).toEqual(['c', 'b', 'a', 'd', 'e'])
    expect(given.map((one) => one.id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('refuses scores that have no order', () => {
    expect(() => rankCandidates([scalar('a', Number.NaN, 1)])).toThrow('cannot be ranked')
    expect(() => rankCandidates([point('a', 1, 1)])).toThrow('cannot be ranked')
  })
})

describe('mergeBranches', () => {
  it('ranks across branches', () => {
    const merged = mergeBranches([[scalar('a', 1, 8)], [scalar('b', 3, 8), scalar('c', 1, 8)]], {
      target: 'throughput',
    })
    expect(merged.kind === 'ranking' && merged.candidates.map((one) => one.id)).toEqual(['b', 'a', 'c'])
  })

  it('builds one front, each vector once with its alternatives, fewest GPUs first', () => {
    const merged = mergeBranches(
      [
        [point('a', 10, 5, 16), point('worse', 9, 6)],
        [point('b', 10, 5, 8), point('c', 10, 5, 16), point('d', 20, 9)],
      ],
      pareto,
    )
    if (merged.kind !== 'front') throw new Error('expected a front')
    expect(merged.points.map((one) => one.candidate.id)).toEqual(['b', 'd'])
    expect(merged.points[0].alternatives.map((one) => one.id)).toEqual(['a', 'c'])
    expect(mergeBranches([[], []], pareto)).toEqual({ kind: 'front', points: [] })
  })

  it('refuses an objective that is absent or not finite', () => {
    expect(() => paretoCandidates([point('a', Number.NaN, 1)], axes)).toThrow('no finite value of objective throughput')
    expect(() => paretoCandidates([point('a', 1, 1)], ['goodput', 'throughput'])).toThrow('objective goodput')
  })
})

describe('frontHypervolume', () => {
  it('takes a reference in plain units', () => {
    const candidates = [point('a', 10, 5), point('b', 20, 8)]
    expect(frontHypervolume(candidates, axes, { throughput: 0, e2e_latency: 10 })).toBe(10 * 5 + 10 * 2)
    expect(frontHypervolume([], axes)).toBe(0)
    expect(frontHypervolume(candidates, axes)).toBeGreaterThan(0)
  })
})

describe('dominators', () => {
  it('tells who beats a candidate and by how much', () => {
    const others = [point('a', 12, 4), point('b', 10, 4), point('c', 20, 9)]
    const found = dominators(point('x', 10, 5), others, axes)
    expect(found.map(({ candidate, margins }) => [candidate.id, margins])).toEqual([
      ['a', { throughput: 2, e2e_latency: 1 }],
      ['b', { throughput: 0, e2e_latency: 1 }],
    ])
    expect(dominators(others[0], others, axes)).toEqual([])
  })
})

describe('createStallMonitor', () => {
  it('follows the best score', () => {
    const monitor = createStallMonitor({ goal: { target: 'throughput' } })
    const rounds = [[], [scalar('a', 5, 1)], [scalar('b', 4, 1)], [], [scalar('c', 5, 1)], [scalar('d', 6, 1)]]
    expect(rounds.map((round) => monitor.observeRound(round).stalledRounds)).toEqual([0, 0, 1, 2, 3, 0])
  })

  it('follows negative scores of minimised targets', () => {
    const monitor = createStallMonitor({ goal: { target: 'e2e_latency' } })
    const rounds = [[scalar('a', -5, 1)], [scalar('b', -4, 1)], [scalar('c', -9, 1)]]
    expect(rounds.map((round) => monitor.observeRound(round))).toEqual([
      { value: -5, improved: true, stalledRounds: 0 },
      { value: -4, improved: true, stalledRounds: 0 },
      { value: -4, improved: false, stalledRounds: 1 },
    ])
  })

  it('follows the front, untroubled by a bad candidate that moves the reference point', () => {
    const monitor = createStallMonitor({ goal: pareto })
    expect(monitor.observeRound([point('a', 10, 5)]).improved).toBe(true)
    expect(monitor.observeRound([point('slow', 9, 500)])).toMatchObject({ improved: false, stalledRounds: 1 })
    expect(monitor.observeRound([point('slower', 11, 900)])).toMatchObject({ improved: true, stalledRounds: 0 })
    expect(monitor.observeRound([point('same', 10, 5)]).stalledRounds).toBe(1)
  })

  it('ignores gains below its tolerance, but lets them add up', () => {
    const monitor = createStallMonitor({ goal: { target: 'throughput' }, relativeTolerance: 0.1 })
    monitor.observeRound([scalar('a', 100, 1)])
    expect(monitor.observeRound([scalar('b', 106, 1)])).toEqual({ value: 106, improved: false, stalledRounds: 1 })
    expect(monitor.observeRound([scalar('c', 112, 1)])).toEqual({ value: 112, improved: true, stalledRounds: 0 })
    expect(monitor.observeRound([scalar('d', 115, 1)]).improved).toBe(false)
  })
})
