import { join } from 'node:path'
import { findHardware, findModel } from '@spica/catalog'
import type { Backend, EngineArgs, PerfModel, ReplayReport } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson, readGoldenText, sharedFolder } from '../../../conformance/golden.js'
import { estimateKv, numGpuBlocks } from '../../kv-estimate/src/index.js'
import {
  parseEngineArgs,
  parseRouterConfig,
  replay,
  type SyntheticOptions,
  syntheticWorkload,
} from '../../replay-sim/src/index.js'
import { createTableModel } from '../src/index.js'
import { openPerfDatabase } from '../src/node/index.js'

const COUNT = /requests$|_tokens$|gpus_per_worker$/
const MEANS = /^duration_ms$|^mean_(itl|e2e_latency)_ms$/

type RawArgs = Readonly<Record<string, unknown>> | null

interface Deployment {
  readonly agg: RawArgs
  readonly prefill: RawArgs
  readonly decode: RawArgs
  readonly workers: number
  readonly prefillWorkers: number
  readonly decodeWorkers: number
  readonly routerMode: 'round_robin' | 'kv_router'
  readonly routerConfig: RawArgs
}

const database = hasGolden ? openPerfDatabase(join(sharedFolder, 'perf-db')) : null

/** Engine arguments with their KV blocks and the measured pass times of one role. */
async function engineOf(raw: RawArgs): Promise<{ args: EngineArgs; perfModel: PerfModel } | null> {
  if (raw === null) return null
  const args = parseEngineArgs(raw)
  const model = findModel(args.aic_model_path!)
  const hardware = findHardware(args.aic_system!)
  const backend = args.aic_backend as Backend
  const tp = args.aic_tp_size ?? 1
  const attentionDp = args.aic_attention_dp_size ?? 1
  const shape = { tp, attentionDp, moeTp: args.aic_moe_tp_size ?? 1, moeEp: args.aic_moe_ep_size ?? 1 }
  const estimate = estimateKv({
    model,
    hardware,
    backend,
    shape,
    settings: {
      maxNumBatchedTokens: args.max_num_batched_tokens!,
      maxNumSeqs: args.max_num_seqs!,
      memoryFraction: args.gpu_memory_utilization!,
    },
    compat: 'aic-0.11',
  })
  const backendVersion = args.aic_backend_version!
  const perfModel = await createTableModel(database!, {
    model,
    hardware,
    backend,
    shape,
    backendVersion,
    compat: 'aic-0.11',
  })
  return { args: parseEngineArgs({ ...raw, num_gpu_blocks: numGpuBlocks(estimate, args.block_size!) }), perfModel }
}

async function run(deployment: Deployment, load: SyntheticOptions, sla: Record<string, number>): Promise<ReplayReport> {
  const [agg, prefill, decode] = await Promise.all(
    [deployment.agg, deployment.prefill, deployment.decode].map(engineOf),
  )
  const blockSize = (agg ?? prefill)!.args.block_size!
  return replay({
    ...syntheticWorkload({ ...load, blockSize }),
    ...(agg ? { engine: agg.args, perfModel: agg.perfModel } : {}),
    ...(prefill && decode
      ? {
          prefill: prefill.args,
          decode: decode.args,
          prefillPerfModel: prefill.perfModel,
          decodePerfModel: decode.perfModel,
        }
      : {}),
    ...(agg
      ? { workers: deployment.workers }
      : { prefillWorkers: deployment.prefillWorkers, decodeWorkers: deployment.decodeWorkers }),
    routerMode: deployment.routerMode,
    ...(deployment.routerConfig === null ? {} : { routerConfig: parseRouterConfig(deployment.routerConfig) }),
    compat: 'dynamo-1.4',
    ...(Object.keys(sla).length > 0 ? { sla } : {}),
  })
}

/**
 * Counts must be equal, times within a share (3 % where nothing is random); wall-clock figures and spreads around zero are not
 * compared.
 */
function differences(ours: ReplayReport, golden: Readonly<Record<string, number>>, share = 0.03): string[] {
  return Object.entries(golden).flatMap(([key, expected]) => {
    if (/^wall_time|_per_s$|^std_/.test(key) || typeof expected !== 'number') return []
    const value = ours[key]
    const isCount = COUNT.test(key)
    const slack = isCount ? 0 : Math.max(share * Math.abs(expected), 1e-6)
    const isClose = value !== undefined && Math.abs(value - expected) <= slack
    return isClose ? [] : [`${key}: ${value} instead of ${expected}`]
  })
}

interface DirectReplay {
  readonly name: string
  readonly isl: number
  readonly osl: number
  readonly n: number
  readonly agg: RawArgs
  readonly prefill: RawArgs
  readonly decode: RawArgs
  readonly kwargs: Readonly<Record<string, number | string>>
  readonly report: Readonly<Record<string, number>>
}

interface Evaluation {
  readonly concurrency: number
  readonly requests: number
  readonly plan: Readonly<Record<string, unknown>>
  readonly report: Readonly<Record<string, number>> | null
}

/** A router with a temperature draws at random, and the recorded draws are unseeded. */
function isRandom(plan: Readonly<Record<string, unknown>>): boolean {
  const config = plan['router_config'] as Readonly<Record<string, number>> | null
  return (config?.['router_temperature'] ?? 0) > 0
}

/** Sparse-attention blocks of 4 heads per rank: this part of the database holds only 15 of their points. */
function isPartlyMeasured(plan: Readonly<Record<string, unknown>>): boolean {
  const args = plan['agg_engine_args'] as Readonly<Record<string, unknown>> | null
  return args?.['aic_model_path'] === 'zai-org/GLM-5-FP8' && args['aic_tp_size'] === 16
}

function report(title: string, results: ReadonlyMap<string, readonly string[]>): void {
  const good = [...results.values()].filter((list) => list.length === 0).length
  const bad = [...results].filter(([, list]) => list.length > 0).map(([name, list]) => `  ${name}: ${list.join('; ')}`)
  process.stdout.write(`${title}: ${good} of ${results.size}\n${bad.join('\n')}${bad.length > 0 ? '\n' : ''}`)
}

describe.skipIf(!hasGolden)('recorded replays with measured tables and both compats', () => {
  it('direct replays', async () => {
    const rows = readGoldenJson<readonly DirectReplay[]>('end-to-end/direct-replays.json').slice(1)
    const results = new Map<string, readonly string[]>()
    for (const row of rows) {
      const { kwargs } = row
      const number = (key: string): number | undefined => kwargs[key] as number | undefined
      const load: SyntheticOptions = {
        inputTokens: row.isl,
        outputTokens: row.osl,
        requestCount: row.n,
        ...(number('replay_concurrency') === undefined ? {} : { concurrency: number('replay_concurrency')! }),
        ...(number('arrival_interval_ms') === undefined ? {} : { arrivalIntervalMs: number('arrival_interval_ms')! }),
        ...(number('shared_prefix_ratio') === undefined ? {} : { sharedPrefixRatio: number('shared_prefix_ratio')! }),
        ...(number('num_prefix_groups') === undefined ? {} : { numPrefixGroups: number('num_prefix_groups')! }),
      }
      const sla: Record<string, number> = {}
      if (number('sla_ttft_ms') !== undefined) sla['ttftMs'] = number('sla_ttft_ms')!
      if (number('sla_itl_ms') !== undefined) sla['itlMs'] = number('sla_itl_ms')!
      const deployment: Deployment = {
        agg: row.agg,
        prefill: row.prefill,
        decode: row.decode,
        workers: number('num_workers') ?? 1,
        prefillWorkers: number('num_prefill_workers') ?? 1,
        decodeWorkers: number('num_decode_workers') ?? 1,
        routerMode: (kwargs['router_mode'] as Deployment['routerMode'] | undefined) ?? 'round_robin',
        routerConfig: null,
      }
      results.set(row.name, differences(await run(deployment, load, sla), row.report))
    }
    report('direct replays', results)
    expect([...results].filter(([, list]) => list.length > 0)).toEqual([])
  })

  for (const file of ['dense-evaluations.jsonl', 'glm5-agg-evaluations.jsonl']) {
    it(file, async () => {
      const rows = readGoldenText(`end-to-end/${file}`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Evaluation)
      const results = new Map<string, readonly string[]>()
      for (const [index, row] of rows.entries()) {
        if (row.report === null) continue
        const { plan } = row
        const deployment: Deployment = {
          agg: plan['agg_engine_args'] as RawArgs,
          prefill: plan['prefill_engine_args'] as RawArgs,
          decode: plan['decode_engine_args'] as RawArgs,
          workers: Math.max(1, plan['num_workers'] as number),
          prefillWorkers: Math.max(1, plan['num_prefill_workers'] as number),
          decodeWorkers: Math.max(1, plan['num_decode_workers'] as number),
          routerMode: plan['router_mode'] as Deployment['routerMode'],
          routerConfig: plan['router_config'] as RawArgs,
        }
        const load = { inputTokens: 1024, outputTokens: 128, requestCount: row.requests, concurrency: row.concurrency }
        const sla = 'goodput_completed_requests' in row.report ? { ttftMs: 1 } : {}
        const compared = Object.fromEntries(Object.entries(row.report).filter(([key]) => !key.startsWith('goodput')))
        const ours = await run(deployment, load, sla)
        results.set(`row ${index}`, differences(ours, compared))
        const counts = Object.fromEntries(
          Object.entries(compared).filter(([key]) => COUNT.test(key) || MEANS.test(key)),
        )
        const isLoose = isRandom(plan) || isPartlyMeasured(plan)
        expect(differences(ours, isLoose ? counts : compared, isLoose ? 0.15 : 0.03), `row ${index}`).toEqual([])
      }
      report(file, results)
    })
  }
})
