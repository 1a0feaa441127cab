import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseRouterConfig, type ReplayOptions, replay, syntheticWorkload } from '@spica/replay-sim'
import type { DeploymentPlan, EngineArgs } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenText, sharedFolder } from '../../../conformance/golden.js'
import { directEngine } from '../src/evaluation/direct-engine.js'
import { openPerfInputs } from '../src/inputs/perf-inputs.js'

interface Row {
  readonly concurrency: number
  readonly requests: number
  readonly plan: DeploymentPlan
  readonly report: Record<string, number> | null
}

const database = join(sharedFolder, 'perf-db', 'systems')
const COUNTS = ['num_requests', 'completed_requests', 'total_input_tokens', 'total_output_tokens'] as const
const TIMES = [
  'duration_ms',
  'mean_ttft_ms',
  'mean_tpot_ms',
  'mean_e2e_latency_ms',
  'output_throughput_tok_s',
  'gpu_hours',
] as const

describe.skipIf(!hasGolden || !existsSync(database))('recorded candidates with measured tables', () => {
  for (const file of ['dense-evaluations.jsonl', 'glm5-agg-evaluations.jsonl']) {
    it(`${file} replays to the same counts, times within 3 %`, { timeout: 600_000 }, async () => {
      const rows = readGoldenText(`end-to-end/${file}`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row)
      const perf = openPerfInputs({ model: 'table', database, points: null }, '/')
      const wrong: string[] = []
      let compared = 0
      let worst = 0
      for (const [index, row] of rows.entries()) {
        if (row.report === null) continue
        compared++
        try {
          const report = await replayRow(row, perf)
          const off = COUNTS.filter((key) => report[key] !== row.report?.[key]) as string[]
          for (const key of isDrawn(row) ? [] : TIMES) {
            const golden = row.report[key] as number
            const error = Math.abs((report[key] as number) - golden) / golden
            worst = Math.max(worst, error)
            if (!(error <= toleranceOf(row))) off.push(`${key} off by ${(error * 100).toFixed(1)} %`)
          }
          if (off.length > 0) wrong.push(`row ${index}: ${off.join(', ')}`)
        } catch (error) {
          wrong.push(`row ${index}: ${(error as Error).message}`)
        }
      }
      console.log(`${file}: ${compared - wrong.length} of ${compared}, worst ${(worst * 100).toFixed(3)} %`)
      expect(wrong).toEqual([])
      expect(compared).toBeGreaterThan(0)
    })
  }
})

/** The recorded router drew its targets without a seed: other draws move the mean TTFT by up to 40 %. */
function isDrawn({ plan }: Row): boolean {
  return plan.router_mode === 'kv_router' && Number(plan.router_config?.['router_temperature'] ?? 0) > 0
}

/** 3 %; 6 % for vLLM workers that span nodes, whose small-batch collectives the tables do not reproduce yet. */
function toleranceOf({ plan }: Row): number {
  const args = plan.agg_engine_args ?? plan.decode_engine_args
  return args?.aic_backend === 'vllm' && (args.aic_tp_size ?? 1) > 8 ? 0.06 : 0.03
}

async function replayRow(
  row: Row,
  perf: ReturnType<typeof openPerfInputs>,
): Promise<Record<string, number | undefined>> {
  const engine = (args: EngineArgs) => directEngine(args, perf, true, ['dynamo-1.4', 'aic-0.11'])
  const { plan } = row
  const { workload, load } = syntheticWorkload({
    inputTokens: 1024,
    outputTokens: 128,
    requestCount: row.requests,
    concurrency: row.concurrency,
  })
  let deployment: Partial<ReplayOptions>
  if (plan.agg_engine_args !== null) {
    const agg = await engine(plan.agg_engine_args)
    deployment = { engine: agg.args, workers: plan.num_workers, perfModel: agg.perfModel! }
  } else {
    const prefill = await engine(plan.prefill_engine_args!)
    const decode = await engine(plan.decode_engine_args!)
    deployment = {
      prefill: prefill.args,
      decode: decode.args,
      prefillWorkers: plan.num_prefill_workers,
      decodeWorkers: plan.num_decode_workers,
      prefillPerfModel: prefill.perfModel!,
      decodePerfModel: decode.perfModel!,
    }
  }
  return replay({
    workload,
    load,
    ...deployment,
    routerMode: plan.router_mode,
    ...(plan.router_config === null ? {} : { routerConfig: parseRouterConfig(plan.router_config) }),
    compat: 'dynamo-1.4',
  })
}
