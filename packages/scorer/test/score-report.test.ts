import { describe, expect, it } from 'vitest'
import { keptMetrics, type ReportMetrics, type ScoringGoal, scoreReport } from '../src/index.js'

const report: ReportMetrics = {
  output_throughput_tok_s: 1000,
  mean_ttft_ms: 50,
  mean_tpot_ms: 10,
  mean_e2e_latency_ms: 2500,
  mean_output_token_throughput_per_user: 90,
  goodput_output_throughput_tok_s: 800,
  gpu_hours: 0.5,
  duration_ms: 450_000,
  completed_requests: 10,
  num_requests: 10,
}

function score(goal: ScoringGoal, changes: ReportMetrics = {}): ReturnType<typeof scoreReport> {
  return scoreReport({ ...report, ...changes }, goal)
}

describe('scoreReport', () => {
  it.each([
    ['throughput', 1000, 1000],
    ['throughput_per_gpu', 250, 250],
    ['throughput_per_user', 90, 90],
    ['e2e_latency', 2500, -2500],
    ['goodput', 800, 800],
    ['goodput_per_gpu', 200, 200],
  ] as const)('scores %s', (target, value, signed) => {
    const result = score({ target })
    expect(result).toMatchObject({ status: 'scored', score: signed, objectives: { [target]: value }, avgGpus: 4 })
  })

  it('has no score under pareto, and the default axes', () => {
    expect(score({ target: 'pareto' })).toMatchObject({
      score: null,
      objectives: { throughput_per_gpu: 250, throughput_per_user: 90 },
    })
    const named: ScoringGoal = { target: 'pareto', pareto_objectives: ['e2e_latency', 'goodput'] }
    expect(score(named)).toMatchObject({ objectives: { e2e_latency: 2500, goodput: 800 } })
    expect(score({ target: 'pareto', pareto_objectives: null })).toMatchObject({ status: 'scored' })
  })

  it.each([
    ['gpu_hours', 0, 'missing-cost'],
    ['gpu_hours', undefined, 'missing-cost'],
    ['duration_ms', 0, 'missing-cost'],
    ['gpu_hours', -1, 'negative-metric'],
    ['gpu_hours', Number.NaN, 'non-finite-metric'],
    ['mean_ttft_ms', Number.POSITIVE_INFINITY, 'non-finite-metric'],
    ['mean_e2e_latency_ms', Number.NaN, 'non-finite-metric'],
    ['output_throughput_tok_s', undefined, 'missing-metric'],
    ['completed_requests', 0, 'no-completed-requests'],
  ] as const)('fails a throughput report whose %s is %s', (metric, value, code) => {
    expect(score({ target: 'throughput' }, { [metric]: value })).toMatchObject({ status: 'failed', code, metric })
  })

  it.each(['e2e_latency', 'goodput', 'goodput_per_gpu'] as const)('fails %s when its metric is absent', (target) => {
    const absent = { mean_e2e_latency_ms: undefined, goodput_output_throughput_tok_s: undefined }
    expect(score({ target }, absent)).toMatchObject({ status: 'failed', code: 'missing-metric' })
    expect(score({ target: 'throughput' }, absent)).toMatchObject({ status: 'scored' })
    expect(score({ target: 'pareto', pareto_objectives: ['throughput', target] }, absent)).toMatchObject({
      code: 'missing-metric',
    })
  })

  it('takes a null that JSON made of a NaN for an absent metric', () => {
    const parsed = JSON.parse(JSON.stringify({ ...report, mean_e2e_latency_ms: Number.NaN })) as ReportMetrics
    expect(scoreReport(parsed, { target: 'e2e_latency' })).toMatchObject({ code: 'missing-metric' })
    const other = scoreReport(parsed, { target: 'throughput' })
    expect(other).toMatchObject({ status: 'scored' })
    expect(other.status === 'scored' && 'mean_e2e_latency_ms' in other.metrics).toBe(false)
    expect(scoreReport({ ...parsed, ...JSON.parse('{"gpu_hours":null}') }, { target: 'throughput' })).toMatchObject({
      code: 'missing-cost',
    })
  })

  it('fails where a quotient over- or underflows', () => {
    expect(score({ target: 'throughput_per_gpu' }, { gpu_hours: 1e-320, duration_ms: 1e300 })).toMatchObject({
      status: 'failed',
    })
    expect(score({ target: 'throughput' }, { gpu_hours: 1e300, duration_ms: 1e-300 })).toMatchObject({
      status: 'failed',
    })
  })

  it('keeps the nine metrics that are present', () => {
    expect(Object.keys(keptMetrics({ ...report, planner_total_ticks: 3 }))).toHaveLength(9)
    expect(keptMetrics({ gpu_hours: 1, num_requests: 4 })).toEqual({ gpu_hours: 1 })
  })
})
