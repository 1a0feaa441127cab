import { describe, expect, it } from 'vitest'
import { goalText, isClosedLoop, studyFactRows, trafficText } from '../../src/report/study-facts.js'
import { emptyTally } from '../../src/study/tally.js'
import { syntheticStudy } from './synthetic-study.js'

const { study } = syntheticStudy({ trials: 0 })
const { workload } = study.config

describe('study facts', () => {
  it('tell traffic in one line', () => {
    expect(trafficText(workload)).toBe('synthetic, 1024 tokens in, 1024 out, load 0.1–1 of the KV capacity')
    expect(trafficText({ ...workload, request_rate: 4, shared_prefix_ratio: 0.5 })).toBe(
      'synthetic, 1024 tokens in, 1024 out, 4 requests/s, 50 % shared prefix',
    )
    expect(trafficText({ ...workload, trace_path: '/data/conv.jsonl', arrival_speedup_ratio: 2 })).toBe(
      'trace conv.jsonl (mooncake), at its own times, 2× faster',
    )
  })

  it('know closed loops from open ones', () => {
    expect(isClosedLoop(workload)).toBe(true)
    expect(isClosedLoop({ ...workload, request_rate: 2 })).toBe(false)
    expect(isClosedLoop({ ...workload, trace_path: 'a' })).toBe(false)
    expect(isClosedLoop({ ...workload, trace_path: 'a', replay_concurrency: 8 })).toBe(true)
  })

  it('name the goal with its bounds', () => {
    expect(goalText(study.config)).toBe('Pareto front of throughput_per_gpu and throughput_per_user')
    const sla = { ttft_ms: 200, itl_ms: null, e2e_ms: null }
    const goal = { target: 'goodput' as const, sla, pareto_objectives: null }
    expect(goalText({ goal })).toBe('best goodput, with TTFT ≤ 200 ms')
  })

  it('warn when limits fired, and leave out what is unknown', () => {
    const rows = new Map(
      studyFactRows({ ...study, limits_fired: true, branches: undefined, perf: undefined }, emptyTally()),
    )
    expect(rows.get('State')).toContain('another run may differ')
    expect(rows.has('Searched')).toBe(false)
    expect(rows.has('Engine versions')).toBe(false)
  })
})
