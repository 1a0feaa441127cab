import type { WorkerShape } from '@spica/schema'
import { goalObjectives } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { rolesOf, shapeOf } from '../../src/evaluation/role-shape.js'
import { mergeTrials } from '../../src/study/merge-trials.js'
import { shapeStanding } from '../../src/study/shape-standing.js'
import { syntheticStudy } from '../report/synthetic-study.js'

const ALL = { backends: ['vllm', 'sglang', 'trtllm'], roles: ['agg', 'prefill', 'decode'] } as const

describe('the standing of a shape', () => {
  it('under one objective is the rank of its best trial, and the margins of those above', () => {
    for (const target of ['throughput_per_gpu', 'e2e_latency'] as const) {
      const { study, trials } = syntheticStudy({ trials: 80, target })
      const ranking = mergeTrials(trials, study.config.goal).candidates
      const last = ranking.at(-1)!
      const role = rolesOf(last.config)[0]!
      const shape = shapeOf(last.config, role)
      const { best, statuses, feasible } = shapeStanding(trials, study.config.goal, { ...ALL, shape })
      const [top] = best
      expect(feasible).toBe(ranking.length)
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
      expect(top?.trial).toBe(ranking[top!.rank! - 1]?.trial)
      expect(top?.betterCount).toBe(top!.rank! - 1)
      top?.better.forEach((other, index) => {
        expect(other.trial).toBe(ranking[index]?.trial)
        const gap = Math.abs((other.objectives[target] as number) - (top.objectives[target] as number))
        expect(other.margins).toEqual({ [target]: gap })
        expect(other.relative[target]).toBeCloseTo(gap / (top.objectives[target] as number), 12)
      })
    }
  })

  it('under a Pareto goal names the front members that dominate, none for a member', () => {
    const { study, trials } = syntheticStudy({ trials: 120 })
    const { goal } = study.config
    const front = mergeTrials(trials, goal).candidates
    const onFront = new Set(front.map(({ trial }) => trial))
    let dominated = 0
    const shapes = new Map<string, WorkerShape>()
    for (const { config } of trials)
      for (const role of rolesOf(config!)) shapes.set(JSON.stringify(shapeOf(config!, role)), shapeOf(config!, role))
    for (const shape of shapes.values()) {
      for (const trial of shapeStanding(trials, goal, { ...ALL, shape }).best) {
        expect(trial.onFront).toBe(onFront.has(trial.trial))
        expect(trial.betterCount === 0).toBe(trial.onFront)
        for (const other of trial.better) {
          dominated++
          expect(onFront.has(other.trial)).toBe(true)
          for (const name of goalObjectives(goal)) {
            expect(other.objectives[name]).toBeGreaterThanOrEqual(trial.objectives[name] as number)
            expect(other.margins[name]).toBe((other.objectives[name] as number) - (trial.objectives[name] as number))
          }
        }
      }
    }
    expect(dominated).toBeGreaterThan(0)
  })

  it('is empty for a shape that was never tried, and keeps to the roles and backends asked about', () => {
    const { study, trials } = syntheticStudy({ trials: 60 })
    const never = { tp: 3, attentionDp: 1, moeTp: 1, moeEp: 1 }
    expect(shapeStanding(trials, study.config.goal, { ...ALL, shape: never })).toMatchObject({ statuses: {}, best: [] })
    const shape = shapeOf(trials.find(({ branch }) => branch === 'disagg')!.config!, 'decode')
    const one = shapeStanding(trials, study.config.goal, { shape, roles: ['decode'], backends: ['sglang'] })
    for (const trial of one.best) {
      expect(trial.role).toBe('decode')
      expect(trial.config['backend']).toBe('sglang')
      expect(shapeOf(trial.config, 'decode')).toEqual(shape)
    }
  })
})
