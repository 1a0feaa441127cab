import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { capabilitiesOf, createPlanner } from '@spica/planner'
import {
  type LoadMode,
  loadTrace,
  parseEngineArgs,
  parseRouterConfig,
  type ReplayOptions,
  type RequestRow,
  replay as runReplay,
  syntheticWorkload,
  type Workload,
} from '@spica/replay-sim'
import { type Compat, type ReplayReport, SpicaError } from '@spica/schema'
import { type DirectEngine, directEngine } from '../evaluation/direct-engine.js'
import { openPerfInputs } from '../inputs/perf-inputs.js'
import { writeFileAtomic } from '../io/atomic-write.js'
import { readInputBytes, readInputText } from '../io/read-input.js'
import { significant, textTable } from '../output/text-table.js'
import { type CommandEnvironment, type CommandRegistration, printJson } from './command.js'
import { inertReplayFlags } from './inert-replay-flags.js'
import { addReplayFlags, type ReplayFlags } from './replay-flags.js'

export const registerReplay: CommandRegistration = (program, environment) => {
  addReplayFlags(program.command('replay'))
    .description('replay one workload on one deployment; the flags are those of upstream’s replay program')
    .argument('[trace...]', 'trace files; without one, a synthetic load')
    .action((traces: string[], flags: ReplayFlags) => replay(traces, flags, environment))
}

async function replay(traces: readonly string[], flags: ReplayFlags, environment: CommandEnvironment): Promise<void> {
  const compat: readonly Compat[] = flags.compat ?? []
  const deployment = await deploymentOptions(flags, compat)
  const offered = traces.length > 0 ? traceLoad(traces, flags) : syntheticLoad(flags, deployment.blockSize)
  for (const warning of inertReplayFlags(flags, traces.length > 0)) environment.stderr.write(`warning: ${warning}\n`)
  const rows: string[] = []
  const report = runReplay({
    ...offered,
    ...deployment.options,
    routerMode: flags.routerMode,
    ...(flags.routerConfig === undefined
      ? {}
      : { routerConfig: parseRouterConfig(jsonOrFile('--router-config', flags.routerConfig), '--router-config') }),
    ...slaOptions(flags),
    ...(flags.maxSimTimeSeconds === undefined ? {} : { maxSimTimeMs: flags.maxSimTimeSeconds * 1000 }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(compat.includes('dynamo-1.4') ? { compat: 'dynamo-1.4' as const } : {}),
    ...(flags.reportJsonl === undefined ? {} : { onRequest: (row: RequestRow) => void rows.push(JSON.stringify(row)) }),
    clockMs: () => performance.now(),
  })
  if (flags.reportJson !== undefined) writeFileAtomic(resolve(flags.reportJson), JSON.stringify(report, null, 2) + '\n')
  if (flags.reportJsonl !== undefined)
    writeFileAtomic(resolve(flags.reportJsonl), rows.map((row) => row + '\n').join(''))
  if (flags.json === true) printJson(environment, report)
  else environment.stdout.write(reportText(report))
}

/** Workers, engines and planner. */
async function deploymentOptions(
  flags: ReplayFlags,
  compat: readonly Compat[],
): Promise<{ options: Partial<ReplayOptions>; blockSize: number }> {
  const disagg = flags.prefillEngineArgs !== undefined || flags.decodeEngineArgs !== undefined
  const named = flags.perfModel !== undefined || flags.perfDb !== undefined
  const perf = openPerfInputs(
    { model: flags.perfModel ?? null, database: flags.perfDb ?? null, points: null },
    process.cwd(),
  )
  const engine = (flag: string, text: string | undefined): Promise<DirectEngine> =>
    directEngine(parseEngineArgs(text === undefined ? {} : jsonOrFile(flag, text), flag), perf, named, compat)
  const conflict = (message: string): never => {
    throw new SpicaError('input', 'conflicting-flags', message)
  }
  if (disagg) {
    if (flags.prefillEngineArgs === undefined || flags.decodeEngineArgs === undefined)
      conflict('a disaggregated replay needs --prefill-engine-args and --decode-engine-args')
    if (flags.extraEngineArgs !== undefined) conflict('--extra-engine-args is for aggregated workers')
    if ((flags.numWorkers ?? 1) !== 1) conflict('--num-workers is for aggregated workers')
    const prefill = await engine('--prefill-engine-args', flags.prefillEngineArgs)
    const decode = await engine('--decode-engine-args', flags.decodeEngineArgs)
    return {
      blockSize: prefill.args.block_size ?? 64,
      options: {
        prefill: prefill.args,
        decode: decode.args,
        prefillWorkers: flags.numPrefillWorkers ?? 1,
        decodeWorkers: flags.numDecodeWorkers ?? 1,
        ...(prefill.perfModel === null ? {} : { prefillPerfModel: prefill.perfModel }),
        ...(decode.perfModel === null ? {} : { decodePerfModel: decode.perfModel }),
        ...plannerOptions(flags, decode, prefill, compat),
      },
    }
  }
  if (flags.numPrefillWorkers !== undefined || flags.numDecodeWorkers !== undefined)
    conflict('--num-prefill-workers and --num-decode-workers need --prefill-engine-args and --decode-engine-args')
  const agg = await engine('--extra-engine-args', flags.extraEngineArgs)
  return {
    blockSize: agg.args.block_size ?? 64,
    options: {
      engine: agg.args,
      workers: flags.numWorkers ?? 1,
      ...(agg.perfModel === null ? {} : { perfModel: agg.perfModel }),
      ...plannerOptions(flags, agg, null, compat),
    },
  }
}

function plannerOptions(
  flags: ReplayFlags,
  decode: DirectEngine,
  prefill: DirectEngine | null,
  compat: readonly Compat[],
): Partial<ReplayOptions> {
  if (flags.plannerConfig === undefined) return {}
  const quirks = compat.includes('dynamo-1.4')
  const given = jsonOrFile('--planner-config', flags.plannerConfig)
  const mode = prefill === null ? 'agg' : 'disagg'
  const config = given !== null && typeof given === 'object' && !('mode' in given) ? { mode, ...given } : given
  const capabilities = ({ args, contextLength }: DirectEngine) =>
    capabilitiesOf(args, { compat: quirks, ...(contextLength === null ? {} : { contextLength }) })
  const planner = createPlanner({
    config,
    decode: capabilities(decode),
    ...(prefill === null ? {} : { prefill: capabilities(prefill) }),
    perfModels: {
      ...(decode.perfModel === null ? {} : { decode: decode.perfModel }),
      ...(prefill === null || prefill.perfModel === null ? {} : { prefill: prefill.perfModel }),
    },
    compat: quirks,
  })
  return { planner }
}

interface Offered {
  readonly workload: Workload
  readonly load: LoadMode
}

const SYNTHETIC_FLAGS = [
  'inputTokens',
  'outputTokens',
  'requestCount',
  'requestRate',
  'arrivalIntervalMs',
  'arrivalSeed',
  'turnsPerSession',
  'sharedPrefixRatio',
  'numPrefixGroups',
  'interTurnDelayMs',
] as const
const flagName = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function traceLoad(traces: readonly string[], flags: ReplayFlags): Offered {
  const [path] = traces
  if (path === undefined || traces.length > 1)
    throw new SpicaError('input', 'several-traces', `one trace at a time, found ${traces.length}`, {
      hint: 'join the files first; rows are sorted by their timestamps',
    })
  const clash = SYNTHETIC_FLAGS.find((name) => flags[name] !== undefined)
  if (clash !== undefined)
    throw new SpicaError('input', 'conflicting-flags', `${flagName(clash)} is for synthetic loads, not with a trace`)
  const closed = flags.replayConcurrency !== undefined
  const { workload } = loadTrace(readInputBytes(path), {
    file: path,
    closedLoop: closed,
    ...(flags.traceFormat === undefined ? {} : { format: flags.traceFormat }),
    ...(flags.traceBlockSize === undefined ? {} : { traceBlockSize: flags.traceBlockSize }),
    ...(flags.arrivalSpeedupRatio === undefined ? {} : { arrivalSpeedupRatio: flags.arrivalSpeedupRatio }),
  })
  return {
    workload,
    load: closed ? { kind: 'closed', concurrency: flags.replayConcurrency as number } : { kind: 'open' },
  }
}

function syntheticLoad(flags: ReplayFlags, blockSize: number): Offered {
  const need = (name: 'inputTokens' | 'outputTokens' | 'requestCount'): number => {
    const value = flags[name]
    if (value === undefined)
      throw new SpicaError('input', 'missing-flag', `a replay without a trace needs ${flagName(name)}`, {
        hint: 'give a trace file, or --input-tokens, --output-tokens, --request-count and one way to offer the load',
      })
    return value
  }
  const ways = (['replayConcurrency', 'requestRate', 'arrivalIntervalMs'] as const).filter(
    (name) => flags[name] !== undefined,
  )
  if (ways.length !== 1)
    throw new SpicaError(
      'input',
      'conflicting-flags',
      `a synthetic load needs exactly one of --replay-concurrency, --request-rate, --arrival-interval-ms; found ${ways.map(flagName).join(', ') || 'none'}`,
    )
  for (const name of ['traceFormat', 'traceBlockSize'] as const) {
    if (flags[name] !== undefined) throw new SpicaError('input', 'conflicting-flags', `${flagName(name)} needs a trace`)
  }
  const set = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value })
  return syntheticWorkload({
    inputTokens: need('inputTokens'),
    outputTokens: need('outputTokens'),
    requestCount: need('requestCount'),
    blockSize,
    ...set('concurrency', flags.replayConcurrency),
    ...set('requestRatePerSecond', flags.requestRate),
    ...set('arrivalIntervalMs', flags.arrivalIntervalMs),
    ...set('arrivalSeed', flags.arrivalSeed),
    ...set('turnsPerSession', flags.turnsPerSession),
    ...set('sharedPrefixRatio', flags.sharedPrefixRatio),
    ...set('numPrefixGroups', flags.numPrefixGroups),
    ...set('interTurnDelayMs', flags.interTurnDelayMs),
    ...set('arrivalSpeedupRatio', flags.arrivalSpeedupRatio),
  })
}

function slaOptions(flags: ReplayFlags): Partial<ReplayOptions> {
  const sla = {
    ...(flags.slaTtftMs === undefined ? {} : { ttftMs: flags.slaTtftMs }),
    ...(flags.slaItlMs === undefined ? {} : { itlMs: flags.slaItlMs }),
    ...(flags.slaE2eMs === undefined ? {} : { e2eMs: flags.slaE2eMs }),
  }
  return Object.keys(sla).length === 0 ? {} : { sla }
}

/** JSON given in place, or in the file of that name. */
function jsonOrFile(flag: string, text: string): unknown {
  const inPlace = /^\s*[[{]/.test(text) || !existsSync(text)
  const source = inPlace ? text : readInputText(text)
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new SpicaError(
      'input',
      'invalid-json',
      `${flag} is neither JSON nor the name of a JSON file: ${(error as Error).message}`,
    )
  }
}

const SHOWN: readonly (keyof ReplayReport & string)[] = [
  'num_requests',
  'completed_requests',
  'duration_ms',
  'request_throughput_rps',
  'output_throughput_tok_s',
  'mean_ttft_ms',
  'p99_ttft_ms',
  'mean_tpot_ms',
  'mean_itl_ms',
  'p99_itl_ms',
  'mean_e2e_latency_ms',
  'mean_output_token_throughput_per_user',
  'prefix_cache_reused_ratio',
  'goodput_output_throughput_tok_s',
  'gpu_hours',
  'wall_time_ms',
]

function reportText(report: ReplayReport): string {
  const rows = SHOWN.filter((name) => report[name] !== undefined).map((name) => [
    name,
    significant(report[name] as number, 7),
  ])
  return textTable(['figure', 'value'], rows) + '\n'
}
