import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Workspace, workspace } from '../support/run-spica.js'

const LOAD = [
  '--input-tokens',
  '512',
  '--output-tokens',
  '64',
  '--request-count',
  '16',
  '--replay-concurrency',
  '4',
] as const
const LLAMA = '{"aic_model_path":"meta-llama/Llama-3.1-8B","aic_system":"h100_sxm","num_gpu_blocks":5000}'

/** Two chats of ten turns, each turn's prompt holding the whole chat so far. */
const CHATS = Array.from({ length: 10 }, (_, turn) =>
  ['a', 'b'].map((session_id) => {
    const blocks = Math.ceil((700 * (turn + 1)) / 512)
    const hash_ids = Array.from({ length: blocks }, (_, block) => block + (session_id === 'b' ? 1000 : 0))
    const when = turn === 0 ? { timestamp: 0 } : { delay: 100 }
    return JSON.stringify({ session_id, ...when, input_length: 700 * (turn + 1), output_length: 20, hash_ids }) + '\n'
  }),
)
  .flat()
  .join('')

/** Five minutes at 1.5 requests a second, then nothing for half an hour. */
const SILENCE = [
  ...Array.from({ length: 450 }, (_, index) => ({ timestamp: index * 667, input_length: 3000, output_length: 150 })),
  { timestamp: 35 * 60_000, input_length: 30, output_length: 2 },
]
  .map((row) => JSON.stringify(row) + '\n')
  .join('')

describe('reported cases of replay, router and planner', () => {
  let at: Workspace
  beforeAll(() => {
    at = workspace({ 'chats.jsonl': CHATS, 'silence.jsonl': SILENCE })
  })
  afterAll(() => at.remove())

  const replay = async (...args: string[]): Promise<Record<string, number>> => {
    const ran = await at.spica('replay', '--json', ...args)
    expect(ran.stderr).toBe('')
    return JSON.parse(ran.stdout) as Record<string, number>
  }

  it('DB-06: accepted draft tokens shorten the time between tokens', async () => {
    const itl = async (nextn: number | null) => {
      const engine = { num_gpu_blocks: 4000, block_size: 64, aic_nextn: nextn, aic_nextn_accept_rates: [1, 1, 1, 1, 1] }
      return (await replay(...LOAD, '--extra-engine-args', JSON.stringify(engine)))['mean_itl_ms'] as number
    }
    expect(await itl(5)).toBeLessThan(0.5 * (await itl(null)))
  })

  it('DB-07: engine settings that are not modelled are refused by name', async () => {
    const wait = await at.spica('replay', ...LOAD, '--extra-engine-args', '{"batch_wait_timeout_iters":50}')
    expect(wait).toMatchObject({ code: 2, stderr: expect.stringMatching(/unknown key "batch_wait_timeout_iters"/) })
    const policy = '{"engine_type":"trtllm","trtllm":{"capacity_scheduler_policy":"MAX_UTILIZATION"}}'
    const unmodelled = await at.spica('replay', ...LOAD, '--extra-engine-args', policy)
    expect(unmodelled).toMatchObject({ code: 2, stderr: expect.stringMatching(/must be guaranteed_no_evict/) })
  })

  it('DB-08: roles have their own settings and counts', async () => {
    const engine = (memory: number) =>
      JSON.stringify({ num_gpu_blocks: 400, block_size: 64, gpu_memory_utilization: memory })
    const roles = ['--prefill-engine-args', engine(0.75), '--decode-engine-args', engine(0.92)]
    const report = await replay(...LOAD, ...roles, '--num-prefill-workers', '3', '--num-decode-workers', '2')
    expect(report).toMatchObject({ completed_requests: 16 })
    expect((report['prefill_worker_seconds'] as number) / (report['decode_worker_seconds'] as number)).toBeCloseTo(
      1.5,
      6,
    )
  })

  it('SIM-07: a burst of eight agrees with the static estimate within 5 %', async () => {
    const engine =
      '{"aic_model_path":"Qwen/Qwen3-32B","aic_system":"h200_sxm","aic_backend":"vllm","enable_prefix_caching":false,"max_num_batched_tokens":32768}'
    const load = [
      '--input-tokens',
      '1024',
      '--output-tokens',
      '128',
      '--request-count',
      '8',
      '--arrival-interval-ms',
      '0',
    ]
    const report = await replay('--extra-engine-args', engine, ...load)
    const row = [
      '--model-name',
      'Qwen/Qwen3-32B',
      '--hardware-sku',
      'h200_sxm',
      '--backend',
      'vllm',
      '--batch',
      '8',
      '--json',
    ]
    const ms = async (...phase: string[]) =>
      (JSON.parse((await at.spica('latency', ...row, ...phase)).stdout) as { ms: number }).ms
    const prefillMs = await ms('--phase', 'prefill', '--isl', '1024')
    const decodeMs = await ms('--phase', 'decode', '--context', String(1024 + 64))
    expect(Math.abs((report['mean_ttft_ms'] as number) / prefillMs - 1)).toBeLessThan(0.05)
    expect(Math.abs((report['mean_tpot_ms'] as number) / decodeMs - 1)).toBeLessThan(0.05)
  })

  it('RT-01: all turns of a chat stay on one worker, whose block size the router shares', async () => {
    await replay(
      '{}/chats.jsonl',
      '--router-mode',
      'kv_router',
      '--num-workers',
      '2',
      '--report-jsonl',
      '{}/rows.jsonl',
    )
    const workers = new Map<string, Set<number>>()
    for (const line of at.read('rows.jsonl').trim().split('\n')) {
      const row = JSON.parse(line) as { session_id: string; decode_worker_idx: number }
      workers.set(row.session_id, (workers.get(row.session_id) ?? new Set()).add(row.decode_worker_idx))
    }
    expect([...workers.values()].map((set) => set.size)).toEqual([1, 1])
    const own = await at.spica('replay', ...LOAD, '--router-mode', 'kv_router', '--router-config', '{"block_size":64}')
    expect(own).toMatchObject({ code: 2, stderr: expect.stringMatching(/unknown key "block_size"/) })
  })

  it('RT-03: a credit above 1 is taken, a negative one and the old key are refused, the key with its new name', async () => {
    const route = (config: string) =>
      at.spica('replay', ...LOAD, '--router-mode', 'kv_router', '--router-config', config)
    expect((await route('{"overlap_score_credit":1.5}')).code).toBe(0)
    expect((await route('{"overlap_score_credit":-1}')).stderr).toMatch(/at least 0, not -1/)
    expect((await route('{"overlap_score_weight":0}')).stderr).toMatch(/did you mean overlap_score_credit/)
  })

  it('PL-01: after traffic ends, a throughput planner goes down to its minimum', async () => {
    const planner = {
      optimization_target: 'sla',
      ttft_ms: 500,
      itl_ms: 50,
      enable_throughput_scaling: true,
      enable_load_scaling: false,
      load_predictor: 'constant',
      throughput_adjustment_interval_seconds: 60,
    }
    const fleet = ['{}/silence.jsonl', '--extra-engine-args', LLAMA, '--num-workers', '4']
    const fixed = await replay(...fleet)
    const scaled = await replay(...fleet, '--planner-config', JSON.stringify(planner))
    expect(fixed['gpu_hours']).toBeCloseTo((4 * 35) / 60, 2)
    expect(scaled['gpu_hours']).toBeLessThan(0.35 * (fixed['gpu_hours'] as number))
  })

  it('warns of flags that change nothing beside the others', async () => {
    const ran = await at.spica(
      'replay',
      ...LOAD,
      '--arrival-seed',
      '5',
      '--router-config',
      '{"router_temperature":0}',
      '--inter-turn-delay-ms',
      '5',
    )
    expect(ran.code).toBe(0)
    expect(ran.stderr.split('\n').filter((line) => line.startsWith('warning: '))).toHaveLength(3)
  })
})
