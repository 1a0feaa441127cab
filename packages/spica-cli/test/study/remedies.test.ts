import { findHardware, findModel } from '@spica/catalog'
import { loadConfigValue, type SpicaConfig } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { nothingFeasibleText } from '../../src/study/remedies.js'
import type { TrialRecord } from '../../src/study/trial-record.js'
import { syntheticStudy } from '../report/synthetic-study.js'

function configOf(space: object, workload: object): SpicaConfig {
  const loaded = loadConfigValue({
    search_space: { model_name: 'meta-llama/Meta-Llama-3.1-70B', hardware_sku: 'l40s', ...space },
    workload: { num_request_ratio: 2, concurrency: 1, ...workload },
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues))
  return loaded.config
}

function textOf(config: SpicaConfig, reasons: readonly [status: TrialRecord['status'], code: string][]): string {
  const [template] = syntheticStudy({ trials: 1 }).trials as [TrialRecord]
  const trials = reasons.map(
    ([status, code], id): TrialRecord => ({
      ...template,
      id,
      status,
      reason: { code, message: `because of ${code}` },
      objectives: null,
      score: null,
    }),
  )
  const { model_name, hardware_sku } = config.search_space
  const perf = { model: 'roofline', database: null, points: null } as const
  return nothingFeasibleText(
    trials,
    config,
    { model: findModel(model_name), hardware: findHardware(hardware_sku), perf },
    [],
  )
}

const SMALL = { isl: 512, osl: 64 }

describe('a sweep in which nothing was feasible', () => {
  it('names the changes that make room for a request of the load', () => {
    const config = configOf({ gpu_budget: 4, deployment_mode: ['agg'], context_length: 4096 }, { isl: 60000, osl: 500 })
    const text = textOf(config, [
      ['infeasible', 'kv-does-not-fit'],
      ['infeasible', 'kv-does-not-fit'],
      ['failed', 'x'],
    ])
    expect(text).toMatch(/^most often: because of kv-does-not-fit \(2 of 3 trials\)\n/)
    expect(text).toMatch(/with gpu_budget: 8 something fits: agg tp=8/)
    expect(text).not.toMatch(/context_length/)
  })

  it('says so when a deployment does fit that was not tried', () => {
    const config = configOf({ gpu_budget: 8, context_length: 4096 }, SMALL)
    expect(textOf(config, [['infeasible', 'kv-does-not-fit']])).toMatch(
      /yet agg tp=4.* holds a request: raise sweep.max_rounds/,
    )
  })

  it('points at the time limit, at the tables, or at neither', () => {
    const config = configOf({ gpu_budget: 8, context_length: 4096 }, SMALL)
    expect(textOf(config, [['timed-out', 'time-limit']])).toMatch(/more than sweep.max_eval_seconds: \d+/)
    expect(textOf(config, [['failed', 'perf-table-missing']])).toMatch(/with perf.model: roofline/)
    expect(textOf(config, [['failed', 'no-completed-requests']])).toMatch(
      /no change of context, budget, memory or backend/,
    )
  })
})
