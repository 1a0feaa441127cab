import { type GoalTarget, needsSla, type SlaConfig } from './config/goal.js'
import type { Backend, DeploymentMode } from './domain/parallel.js'

export interface StarterOptions {
  /** Default: `meta-llama/Meta-Llama-3.1-8B`. */
  readonly modelName?: string
  /** Default: `h200_sxm`. */
  readonly hardwareSku?: string
  /** Default: 8. */
  readonly gpuBudget?: number
  /** Default: agg and disagg. */
  readonly deploymentModes?: readonly DeploymentMode[]
  /** Default: vllm. */
  readonly backends?: readonly Backend[]
  /** Default: `throughput_per_gpu`. */
  readonly target?: GoalTarget
  /** Default under goodput targets: TTFT 2000 ms, ITL 50 ms; else none. */
  readonly sla?: Partial<SlaConfig>
  /** Replays this trace instead of synthetic traffic. */
  readonly tracePath?: string
  /** Prompt tokens. Default: 2048. */
  readonly isl?: number
  /** Generated tokens. Default: 256. */
  readonly osl?: number
  /** Requests in flight. Default: 64, unless `requestRate` is given or the goal is pareto. */
  readonly concurrency?: number
  /** Requests per second. */
  readonly requestRate?: number
  /** Where the JSON Schema is, for editors; written into the first line. */
  readonly schemaPath?: string
}

/** A commented config to start from, as YAML text. With usable options it loads without issues. */
export function starterConfigYaml(options: StarterOptions = {}): string {
  const { schemaPath } = options
  const head = schemaPath === undefined ? [] : [`# yaml-language-server: $schema=${oneLine(schemaPath)}`]
  const sections = [searchSpace(options), workload(options), goal(options), SWEEP]
  return [...head, HEADER, ...sections].join('\n')
}

const HEADER = `# Spica sweep: which deployment of a model serves this traffic best?
# Check it with "spica validate FILE", run it with "spica sweep --config FILE".
# Lists are searched; a list of one value pins it. Fields left out take their defaults.
`

const SWEEP = `sweep:
  # New candidates per deployment mode = max_rounds x parallel_evals.
  max_rounds: 10
  parallel_evals: 8
  # Equal seeds give equal results.
  random_seed: 1
  # Seconds one candidate may take.
  max_eval_seconds: 600
  # optimizer: gp            # or random, quasi-random, or a package of your own

# Where pass times come from: roofline needs nothing, table needs a database of measurements.
# perf:
#   model: table
#   database: path/to/perf-db
`

function searchSpace(options: StarterOptions): string {
  const modes = options.deploymentModes ?? ['agg', 'disagg']
  const backends = options.backends ?? ['vllm']
  return `search_space:
  # A known model, or the path of a Hugging Face config.json.
  model_name: ${text(options.modelName ?? 'meta-llama/Meta-Llama-3.1-8B')}
  # A known GPU (see "spica catalog hardware"), or the path of a YAML that describes one.
  hardware_sku: ${text(options.hardwareSku ?? 'h200_sxm')}
  # Most GPUs a candidate may use.
  gpu_budget: ${options.gpuBudget ?? 8}
  # agg: every worker does prefill and decode; disagg: separate pools.
  deployment_mode: [${modes.join(', ')}]
  # vllm, sglang, trtllm
  backend: [${backends.join(', ')}]
  router_mode: [kv_router, round_robin]
  # Without autoscaling; drop the line to try the planner policies too.
  planner_scaling_policy: [disabled]
  # Pin shapes instead of enumerating them (needs one deployment_mode):
  # parallel_configs: [{tp: 2, replicas: 4}]
  # context_length: 8192     # longest sequence that must fit; default: the model's maximum
`
}

function workload(options: StarterOptions): string {
  if (options.tracePath !== undefined) {
    return `workload:
  # Requests as recorded (Mooncake JSONL, also gzip-compressed).
  trace_path: ${text(options.tracePath)}
  # arrival_speedup_ratio: 2 # twice as fast as recorded
  # replay_concurrency: 32   # this many in flight, instead of the recorded times
`
  }
  return `workload:
  # Prompt and generated tokens of every request.
  isl: ${options.isl ?? 2048}
  osl: ${options.osl ?? 256}
${load(options)}
  # Requests per run = this many times the load.
  num_request_ratio: 10
  # shared_prefix_ratio: 0.5 # share of the prompt that is common within a group
  # num_prefix_groups: 8
  # Or replay recorded traffic; then drop the fields above.
  # trace_path: trace.jsonl
`
}

function load(options: StarterOptions): string {
  if (options.requestRate !== undefined) return `  # Requests per second.\n  request_rate: ${options.requestRate}`
  if (options.concurrency !== undefined || options.target !== 'pareto') {
    return `  # Requests in flight at once (or request_rate: requests per second).\n  concurrency: ${options.concurrency ?? 64}`
  }
  return '  # Load as a share of what the KV caches hold; the range is searched.\n  kv_load_ratio: [0, 1]'
}

function goal(options: StarterOptions): string {
  const target = options.target ?? 'throughput_per_gpu'
  const sla = options.sla ?? (needsSla(target) ? { ttft_ms: 2000, itl_ms: 50 } : {})
  const bounds = Object.entries(sla).filter(([, value]) => value != null)
  const slaLines =
    bounds.length === 0
      ? '  # sla: {ttft_ms: 2000, itl_ms: 50}   # needed by goodput targets'
      : `  # Latency bounds in milliseconds.\n  sla: {${bounds.map(([name, value]) => `${name}: ${value}`).join(', ')}}`
  const objectives = target === 'pareto' ? '  pareto_objectives: [throughput_per_gpu, throughput_per_user]\n' : ''
  return `goal:
  # throughput, throughput_per_gpu, throughput_per_user, e2e_latency, goodput, goodput_per_gpu or pareto
  target: ${target}
${objectives}${slaLines}
`
}

/** Plain where YAML reads it back as the same text, else quoted. */
function text(value: string): string {
  return /^[A-Za-z./][\w./@-]*$/.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value)
}

/** Words and numbers that YAML would not read as text. */
const RESERVED = /^(true|false|null|[.\d][\d.eE]*|\.inf|\.nan)$/i

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ')
}
