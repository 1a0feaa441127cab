import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { CaseMaker } from './fuzz-case.js'
import { draw, hostileRecord, hostileValue } from './hostile-values.js'
import { judgeJson, judgeRun, runCaptured } from './judge-run.js'
import { mutateBytes } from './mutate-bytes.js'
import { createDice } from './random.js'

const SPACE = {
  model_name: 'meta-llama/Llama-3.1-8B',
  hardware_sku: 'h200_sxm',
  gpu_budget: 4,
  planner_scaling_policy: ['disabled'],
}
const WORKLOAD = { isl: 256, osl: 16, concurrency: 4, num_request_ratio: 2 }
const SWEEP = { max_rounds: 1, parallel_evals: 2, optimizer: 'random', max_eval_seconds: 5 }

const SPACE_KEYS: readonly string[] = [
  'deployment_mode backend parallel_configs model_name hardware_sku gpu_budget min_gpu_budget min_endpoint context_length',
  'startup_time aic_nextn prefill_max_num_batched_tokens prefill_max_num_seqs decode_max_num_batched_tokens',
  'decode_max_num_seqs agg_max_num_batched_tokens agg_max_num_seqs agg_block_size prefill_block_size decode_block_size',
  'agg_gpu_memory_utilization prefill_gpu_memory_utilization decode_gpu_memory_utilization agg_enable_prefix_caching',
  'decode_enable_prefix_caching num_g2_blocks kv_bytes_per_token bandwidth_g1_to_g2_gbps offload_batch_size router_mode',
  'overlap_score_credit prefill_load_scale router_temperature host_cache_hit_weight disk_cache_hit_weight',
  'active_decode_blocks_threshold no_admission_control planner_scaling_policy planner_fpm_sampling',
  'planner_load_sensitivity load_predictor_candidates gpu_buget __proto__',
].flatMap((line) => line.split(' '))
const WORKLOAD_KEYS: readonly string[] = [
  'isl osl num_request_ratio request_rate concurrency kv_load_ratio shared_prefix_ratio num_prefix_groups',
  'turns_per_session inter_turn_delay_ms trace_path trace_format arrival_speedup_ratio replay_concurrency',
].flatMap((line) => line.split(' '))
const GOAL_KEYS: readonly string[] = ['target', 'sla', 'pareto_objectives', 'taget']
const SWEEP_KEYS: readonly string[] = [
  'max_rounds parallel_evals candidates_per_round random_seed max_eval_seconds optimizer stop_after_stall_rounds',
  'time_limit_seconds',
].flatMap((line) => line.split(' '))

const goals = fc.constantFrom<Record<string, unknown>>(
  {},
  { target: 'throughput' },
  { target: 'pareto' },
  { target: 'goodput', sla: { ttft_ms: 500, itl_ms: 50 } },
  { target: 'goodput_per_gpu', sla: { e2e_ms: 3000 } },
  { target: 'e2e_latency' },
)

/** Configs with hostile values at known and unknown keys. */
const hostileConfig: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(
        hostileRecord(SPACE, SPACE_KEYS, 3),
        hostileRecord(WORKLOAD, WORKLOAD_KEYS, 2),
        goals.chain((goal) => hostileRecord(goal, GOAL_KEYS, 1)),
        hostileRecord(SWEEP, SWEEP_KEYS, 1),
      )
      .map(([search_space, workload, goal, sweep]) => ({ search_space, workload, goal, sweep })),
  },
  {
    weight: 1,
    arbitrary: hostileRecord(
      { search_space: SPACE, workload: WORKLOAD },
      ['search_space', 'workload', 'goal', 'sweep', 'perf', 'x'],
      2,
    ),
  },
  { weight: 1, arbitrary: hostileValue },
)

/** Configs that stay small whatever is drawn, so that they can be swept. */
const sweepable: fc.Arbitrary<unknown> = fc
  .record({
    deployment_mode: fc.constantFrom(['agg'], ['disagg'], ['agg', 'disagg']),
    backend: fc.constantFrom(['vllm'], ['sglang'], ['trtllm'], ['vllm', 'sglang', 'trtllm']),
    context_length: fc.constantFrom(null, 1, 300, 4096, 131072),
    gpu_budget: fc.constantFrom(1, 2, 4),
    num_request_ratio: fc.constantFrom(0.01, 1, 2.5),
    isl: fc.constantFrom(1, 63, 64, 257, 5000),
    osl: fc.constantFrom(1, 2, 65),
    policy: fc.constantFrom(['disabled'], ['load_180_5'], ['disabled', 'hybrid_180_5', 'throughput_180_5']),
    caching: fc.boolean(),
    turns: fc.constantFrom(1, 3),
    nextn: fc.constantFrom(null, 1, 3),
    g2: fc.constantFrom(0, 1, 1000),
    goal: goals,
    load: fc.constantFrom<Record<string, unknown>>({ concurrency: 3 }, { request_rate: 7.5 }, { kv_load_ratio: 1e-5 }),
  })
  .map(({ isl, osl, num_request_ratio, policy, caching, turns, nextn, g2, goal, load, ...space }) => ({
    search_space: {
      ...SPACE,
      ...space,
      planner_scaling_policy: policy,
      agg_enable_prefix_caching: caching,
      aic_nextn: nextn,
      num_g2_blocks: g2,
      ...(g2 > 0 ? { kv_bytes_per_token: 1000 } : {}),
    },
    workload: { isl, osl, num_request_ratio, turns_per_session: turns, ...load },
    goal,
    sweep: SWEEP,
  }))

const BASE_YAML = `# a comment
search_space:
  model_name: meta-llama/Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 4
  deployment_mode: [agg, disagg]
  backend:
    - vllm
    - sglang
  agg_max_num_seqs: [256, 512]
  planner_scaling_policy: [disabled, {planner_scaling_policy: hybrid_180_5}]
  parallel_configs: []
workload: {isl: 1024, osl: 128, kv_load_ratio: [0.1, 0.9], num_request_ratio: 2.5}
goal:
  target: pareto
  pareto_objectives: &o [throughput_per_gpu, throughput_per_user]
sweep:
  max_rounds: 2
  parallel_evals: 2
  random_seed: 7
`

/** Attacks on the config: `validate`, `enumerate`, `explain`, and small sweeps. */
export function configCases(folder: string, seed: number): CaseMaker {
  return {
    make(number) {
      const dice = createDice(seed + number)
      const path = join(folder, 'config.yaml')
      const roll = dice.unit()
      const swept = roll < 0.05
      const source: string | Uint8Array =
        roll < 0.5
          ? JSON.stringify(draw(swept ? sweepable : hostileConfig, seed + number), null, dice.pick([0, 2]))
          : mutateBytes(Buffer.from(BASE_YAML), dice)
      const args = swept
        ? ['sweep', '--config', path, '--out', join(folder, `sweep-${number}`), '--workers', '1', '--json']
        : dice.pick([
            ['validate', path],
            ['validate', path, '--json'],
            ['enumerate', '--config', path, '--json'],
            ['explain', '--config', path, '--shape', 'tp=2'],
          ])
      return {
        kind: 'config',
        label: `${args[0]} ${source.toString().slice(0, 1500)}`,
        async run() {
          writeFileSync(path, source)
          const ran = await runCaptured(args)
          const complaints = judgeRun(ran)
          if (ran.code === 0 && args.includes('--json'))
            complaints.push(...judgeJson(ran.stdout, (at) => !/metrics|objectives/.test(at)))
          return { outcome: `${args[0]} exit ${ran.code}`, complaints }
        },
      }
    },
    dispose: () => {},
  }
}
