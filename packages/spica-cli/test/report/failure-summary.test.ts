import { describe, expect, it } from 'vitest'
import { type OutcomeInput, summariseFailures } from '../../src/report/failure-summary.js'

function trial(id: number, patch: Partial<OutcomeInput>): OutcomeInput {
  return { id, status: 'feasible', mode: 'agg', backend: 'vllm', layout: 'TP4', reason: null, ...patch }
}

describe('summariseFailures', () => {
  const short = (gib: number) => ({ code: 'kv-does-not-fit', message: `${gib} GiB short` })
  const summary = summariseFailures([
    trial(0, {}),
    trial(1, { status: 'infeasible', reason: short(1.5) }),
    trial(2, { status: 'infeasible', reason: short(22), layout: 'TP2' }),
    trial(3, { status: 'failed', reason: { code: 'crashed', message: 'worker ended' }, backend: 'sglang' }),
    trial(4, { status: 'cache-hit', reason: short(1.5) }),
  ])

  it('counts outcomes by mode and backend without repeats', () => {
    expect(summary.outcomes).toEqual([
      { mode: 'agg', backend: 'vllm', counts: { feasible: 1, infeasible: 2 }, total: 3 },
      { mode: 'agg', backend: 'sglang', counts: { failed: 1 }, total: 1 },
    ])
  })

  it('takes messages that differ in numbers for one cause, with where it happened', () => {
    expect(summary.causes[0]).toEqual({
      status: 'infeasible',
      code: 'kv-does-not-fit',
      message: '1.5 GiB short',
      count: 2,
      places: [
        { place: 'agg, vllm, TP2', count: 1 },
        { place: 'agg, vllm, TP4', count: 1 },
      ],
      firstTrial: 1,
    })
    expect(summary.causes).toHaveLength(2)
  })
})
