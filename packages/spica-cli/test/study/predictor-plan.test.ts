import { loadTrace, workloadToShared } from '@spica/replay-sim'
import { loadConfigValue } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { planPredictors } from '../../src/study/predictor-plan.js'

const SPEEDUP = 2

function plan(compat: 'dynamo-1.4'[]) {
  const rows = Array.from({ length: 120 }, (_, i) => ({ timestamp: 60_000 * i, input_length: 100, output_length: 10 }))
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  const { workload } = loadTrace(new TextEncoder().encode(text), { arrivalSpeedupRatio: SPEEDUP })
  const config = loadConfigValue({
    search_space: { model_name: 'm/x', hardware_sku: 'h200_sxm' },
    workload: { trace_path: 'trace.jsonl', arrival_speedup_ratio: SPEEDUP },
    goal: { target: 'goodput', sla: { ttft_ms: 2000, itl_ms: 50 } },
  })
  if (!config.ok) throw new Error(JSON.stringify(config.issues))
  return planPredictors(config.config, ['throughput_600_5'], workloadToShared(workload), compat)
}

describe('planPredictors', () => {
  it('cuts the trace at the pace of the replay, under compat at its own', () => {
    expect(plan([]).sweeps.map((sweep) => sweep.windows)).toEqual([6])
    expect(plan(['dynamo-1.4']).sweeps.map((sweep) => sweep.windows)).toEqual([12])
  })
})
