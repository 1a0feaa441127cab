import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineArgs, Planner, PlannerDecision, PlannerSnapshot, ReplayReport } from '@spica/schema'
import { goldenFolder, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { loadTrace, type ReplayOptions, replay, syntheticWorkload, type Workload } from '../src/index.js'

interface PlannerConfig {
  readonly extra?: EngineArgs
  readonly p?: EngineArgs
  readonly d?: EngineArgs
  readonly router?: 'kv_router' | 'round_robin'
  readonly syn?: Readonly<Record<'input_tokens' | 'output_tokens' | 'request_count' | 'request_rate', number>>
}

export interface GoldenTick {
  readonly in: PlannerSnapshot
  readonly out: {
    readonly target_prefill: number | null
    readonly target_decode: number | null
    readonly next_tick_ms: number
  }
}

export function plannerNames(): string[] {
  return readdirSync(join(goldenFolder, 'replay'))
    .filter((name) => name.includes('planner'))
    .sort()
}

export function goldenTicks(name: string): GoldenTick[] {
  return readGoldenText(`replay/${name}/ticks.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as GoldenTick)
}

/** Says what the golden run's planner said, and keeps what it was shown. */
export class ScriptedPlanner implements Planner {
  readonly seen: PlannerSnapshot[] = []
  private readonly ticks: readonly GoldenTick[]

  constructor(ticks: readonly GoldenTick[]) {
    this.ticks = ticks
  }

  initialTickMs(): number {
    return this.ticks[0]!.in.now_ms
  }

  onTick(snapshot: PlannerSnapshot): PlannerDecision {
    const tick = this.ticks[this.seen.length]
    this.seen.push(snapshot)
    return {
      targetPrefill: tick?.out.target_prefill ?? null,
      targetDecode: tick?.out.target_decode ?? null,
      nextTickMs: tick?.out.next_tick_ms ?? snapshot.now_ms + 5000,
    }
  }
}

function traceOf(name: string, traceBlockSize: number): Workload {
  return loadTrace(new TextEncoder().encode(readGoldenText(`replay/${name}/trace.jsonl`)), { traceBlockSize }).workload
}

export function runPlanner(
  name: string,
  seed: number,
  extra: Partial<ReplayOptions> = {},
): { report: ReplayReport; planner: ScriptedPlanner } {
  const command = readGoldenJson<{ config: PlannerConfig; trace_block_size?: number }>(`replay/${name}/cmd.json`)
  const { config } = command
  const planner = new ScriptedPlanner(goldenTicks(name))
  const load: Pick<ReplayOptions, 'workload' | 'load'> =
    config.syn === undefined
      ? { workload: traceOf(name, command.trace_block_size ?? 512), load: { kind: 'open' } }
      : syntheticWorkload({
          inputTokens: config.syn.input_tokens,
          outputTokens: config.syn.output_tokens,
          requestCount: config.syn.request_count,
          requestRatePerSecond: config.syn.request_rate,
        })
  const report = replay({
    ...load,
    ...(config.extra === undefined ? { prefill: config.p!, decode: config.d! } : { engine: config.extra }),
    ...(config.router === undefined ? {} : { routerMode: config.router }),
    planner,
    seed,
    compat: 'dynamo-1.4',
    ...extra,
  })
  return { report, planner }
}
