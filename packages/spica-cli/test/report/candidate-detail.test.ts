import { describe, expect, it } from 'vitest'
import { candidateDetail, timeSources } from '../../src/report/candidate-detail.js'
import type { TrialRecord } from '../../src/study/trial-record.js'
import { syntheticStudy } from './synthetic-study.js'

const context = { closedLoop: true, manifest: null }
const feasible = syntheticStudy({ trials: 40 }).trials.filter((trial) => trial.status === 'feasible')
const first = feasible[0] as TrialRecord

describe('candidateDetail', () => {
  it('gathers percentiles, load over time and a bottleneck', () => {
    const detail = candidateDetail(first, context)
    expect(detail.percentiles?.[0]).toMatchObject({ label: 'Time to first token', unit: 'ms' })
    expect(Object.values(detail.timeline ?? {})[0]?.['timeMs']).toHaveLength(40)
    expect(detail.bottleneck?.kind).toMatch(/^(prefill|decode|kv|router)$/)
  })

  it('keeps the first scaling decisions and counts all', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ time_ms: index, pool: 'decode', from: 1, to: 2 }))
    const detail = candidateDetail({ ...first, notes: { scaling_events: many } }, context)
    expect(detail.events).toHaveLength(60)
    expect(detail.eventCount).toBe(200)
  })

  it('leaves out what a ledger of another version lacks or spells otherwise', () => {
    expect(candidateDetail({ ...first, notes: null, metrics: {} }, context)).toEqual({})
    expect(candidateDetail({ ...first, notes: { timeline: 'none' }, metrics: {} }, context)).toEqual({})
    const ragged = { timeline: { decode: { timeMs: [1, 2], busyWorkers: [1] } } }
    expect(candidateDetail({ ...first, notes: ragged, metrics: {} }, context)).toEqual({})
  })
})

describe('timeSources', () => {
  it('averages over trials, largest first', () => {
    const sourced = (sources: Record<string, number>) => ({
      ...first,
      notes: { pass_time: { prefill_ms: 1, decode_ms: 1, sources } },
    })
    expect(timeSources([sourced({ measured: 1 }), sourced({ measured: 0.2, roofline: 0.8 })])).toEqual([
      { source: 'measured', share: 0.6 },
      { source: 'roofline', share: 0.4 },
    ])
    expect(timeSources([{ ...first, notes: null }])).toBeNull()
  })
})
