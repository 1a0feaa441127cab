import { loadConfigValue, type ScalarTarget, type SpicaConfig } from '@spica/schema'
import type { StudyFile } from '../../src/study/study-file.js'
import type { TrialRecord } from '../../src/study/trial-record.js'

/** What a made-up study is like. */
export interface SyntheticOptions {
  readonly trials: number
  readonly target?: 'pareto' | 'throughput_per_gpu' | 'e2e_latency'
  /** Objectives of a Pareto goal; default throughput per GPU and per user. */
  readonly paretoObjectives?: readonly ScalarTarget[]
  /** Appended to every free text: names, messages, notices. */
  readonly suffix?: string
  /** Without load over time, as an older ledger. */
  readonly bare?: boolean
}

/** A small generator: the same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** A study with plausible trials of both modes and three backends; a fifth of the trials fail. */
export function syntheticStudy(options: SyntheticOptions): { study: StudyFile; trials: TrialRecord[] } {
  const next = numbers(7)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
  const target = options.target ?? 'pareto'
  const names =
    target === 'pareto' ? (options.paretoObjectives ?? ['throughput_per_gpu', 'throughput_per_user']) : [target]
  const suffix = options.suffix ?? ''
  const trials: TrialRecord[] = []
  for (let id = 0; id < options.trials; id++) {
    const mode = next() < 0.65 ? 'disagg' : 'agg'
    const backend = pick(['sglang', 'vllm', 'trtllm']) + suffix
    const config = sampleConfig(mode, backend, suffix, pick, next)
    trials.push(trialOf(id, mode, config, names, suffix, options.bare === true, next))
  }
  return { study: studyOf(target, names, suffix), trials }
}

function studyOf(target: string, names: readonly string[], suffix: string): StudyFile {
  const loaded = loadConfigValue({
    search_space: { model_name: 'zai-org/GLM-5-FP8', hardware_sku: 'b200_sxm', gpu_budget: 72, context_length: 2048 },
    workload: { isl: 1024, osl: 1024, kv_load_ratio: target === 'pareto' ? [0.1, 1] : 0.5, num_request_ratio: 10 },
    goal: {
      target,
      ...(target === 'pareto' ? { pareto_objectives: names } : {}),
    },
    sweep: { max_rounds: 80, parallel_evals: 8, random_seed: 7 },
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues))
  const base = loaded.config
  const config: SpicaConfig = {
    ...base,
    search_space: {
      ...base.search_space,
      model_name: base.search_space.model_name + suffix,
      hardware_sku: base.search_space.hardware_sku + suffix,
    },
  }
  return {
    format: 1,
    version: '0.0.0',
    config,
    compat: [],
    context_hash: 'none',
    seed: 7,
    config_folder: '.',
    overrides: {},
    state: 'finished',
    limits_fired: false,
    perf: { model: `roofline${suffix}`, backend_versions: { sglang: `0.5.16${suffix}`, vllm: '0.24.0' } },
    branches: [
      { deployment_mode: 'disagg', backends: [`sglang${suffix}`, 'vllm', 'trtllm'], configurations: 412 },
      { deployment_mode: 'agg', backends: ['sglang', 'vllm', 'trtllm'], configurations: 58 },
    ],
    notices: [`agg on trtllm: 6 shapes left out, their experts do not divide${suffix}`],
  }
}

function sampleConfig(
  mode: string,
  backend: string,
  suffix: string,
  pick: <T>(items: readonly T[]) => T,
  next: () => number,
): Record<string, unknown> {
  const shape = (prefix: string) => {
    const gpus = pick([2, 4, 8, 8, 16])
    const strategy = pick(['tp', 'tep', 'dep', 'dtp'])
    const dp = strategy === 'dep' || strategy === 'dtp' ? gpus : 1
    return {
      [`${prefix}tp`]: gpus / dp,
      [`${prefix}pp`]: 1,
      [`${prefix}attention_dp`]: dp,
      [`${prefix}moe_tp`]: strategy === 'tep' || strategy === 'dep' ? 1 : gpus,
      [`${prefix}moe_ep`]: strategy === 'tep' || strategy === 'dep' ? gpus : 1,
      [`${prefix}strategy`]: strategy + suffix,
      [`${prefix}replicas`]: pick([1, 1, 2, 3, 4]),
    }
  }
  const engine = (role: string) => ({
    [`${role}_max_num_batched_tokens`]: pick([2048, 4096, 8192, 16384, 32768]),
    [`${role}_max_num_seqs`]: pick([64, 128, 256, 512, 1024]),
    [`${role}_block_size`]: 64,
    [`${role}_gpu_memory_utilization`]: 0.9,
    [`${role}_enable_prefix_caching`]: true,
  })
  const scaled = next() < 0.3
  return {
    deployment_mode: mode,
    backend,
    model_name: `zai-org/GLM-5-FP8${suffix}`,
    hardware_sku: `b200_sxm${suffix}`,
    gpu_budget: 72,
    min_gpu_budget: null,
    context_length: 2048,
    ...(mode === 'disagg' ? { ...shape('prefill_'), ...shape('decode_') } : shape('')),
    ...(mode === 'disagg' ? { ...engine('prefill'), ...engine('decode') } : engine('agg')),
    router_mode: pick(['round_robin', 'kv_router']),
    planner_scaling_policy: scaled ? 'load_180_5' : 'disabled',
    enable_throughput_scaling: false,
    enable_load_scaling: scaled,
    ...(scaled ? { throughput_adjustment_interval_seconds: 180, load_adjustment_interval_seconds: 5 } : {}),
    backend_version: `0.5.16${suffix}`,
    kv_load_ratio: Number(next().toFixed(4)),
    concurrency: 1 + Math.floor(next() * 12000),
  }
}

function trialOf(
  id: number,
  mode: string,
  config: Record<string, unknown>,
  names: readonly string[],
  suffix: string,
  bare: boolean,
  next: () => number,
): TrialRecord {
  const gpusOf = (prefix: string) =>
    Number(config[`${prefix}tp`]) * Number(config[`${prefix}attention_dp`]) * Number(config[`${prefix}replicas`])
  const gpus = mode === 'disagg' ? gpusOf('prefill_') + gpusOf('decode_') : gpusOf('')
  const head = {
    id,
    branch: mode,
    round: 1 + Math.floor(id / 8),
    suggestion: id,
    selection: { backend: String(config['backend']) },
    projection: null,
    key: `k${id}`,
    config,
    used_gpus: gpus,
    timings: { started_ms: 1.7e12 + id, duration_ms: 900 },
    worker: 'local-1',
  }
  const nothing = { metrics: null, notes: null, objectives: null, score: null }
  if (next() < 0.2) {
    const failed = next() < 0.25
    const reason = failed
      ? { code: 'time-limit', message: `the evaluation passed its limit of 600 s${suffix}` }
      : { code: 'kv-does-not-fit', message: `KV cache: ${(next() * 20).toFixed(1)} GiB short per GPU${suffix}` }
    return { ...head, status: failed ? 'timed-out' : 'infeasible', repeats: null, reason, ...nothing }
  }
  const ratio = Number(config['kv_load_ratio'])
  const perUser = 20 + 75 * (1 - ratio) ** 1.6 * (0.7 + 0.3 * next())
  const perGpu =
    (1900 * ratio ** 0.8 * (0.45 + 0.55 * next()) * (mode === 'disagg' ? 1 : 0.8)) / (1 + (perUser / 90) ** 2) + 3
  const ttft = 80 + 900 * ratio + 200 * next()
  const tpot = 1000 / perUser
  const e2e = ttft + tpot * 1024
  const spread = (name: string, mean: number) =>
    Object.fromEntries(
      [
        ['mean', 1],
        ['median', 0.97],
        ['p75', 1.15],
        ['p90', 1.4],
        ['p95', 1.7],
        ['p99', 2.6],
        ['max', 3.4],
      ].map(([statistic, factor]) => [`${statistic}_${name}`, mean * Number(factor)]),
    )
  const plain: Record<string, number> = { throughput_per_gpu: perGpu, throughput_per_user: perUser, e2e_latency: e2e }
  const objectives = Object.fromEntries(names.map((name) => [name, plain[name] as number]))
  const [only, another] = names
  const sign = only === 'e2e_latency' ? -1 : 1
  return {
    ...head,
    status: 'feasible',
    repeats: null,
    reason: null,
    metrics: {
      output_throughput_tok_s: perGpu * gpus,
      mean_output_token_throughput_per_user: perUser,
      gpu_hours: gpus * 0.2,
      duration_ms: 720_000,
      prefix_cache_reused_ratio: 0,
      ...spread('ttft_ms', ttft),
      ...spread('tpot_ms', tpot),
      ...spread('itl_ms', tpot),
      ...spread('e2e_latency_ms', e2e),
    },
    objectives,
    score: another === undefined ? sign * (plain[only as string] as number) : null,
    notes: bare ? null : notesOf(mode, config, ratio, next),
  }
}

function notesOf(
  mode: string,
  config: Record<string, unknown>,
  ratio: number,
  next: () => number,
): Record<string, unknown> {
  const points = 40
  const phase = (index: number) => Math.min(1, index / 4) * Math.min(1, (points - 1 - index) / 5)
  const column = (of: (index: number) => number) =>
    Array.from({ length: points }, (_, index) => Math.round(of(index) * 1000) / 1000)
  const pool = (busy: number, kv: number, running: number, waiting: number) => ({
    timeMs: column((index) => (index * 720_000) / (points - 1)),
    activeWorkers: column((index) => 2 + (config['enable_load_scaling'] === true && index > 15 ? 2 : 0)),
    startingWorkers: column(() => 0),
    drainingWorkers: column(() => 0),
    runningRequests: column((index) => Math.round(running * phase(index) * (0.92 + 0.08 * next()))),
    waitingRequests: column((index) => Math.round(waiting * phase(index) * next())),
    kvUtilisation: column((index) => kv * phase(index) * (0.94 + 0.06 * next())),
    busyWorkers: column((index) => Math.min(1, busy * Math.min(1, phase(index) * 2) * (0.9 + 0.1 * next()))),
  })
  return {
    timeline: {
      ...(mode === 'disagg' ? { prefill: pool(0.4 + 0.6 * next(), 0.2, 12, 8 * ratio) } : {}),
      decode: pool(
        1,
        Math.min(1, ratio * 1.05),
        Number(config['concurrency']) * 0.9,
        Number(config['concurrency']) * 0.1 * ratio,
      ),
    },
    scaling_events:
      config['enable_load_scaling'] === true
        ? Array.from({ length: 18 }, (_, index) => ({
            time_ms: 20_000 + index * 35_000,
            pool: index % 3 === 0 && mode === 'disagg' ? 'prefill' : 'decode',
            from: 2 + (index % 3),
            to: 2 + ((index + 1) % 3),
          }))
        : [],
    non_finite: [],
    pass_time: {
      prefill_ms: 4000 * next(),
      decode_ms: 9000,
      sources: { measured: 0.62, interpolated: 0.3, roofline: 0.08 },
    },
  }
}
