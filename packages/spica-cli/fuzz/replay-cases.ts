import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { CaseMaker } from './fuzz-case.js'
import { draw, hostileNumber, hostileRecord, hostileText } from './hostile-values.js'
import { judgeJson, judgeRun, runCaptured } from './judge-run.js'
import { createDice, type Dice } from './random.js'

const ENGINE_KEYS: readonly string[] = [
  'engine_type num_gpu_blocks block_size max_num_seqs max_num_batched_tokens enable_prefix_caching enable_chunked_prefill',
  'speedup_ratio decode_speedup_ratio dp_size startup_time max_model_len preemption_mode kv_bytes_per_token',
  'kv_transfer_bandwidth kv_transfer_timing_mode sglang trtllm aic_nextn aic_nextn_accept_rates aic_mtp_seed num_g2_blocks',
  'num_g3_blocks enable_g4_storage offload_batch_size bandwidth_g1_to_g2_gbps bandwidth_g2_to_g1_gbps worker_type is_prefill',
  'is_decode aic_backend aic_system aic_model_path aic_tp_size gpu_memory_utilization x',
].flatMap((line) => line.split(' '))
const ROUTER_KEYS: readonly string[] = [
  'overlap_score_credit overlap_score_credit_decay prefill_load_scale decode_active_request_weight host_cache_hit_weight',
  'disk_cache_hit_weight router_temperature router_queue_threshold router_queue_policy use_kv_events',
  'router_track_active_blocks router_track_prefill_tokens router_assume_kv_reuse x',
].flatMap((line) => line.split(' '))
const PLANNER_KEYS: readonly string[] = [
  'mode optimization_target enable_throughput_scaling enable_load_scaling throughput_adjustment_interval_seconds',
  'load_adjustment_interval_seconds ttft itl min_endpoint max_gpu_budget min_gpu_budget load_predictor',
  'max_num_fpm_samples fpm_sample_bucket_size load_scaling_down_sensitivity load_min_observations x',
].flatMap((line) => line.split(' '))

const engineBase = fc
  .record({
    engine_type: fc.constantFrom('vllm', 'sglang', 'trtllm'),
    num_gpu_blocks: fc.constantFrom(4, 10, 50, 400, 16384),
    block_size: fc.constantFrom(1, 4, 16, 64),
    max_num_seqs: fc.constantFrom(1, 3, 8, 256),
    max_num_batched_tokens: fc.constantFrom(1, 16, 128, 2048),
    enable_prefix_caching: fc.boolean(),
    enable_chunked_prefill: fc.boolean(),
    dp_size: fc.constantFrom(1, 1, 1, 2),
    aic_nextn: fc.constantFrom(null, null, 2),
    num_g2_blocks: fc.constantFrom(0, 0, 30),
    preemption_mode: fc.constantFrom('lifo', 'fifo'),
  })
  .chain((base) =>
    hostileRecord({ ...base, ...(base.num_g2_blocks > 0 ? { kv_bytes_per_token: 1000 } : {}) }, ENGINE_KEYS, 1),
  )
const routerBase = fc.record(
  {
    overlap_score_credit: fc.constantFrom(0, 0.5, 1.5),
    prefill_load_scale: fc.constantFrom(0, 1, 32),
    router_temperature: fc.constantFrom(0, 0.5),
    router_queue_threshold: fc.constantFrom(0, 1, 4),
    router_queue_policy: fc.constantFrom('fcfs', 'lcfs', 'wspt'),
  },
  { requiredKeys: [] },
)
const routerConfig = routerBase.chain((base) => hostileRecord(base, ROUTER_KEYS, 1))
const plannerConfig = fc
  .constantFrom(
    { optimization_target: 'throughput', enable_load_scaling: true },
    { optimization_target: 'latency' },
    {},
    { optimization_target: 'sla', ttft: 300, itl: 30, enable_load_scaling: true, enable_throughput_scaling: true },
  )
  .chain((base) => hostileRecord(base, PLANNER_KEYS, 1))

/** Attacks on `spica replay`: engine, router and planner settings, and every numeric flag. */
export function replayCases(folder: string, seed: number): CaseMaker {
  return {
    make(number) {
      const dice = createDice(seed + number)
      const jsonl = join(folder, 'rows.jsonl')
      const args = replayArgs(dice, seed + number, jsonl)
      return {
        kind: 'replay',
        label: args.join(' '),
        async run() {
          rmSync(jsonl, { force: true })
          const ran = await runCaptured(args)
          const complaints = judgeRun(ran)
          if (ran.code !== 0) {
            if (existsSync(jsonl)) complaints.push('a failed replay left its rows behind')
            return { outcome: `exit ${ran.code}`, complaints }
          }
          complaints.push(...judgeJson(ran.stdout, () => false))
          if (args.includes(jsonl)) complaints.push(...judgeRows(readFileSync(jsonl, 'utf8'), ran.stdout))
          return { outcome: 'exit 0', complaints }
        },
      }
    },
    dispose: () => {},
  }
}

function replayArgs(dice: Dice, seed: number, jsonl: string): string[] {
  const json = (arbitrary: fc.Arbitrary<unknown>, salt: number) => JSON.stringify(draw(arbitrary, seed + salt))
  const args = ['replay', '--json']
  if (dice.chance(0.35))
    args.push('--prefill-engine-args', json(engineBase, 1), '--decode-engine-args', json(engineBase, 2))
  else args.push('--extra-engine-args', json(engineBase, 3))
  const set = (flag: string, values: readonly (number | string)[], probability: number) => {
    if (!dice.chance(probability)) return
    const hostile = dice.chance(0.02)
    const value = hostile
      ? draw(
          fc.oneof(
            hostileNumber.filter((n) => n < 1e5),
            hostileText,
          ),
          seed + args.length,
        )
      : dice.pick(values)
    args.push(`${flag}=${String(value)}`)
  }
  set('--input-tokens', [1, 7, 64, 65, 300, 1000], 0.99)
  set('--output-tokens', [0, 1, 2, 17, 80], 0.99)
  set('--request-count', [1, 2, 9, 25], 0.99)
  set(dice.pick(['--replay-concurrency', '--request-rate', '--arrival-interval-ms']), [1, 4, 13], 0.97)
  set('--turns-per-session', [1, 2, 3], 0.2)
  set('--inter-turn-delay-ms', [0, 10, 1e4], 0.15)
  set('--shared-prefix-ratio', [0, 0.3, 1], 0.2)
  set('--num-prefix-groups', [0, 1, 3], 0.2)
  set('--arrival-seed', [0, 42], 0.1)
  set('--num-workers', [1, 2, 4], 0.3)
  set('--num-prefill-workers', [1, 2], 0.1)
  set('--num-decode-workers', [1, 2], 0.1)
  set('--router-mode', ['round_robin', 'kv_router'], 0.5)
  set('--max-sim-time-seconds', [0.001, 1, 100], 0.15)
  set('--sla-ttft-ms', [1, 500], 0.2)
  set('--sla-e2e-ms', [1, 5000], 0.2)
  set('--arrival-speedup-ratio', [0.5, 3], 0.1)
  set('--seed', [1], 0.1)
  set('--compat', ['dynamo-1.4', 'aic-0.11', 'dynamo-1.4,aic-0.11'], 0.2)
  if (dice.chance(0.3)) args.push('--router-config', json(routerConfig, 4))
  if (dice.chance(0.15)) args.push('--planner-config', json(plannerConfig, 5))
  if (dice.chance(0.4)) args.push('--report-jsonl', jsonl)
  return args
}

function judgeRows(text: string, report: string): string[] {
  const complaints: string[] = []
  const rows = text.split('\n').filter((line) => line !== '')
  for (const line of rows) {
    const row = JSON.parse(line) as Record<string, unknown>
    const bad = Object.entries(row).find(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    if (bad !== undefined) complaints.push(`row value ${bad[0]} is ${String(bad[1])}`)
  }
  const { num_requests } = JSON.parse(report) as { num_requests: number }
  if (rows.length > num_requests) complaints.push(`${rows.length} rows for ${num_requests} requests`)
  return complaints
}
