import { describe, expect, it } from 'vitest'
import {
  distinctScalingPolicies,
  filterScalingPolicies,
  type ScalingPolicy,
  SEARCH_MENUS,
  throughputIntervals,
} from '../../src/index.js'

const all = SEARCH_MENUS.planner_scaling_policy
const custom = (throughput: boolean, load: boolean, throughputSeconds: number | null): ScalingPolicy => ({
  enable_throughput_scaling: throughput,
  enable_load_scaling: load,
  throughput_adjustment_interval_seconds: throughputSeconds,
  load_adjustment_interval_seconds: 5,
})

describe('filterScalingPolicies', () => {
  it('drops throughput scaling unless the goal is goodput', () => {
    const { kept, dropped } = filterScalingPolicies([...all, custom(true, false, 60)], { target: 'pareto', sla: null })
    expect(kept).toEqual(['disabled', 'load_180_5', 'load_180_10'])
    expect(dropped).toHaveLength(5)
    expect(new Set(dropped.map(({ reason }) => reason))).toEqual(new Set(['throughput-scaling-needs-goodput-goal']))
  })

  it('keeps all under goodput with TTFT and ITL bounds', () => {
    const sla = { ttft_ms: 500, itl_ms: 30, e2e_ms: null }
    expect(filterScalingPolicies(all, { target: 'goodput', sla })).toEqual({ kept: all, dropped: [] })
  })

  it.each([
    { ttft_ms: null, itl_ms: null, e2e_ms: 9000 },
    { ttft_ms: 500, itl_ms: null, e2e_ms: 9000 },
  ])('drops all scaling under goodput when the planner cannot steer by %j', (sla) => {
    const { kept, dropped } = filterScalingPolicies(all, { target: 'goodput_per_gpu', sla })
    expect(kept).toEqual(['disabled'])
    expect(dropped.every(({ reason }) => reason === 'scaling-needs-ttft-and-itl')).toBe(true)
  })

  it('may leave nothing', () => {
    expect(filterScalingPolicies(['throughput_180_5'], { target: 'throughput', sla: null }).kept).toEqual([])
  })
})

describe('throughputIntervals', () => {
  it('lists each interval once', () => {
    expect(throughputIntervals([...all, custom(true, false, 60), custom(false, true, 90)])).toEqual([180, 600, 60])
  })
})

describe('distinctScalingPolicies', () => {
  it('tells policies apart by what they do under the goal', () => {
    const twin = custom(false, true, 600)
    const off = custom(false, false, null)
    expect(distinctScalingPolicies(['load_180_5', twin, 'disabled', off], 'sla')).toEqual(['load_180_5', 'disabled'])
    expect(distinctScalingPolicies(['throughput_180_5', 'throughput_600_5'], 'sla')).toHaveLength(2)
    expect(distinctScalingPolicies(['throughput_180_5', 'load_180_10', 'hybrid_600_5'], 'latency')).toEqual([
      'throughput_180_5',
      'load_180_10',
    ])
  })
})
