import type { ExecutorOutcome, Optimizer, Outcome } from '@spica/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASKS_PER_SAMPLE, runRound } from '../../src/study/round.js'
import { settleOutcome } from '../../src/study/settle-outcome.js'
import { countTrial, emptyTally } from '../../src/study/tally.js'
import type { TrialRecord } from '../../src/study/trial-record.js'

const GOAL = { target: 'throughput', sla: null, pareto_objectives: null } as const
type Fate = 'good' | 'fails' | 'infeasible' | 'unsupported'

/** Runs rounds over a space of `fates.length` points, asked in the order of `asks`, with outcomes in the order of `shuffle`. */
async function study(
  fates: readonly Fate[],
  asks: readonly number[],
  wanted: number,
  shuffle: (ids: string[]) => string[],
  recorded = new Map<number, TrialRecord>(),
) {
  let cursor = 0
  const told: Outcome[][] = []
  const optimizer: Optimizer = {
    ask: (count) =>
      asks
        .slice(cursor, (cursor += count))
        .map((point, i) => ({ id: cursor * 1000 + i, parameters: { point: point % fates.length } })),
    tell: (outcomes) => void told.push([...outcomes]),
    snapshot: () => null,
  }
  const saved: TrialRecord[] = []
  const runs: string[] = []
  const settled = new Map<string, TrialRecord>()
  let next = 0
  const outcome = await runRound({
    optimizer,
    round: 1,
    wanted,
    settled,
    nextTrialId: () => next++,
    recorded: (id) => recorded.get(id),
    mismatch: () => {
      throw new Error('mismatch')
    },
    branch: {
      mode: 'agg',
      parameters: [],
      realise({ point }) {
        const fate = fates[Number(point)] as Fate
        const base = { projection: null, plan: { point }, usedGpus: 1, key: `k${point}` }
        if (fate === 'infeasible' || fate === 'unsupported') return { ...base, kind: fate, code: 'no', message: fate }
        return { ...base, kind: 'candidate' }
      },
    },
    async *execute(tasks) {
      for (const id of shuffle(tasks.map((task) => task.id))) {
        runs.push(id)
        const base = { id, worker: 'w', startedMs: 0, durationMs: 1 }
        const metrics = {
          output_throughput_tok_s: Number(id.slice(1)) + 1,
          gpu_hours: 1,
          duration_ms: 1000,
          completed_requests: 1,
        }
        yield (
          fates[Number(id.slice(1))] === 'good'
            ? {
                ...base,
                status: 'done',
                result: { metrics, notes: { timeline: {}, scaling_events: [], non_finite: [] } },
              }
            : { ...base, status: 'failed', code: 'boom', message: 'boom' }
        ) as ExecutorOutcome
      }
    },
    settle: (trial, realised, answer) => settleOutcome(trial, realised, answer, 'agg', GOAL),
    save: (record) => void saved.push(record),
  })
  return { outcome, told, saved, runs }
}

const fates = fc.array(fc.constantFrom<Fate>('good', 'fails', 'infeasible', 'unsupported'), {
  minLength: 1,
  maxLength: 12,
})
const asks = fc.array(fc.nat(11), { maxLength: 120 })

describe('a round', () => {
  it('runs nothing twice, counts everything once, and tells in the order of asking, whatever order outcomes come in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fates,
        asks,
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        async (kinds, order, wanted, reverse) => {
          const shuffle = (ids: string[]) => (reverse ? ids.reverse() : ids)
          const { outcome, told, saved, runs } = await study(kinds, order, wanted, shuffle)
          expect(new Set(runs).size).toBe(runs.length)
          expect(outcome.asked).toBeLessThanOrEqual(ASKS_PER_SAMPLE * wanted)
          expect(outcome.unique).toBeLessThanOrEqual(wanted)
          expect(saved).toHaveLength(outcome.asked)
          const tally = emptyTally()
          for (const record of saved) countTrial(tally, record)
          const { asked, ...rest } = tally
          expect(Object.values(rest).reduce((sum, count) => sum + count, 0)).toBe(asked)
          expect(told.flat()).toHaveLength(outcome.asked)
          const ordered = await study(kinds, order, wanted, (ids) => ids)
          expect(told).toEqual(ordered.told)
          expect([...saved].sort((a, b) => a.id - b.id)).toEqual([...ordered.saved].sort((a, b) => a.id - b.id))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('goes on from any part of its records as if it had never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(fates, asks, fc.integer({ min: 1, max: 6 }), fc.nat(1000), async (kinds, order, wanted, cut) => {
        const whole = await study(kinds, order, wanted, (ids) => ids)
        const kept = whole.saved.filter((record, index) => index % 1000 < cut && (record.id * 7919 + cut) % 3 !== 0)
        const originals = new Set(kept.map(({ id }) => id))
        const consistent = kept.filter((record) => record.repeats === null || originals.has(record.repeats.id))
        const resumed = await study(
          kinds,
          order,
          wanted,
          (ids) => ids,
          new Map(consistent.map((record) => [record.id, record])),
        )
        expect(resumed.told).toEqual(whole.told)
        const byId = (records: TrialRecord[]) => [...records].sort((a, b) => a.id - b.id)
        expect(byId(resumed.saved)).toEqual(byId(whole.saved))
      }),
      { numRuns: 200 },
    )
  })
})
