import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ReplayReport } from '@spica/schema'
import { goldenFolder, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { resolveEngine } from '../src/engine/resolve-engine.js'
import {
  loadTrace,
  parseEngineArgs,
  parseRouterConfig,
  type ReplayOptions,
  type RequestRow,
  replay,
  syntheticWorkload,
  type TraceFormat,
} from '../src/index.js'

export interface GoldenCommand {
  readonly name: string
  readonly argv: readonly string[]
  readonly exit: number
}

export function goldenNames(): string[] {
  return readdirSync(join(goldenFolder, 'replay'))
    .filter((name) => /^\d/.test(name) && !name.includes('planner'))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

export function flagsOf(argv: readonly string[]): Map<string, string> {
  const flags = new Map<string, string>()
  for (let k = 0; k < argv.length; k++) {
    if (argv[k]!.startsWith('--')) {
      flags.set(argv[k]!.slice(2), argv[k + 1]!)
      k++
    } else flags.set('TRACE', argv[k]!)
  }
  return flags
}

/** Options that the flags of a golden run stand for. */
export function optionsOf(name: string): ReplayOptions {
  const command = readGoldenJson<GoldenCommand>(`replay/${name}/cmd.json`)
  const flags = flagsOf(command.argv)
  const number = (key: string): number | undefined => (flags.has(key) ? Number(flags.get(key)) : undefined)
  const json = (key: string): unknown => (flags.has(key) ? JSON.parse(flags.get(key)!) : undefined)
  const concurrency = number('replay-concurrency')
  const args = parseEngineArgs(json('extra-engine-args') ?? json('prefill-engine-args'))
  const load = workloadOf(name, flags, number, concurrency, resolveEngine(args, 'aggregated').blockSize)
  const isDisagg = flags.has('prefill-engine-args')
  const sla = { ttftMs: number('sla-ttft-ms'), itlMs: number('sla-itl-ms'), e2eMs: number('sla-e2e-ms') }
  const given = Object.fromEntries(Object.entries(sla).filter(([, value]) => value !== undefined))
  const cap = number('max-sim-time-seconds')
  const mode = flags.get('router-mode') as 'kv_router' | 'round_robin' | undefined
  return {
    ...load,
    ...(isDisagg
      ? {
          prefill: args,
          decode: parseEngineArgs(json('decode-engine-args')),
          prefillWorkers: number('num-prefill-workers') ?? 1,
          decodeWorkers: number('num-decode-workers') ?? 1,
        }
      : { engine: args, workers: number('num-workers') ?? 1 }),
    ...(mode === undefined ? {} : { routerMode: mode }),
    ...(flags.has('router-config') ? { routerConfig: parseRouterConfig(json('router-config')) } : {}),
    ...(Object.keys(given).length > 0 ? { sla: given } : {}),
    ...(cap === undefined ? {} : { maxSimTimeMs: cap * 1000 }),
    compat: 'dynamo-1.4',
  }
}

function workloadOf(
  name: string,
  flags: Map<string, string>,
  number: (key: string) => number | undefined,
  concurrency: number | undefined,
  blockSize: number,
): Pick<ReplayOptions, 'workload' | 'load'> {
  const defined = <T extends object>(values: T): T =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
  if (flags.has('TRACE')) {
    const { workload } = loadTrace(
      new TextEncoder().encode(readGoldenText(`replay/${name}/trace.jsonl`)),
      defined({
        format: flags.get('trace-format') as TraceFormat | undefined,
        traceBlockSize: number('trace-block-size'),
        arrivalSpeedupRatio: number('arrival-speedup-ratio'),
        closedLoop: concurrency !== undefined,
      }) as object,
    )
    return { workload, load: concurrency === undefined ? { kind: 'open' } : { kind: 'closed', concurrency } }
  }
  return syntheticWorkload(
    defined({
      inputTokens: number('input-tokens')!,
      outputTokens: number('output-tokens')!,
      requestCount: number('request-count')!,
      concurrency,
      requestRatePerSecond: number('request-rate'),
      arrivalIntervalMs: number('arrival-interval-ms'),
      arrivalSeed: number('arrival-seed'),
      turnsPerSession: number('turns-per-session'),
      sharedPrefixRatio: number('shared-prefix-ratio'),
      numPrefixGroups: number('num-prefix-groups'),
      interTurnDelayMs: number('inter-turn-delay-ms'),
      blockSize,
    }),
  )
}

export function runGolden(
  name: string,
  extra: Partial<ReplayOptions> = {},
): { report: ReplayReport; rows: RequestRow[] } {
  const rows: RequestRow[] = []
  const report = replay({ ...optionsOf(name), ...extra, onRequest: (row) => rows.push(row) })
  return { report, rows }
}
