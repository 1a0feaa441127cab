import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  avgGpus,
  METRIC_KEYS,
  type ObjectiveName,
  objectiveScore,
  objectiveValue,
  paretoCandidates,
  type ReportMetrics,
  rankCandidates,
} from '../src/index.js'

interface Sample {
  reports: {
    report: ReportMetrics
    avg_gpu: number
    objectives: Record<string, { value: number | string; score: number | string }>
  }[]
  pareto: { objectives: ObjectiveName[]; points: Record<string, number>[]; front_ids: number[] }[]
  rank: { items: [number, number, number][]; order: number[] }[]
  metric_keys: string[]
}

const sample: Sample = JSON.parse(readFileSync(new URL('./fixtures/score-sample.json', import.meta.url), 'utf8'))
const number = (value: number | string): number =>
  value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value)

describe('sample of upstream scores', () => {
  it.each(sample.reports.map((row, i) => [i, row] as const))('report %i', (_, { report, avg_gpu, objectives }) => {
    expect(avgGpus(report)).toBeCloseTo(avg_gpu, 9)
    for (const [name, { value, score }] of Object.entries(objectives)) {
      const actual = [objectiveValue(report, name as ObjectiveName), objectiveScore(report, name as ObjectiveName)]
      for (const [k, expected] of [number(value), number(score)].entries()) {
        if (Number.isFinite(expected))
          expect(Math.abs(actual[k] - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected))
        else expect(actual[k]).toBe(expected)
      }
    }
  })

  it.each(sample.pareto.map((row, i) => [i, row] as const))('front %i', (_, { objectives, points, front_ids }) => {
    const candidates = points.map((objectives, id) => ({ id, usedGpus: 1, score: null, objectives }))
    const members = paretoCandidates(candidates, objectives).flatMap((one) => [one.candidate, ...one.alternatives])
    expect(members.map((one) => one.id).sort()).toEqual([...front_ids].sort())
  })

  it('ranking and metric keys', () => {
    const { items, order } = sample.rank[0]
    const ranked = rankCandidates(items.map(([id, usedGpus, score]) => ({ id, usedGpus, score })))
    expect(ranked.map((one) => one.id)).toEqual(order)
    expect(METRIC_KEYS).toEqual(sample.metric_keys)
  })
})
