import { describe, expect, it } from 'vitest'
import { reportObjective } from '../../src/report/measures.js'
import { progressCurve } from '../../src/report/progress-curve.js'

describe('progressCurve', () => {
  it('follows the best value, whichever way is better', () => {
    const trials = [5, 9, 7, null, 4].map((value, id) => ({
      id,
      gpus: 1,
      objectives: value === null ? null : { e2e_latency: value },
    }))
    const curve = progressCurve(trials, [reportObjective('e2e_latency')], 'ranking')
    expect(curve?.points).toEqual([
      [0, 5],
      [4, 4],
    ])
    const rising = trials.map((trial) => ({
      ...trial,
      objectives: trial.objectives && { throughput: trial.objectives.e2e_latency },
    }))
    expect(progressCurve(rising, [reportObjective('throughput')], 'ranking')?.points).toEqual([
      [0, 5],
      [1, 9],
      [4, 9],
    ])
  })

  it('never falls under a Pareto goal, and ends at the whole', () => {
    const trials = Array.from({ length: 200 }, (_, id) => ({
      id,
      gpus: 1,
      objectives: { throughput_per_gpu: (id * 37) % 101, throughput_per_user: (id * 53) % 97 },
    }))
    const objectives = [reportObjective('throughput_per_gpu'), reportObjective('throughput_per_user')]
    const points = progressCurve(trials, objectives, 'front')?.points ?? []
    expect(points.length).toBeLessThanOrEqual(60)
    expect(points.at(-1)?.[0]).toBe(200)
    for (let index = 1; index < points.length; index++)
      expect(points[index]?.[1]).toBeGreaterThanOrEqual(points[index - 1]?.[1] as number)
  })

  it('is absent when nothing was feasible', () => {
    expect(progressCurve([{ id: 0, gpus: 1, objectives: null }], [reportObjective('throughput')], 'ranking')).toBeNull()
  })
})
