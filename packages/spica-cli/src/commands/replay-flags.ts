import { TRACE_FORMATS, type TraceFormat } from '@spica/replay-sim'
import type { Compat, PerfModelName } from '@spica/schema'
import { type Command, Option } from 'commander'
import { compatList, finiteNumber, wholeNumber } from './flags.js'

/** Flags of `spica replay`: those of upstream's replay program, and ours. */
export interface ReplayFlags {
  extraEngineArgs?: string
  prefillEngineArgs?: string
  decodeEngineArgs?: string
  numWorkers?: number
  numPrefillWorkers?: number
  numDecodeWorkers?: number
  routerMode: 'round_robin' | 'kv_router'
  routerConfig?: string
  inputTokens?: number
  outputTokens?: number
  requestCount?: number
  requestRate?: number
  arrivalIntervalMs?: number
  arrivalSeed?: number
  replayConcurrency?: number
  turnsPerSession?: number
  sharedPrefixRatio?: number
  numPrefixGroups?: number
  interTurnDelayMs?: number
  traceFormat?: TraceFormat
  traceBlockSize?: number
  arrivalSpeedupRatio?: number
  maxSimTimeSeconds?: number
  slaTtftMs?: number
  slaItlMs?: number
  slaE2eMs?: number
  plannerConfig?: string
  reportJson?: string
  reportJsonl?: string
  perfModel?: PerfModelName
  perfDb?: string
  compat?: Compat[]
  seed?: number
  json?: true
}

/** Most workers of a pool: as many as a GPU budget may have GPUs. */
const MAX_WORKERS = 65_536

export function addReplayFlags(command: Command): Command {
  const count = wholeNumber(1)
  const workers = wholeNumber(1, MAX_WORKERS)
  const positive = finiteNumber(0)
  const least0 = finiteNumber(0, true)
  return command
    .option('--extra-engine-args <json-or-file>', 'engine arguments of aggregated workers')
    .option('--prefill-engine-args <json-or-file>', 'engine arguments of prefill workers')
    .option('--decode-engine-args <json-or-file>', 'engine arguments of decode workers')
    .option('--num-workers <n>', 'aggregated workers', workers)
    .option('--num-prefill-workers <n>', 'prefill workers', workers)
    .option('--num-decode-workers <n>', 'decode workers', workers)
    .addOption(
      new Option('--router-mode <mode>', 'request router').choices(['round_robin', 'kv_router']).default('round_robin'),
    )
    .option('--router-config <json-or-file>', 'settings of the kv_router')
    .option('--input-tokens <n>', 'prompt length of synthetic requests', count)
    .option('--output-tokens <n>', 'output length of synthetic requests', wholeNumber(0))
    .option('--request-count <n>', 'synthetic requests (sessions, when turns are given)', count)
    .option('--request-rate <per-second>', 'Poisson arrivals', positive)
    .option('--arrival-interval-ms <ms>', 'constant gap between arrivals', least0)
    .option('--arrival-seed <n>', 'seed of Poisson arrivals', wholeNumber(0))
    .option('--replay-concurrency <n>', 'requests in flight (closed loop)', count)
    .option('--turns-per-session <n>', 'requests of a session', count)
    .option('--shared-prefix-ratio <share>', 'share of the prompt common to a prefix group', least0)
    .option('--num-prefix-groups <n>', 'prefix groups', wholeNumber(0))
    .option('--inter-turn-delay-ms <ms>', 'think time between turns', least0)
    .addOption(new Option('--trace-format <name>', 'layout of the trace').choices(TRACE_FORMATS))
    .option('--trace-block-size <tokens>', 'tokens per hash id', count)
    .option('--arrival-speedup-ratio <n>', 'arrivals come this many times faster', positive)
    .option('--max-sim-time-seconds <s>', 'stop the simulated clock here', positive)
    .option('--sla-ttft-ms <ms>', 'goodput bound on the time to first token', least0)
    .option('--sla-itl-ms <ms>', 'goodput bound on the mean time between tokens', least0)
    .option('--sla-e2e-ms <ms>', 'goodput bound on the whole request', least0)
    .option('--planner-config <json-or-file>', 'autoscaler in the loop')
    .option('--report-json <file>', 'write the report')
    .option('--report-jsonl <file>', 'write a line per request')
    .addOption(new Option('--perf-model <name>', 'pass times').choices(['roofline', 'table', 'polynomial']))
    .option('--perf-db <path>', 'folder or wheel of measured tables; implies --perf-model table')
    .option('--seed <n>', 'seed of router ties and temperature', wholeNumber(0))
    .option('--compat <list>', 'restore upstream quirks: dynamo-1.4, aic-0.11', compatList)
    .option('--json', 'print the report as JSON')
}
