import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
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

type Figure = number | 'inf' | '-inf'
interface ScoreGolden {
  reports: {
    report: ReportMetrics
    avg_gpu: number
    objectives: Record<ObjectiveName, { value: Figure; score: Figure }>
  }[]
  pareto: { objectives: ObjectiveName[]; points: Record<string, number>[]; front_ids: number[] }[]
  rank: { items: [id: number, usedGpus: number, score: number][]; order: number[] }[]
  metric_keys: string[]
}

const figure = (value: Figure): number => (typeof value === 'number' ? value : Number(value.replace('inf', 'Infinity')))

function agrees(actual: number, golden: Figure): boolean {
  const expected = figure(golden)
  return actual === expected || Math.abs(actual - expected) <= 1e-12 * Math.abs(expected)
}

describe.skipIf(!hasGolden)('score.json', () => {
  const golden = readGoldenJson<ScoreGolden>('config/score.json')

  it('gives every objective and GPU count', () => {
    const checks = golden.reports.flatMap((row, i) => [
      { what: `${i} avg_gpu`, ok: agrees(avgGpus(row.report), row.avg_gpu) },
      ...Object.entries(row.objectives).flatMap(([name, { value, score }]) => [
        { what: `${i} ${name} value`, ok: agrees(objectiveValue(row.report, name as ObjectiveName), value) },
        { what: `${i} ${name} score`, ok: agrees(objectiveScore(row.report, name as ObjectiveName), score) },
      ]),
    ])
    const right = checks.filter((check) => check.ok)
    console.log(`score.json objectives: ${right.length} of ${checks.length}`)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(checks.length).toBeGreaterThan(0)
  })

  it('gives every front, as a set of vectors, in order of the last objective', () => {
    for (const { objectives, points, front_ids } of golden.pareto) {
      const candidates = points.map((point) => ({ usedGpus: 1, score: null, objectives: point }))
      const vector = (point: Readonly<Record<string, number>>): string =>
        objectives.map((name) => point[name]).join(' ')
      const actual = paretoCandidates(candidates, objectives).map((point) => vector(point.candidate.objectives))
      const expected = [...new Set(front_ids.map((id) => vector(points[id])))]
      expect(actual).toEqual(expected)
      const listed = paretoCandidates(candidates, objectives).flatMap((point) => [
        point.candidate,
        ...point.alternatives,
      ])
      expect(listed.map((one) => candidates.indexOf(one)).sort()).toEqual([...front_ids].sort())
    }
    console.log(`score.json fronts: ${golden.pareto.length} of ${golden.pareto.length}`)
  })

  it('ranks every list', () => {
    for (const { items, order } of golden.rank) {
      const ranked = rankCandidates(items.map(([id, usedGpus, score]) => ({ id, usedGpus, score })))
      expect(ranked.map((one) => one.id)).toEqual(order)
    }
    console.log(`score.json rankings: ${golden.rank.length} of ${golden.rank.length}`)
  })

  it('keeps the same metrics', () => {
    expect(METRIC_KEYS).toEqual(golden.metric_keys)
  })
})
