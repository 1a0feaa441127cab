import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadTrace, parseEngineArgs, type ReplayOptions, replayDetailed, syntheticWorkload } from '@spica/replay-sim'
import type { ReplayReport } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { goldenFolder, hasGolden, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { capabilitiesOf, createPlanner } from '../src/index.js'

interface Run {
  readonly extra?: unknown
  readonly p?: unknown
  readonly d?: unknown
  readonly pc: Record<string, unknown>
  readonly router?: 'round_robin' | 'kv_router'
  readonly syn?: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly request_count: number
    readonly request_rate: number
  }
}

const runs = hasGolden
  ? readdirSync(join(goldenFolder, 'replay')).filter((name) =>
      existsSync(join(goldenFolder, 'replay', name, 'ticks.jsonl')),
    )
  : []

function workloadOf(run: Run, folder: string, traceBlockSize: number): Pick<ReplayOptions, 'workload' | 'load'> {
  if (run.syn === undefined) {
    const bytes = new TextEncoder().encode(readGoldenText(`${folder}/trace.jsonl`))
    return { workload: loadTrace(bytes, { traceBlockSize }).workload, load: { kind: 'open' } }
  }
  const { workload, load } = syntheticWorkload({
    inputTokens: run.syn.input_tokens,
    outputTokens: run.syn.output_tokens,
    requestCount: run.syn.request_count,
    requestRatePerSecond: run.syn.request_rate,
    arrivalSeed: 42,
  })
  return { workload, load }
}

function play(run: Run, folder: string, traceBlockSize: number, seed = 0) {
  const agg = run.pc['mode'] === 'agg'
  const decodeArgs = parseEngineArgs(run.d ?? run.extra ?? {})
  const prefillArgs = run.p === undefined ? undefined : parseEngineArgs(run.p)
  const planner = createPlanner({
    config: run.pc,
    decode: capabilitiesOf(decodeArgs, { compat: true }),
    ...(prefillArgs === undefined ? {} : { prefill: capabilitiesOf(prefillArgs, { compat: true }) }),
    compat: true,
  })
  const result = replayDetailed({
    ...workloadOf(run, folder, traceBlockSize),
    ...(agg || prefillArgs === undefined ? { engine: decodeArgs } : { prefill: prefillArgs, decode: decodeArgs }),
    routerMode: run.router ?? 'round_robin',
    planner,
    seed,
    compat: 'dynamo-1.4',
  } as ReplayOptions)
  return { planner, result }
}

const TIE_SEEDS = 60
const COMPARED = [
  'num_requests',
  'completed_requests',
  'duration_ms',
  'total_output_tokens',
  'mean_ttft_ms',
  'mean_itl_ms',
  'decode_worker_seconds',
  'prefill_worker_seconds',
  'gpu_hours',
]

function expectClose(ours: ReplayReport, theirs: Readonly<Record<string, number>>): void {
  for (const key of COMPARED) {
    const expected = theirs[key]
    if (expected === undefined) continue
    expect(Math.abs((ours[key] ?? Number.NaN) - expected), key).toBeLessThanOrEqual(
      1e-8 * Math.max(1, Math.abs(expected)),
    )
  }
}

describe.skipIf(!hasGolden)('planner in the loop of a replay', () => {
  for (const name of runs) {
    it(name, () => {
      const command = readGoldenJson<{ config: Run; trace_block_size: number | null }>(`replay/${name}/cmd.json`)
      const golden = readGoldenJson<{
        scaling_events: { at_s: number; component: string; from_count: number; to_count: number }[]
      }>(`replay/${name}/planner.json`)
      const expected = golden.scaling_events.map((event) => [
        event.at_s,
        event.component,
        event.from_count,
        event.to_count,
      ])
      const attempt = (seed: number) => {
        const { planner, result } = play(command.config, `replay/${name}`, command.trace_block_size ?? 512, seed)
        const events = planner.events.map((event) => [event.atMs / 1000, event.component, event.from, event.to])
        return { events, result }
      }
      if (command.config.router === 'kv_router') {
        // The peer breaks router ties at random: one of a few seeds must lead to its run.
        const matches = Array.from({ length: TIE_SEEDS }, (_, seed) => JSON.stringify(attempt(seed).events))
        expect(matches).toContain(JSON.stringify(expected))
        return
      }
      const { events, result } = attempt(0)
      expect(events).toEqual(expected)
      expectClose(result.report, readGoldenJson(`replay/${name}/report.json`))
    })
  }

  for (const target of ['throughput', 'latency', 'sla']) {
    it(`ticks of the aggregated ${target} run`, () => {
      const golden = readGoldenJson<{
        args: unknown
        planner_config: Record<string, unknown>
        ticks: unknown[][]
        events: [number, number, number, string][]
      }>(`planner/planner_replay_golden_${target}.json`)
      const { planner } = play({ extra: golden.args, pc: golden.planner_config }, 'planner', 512)
      expect(planner.events.map((event) => [event.atMs / 1000, event.from, event.to, event.reason])).toEqual(
        golden.events,
      )
      expect(
        planner.diagnostics.slice(0, golden.ticks.length).map((tick) => [tick.atMs / 1000, tick.loadReason]),
      ).toEqual(golden.ticks.map((tick) => [tick[0], tick[tick.length - 1]]))
    })
  }
})
