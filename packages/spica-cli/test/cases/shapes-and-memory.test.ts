import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Workspace, workspace } from '../support/run-spica.js'

const config = (space: string, workload = '{isl: 1024, osl: 128, concurrency: 16, num_request_ratio: 2}') =>
  `search_space: {deployment_mode: [agg], hardware_sku: h200_sxm, planner_scaling_policy: [disabled], ${space}}\nworkload: ${workload}\n`

const A40 = 'name: a40\nvram_gib: 48\ngpus_per_node: 4\nmem_bw_gbps: 696\nfp16_tflops: 149\n'

interface KvAnswer {
  readonly total_kv_size_tokens: number
  readonly kv_size_per_token_bytes: number
  readonly kv_state_bytes_per_sequence: number
  readonly kv_budget_bytes: number
  readonly cuda_graph_bytes: number
  readonly warnings: readonly unknown[]
}

describe('reported cases of shapes and memory', () => {
  let at: Workspace
  beforeAll(() => {
    at = workspace({
      'kv-01.yaml': config(
        'model_name: openai/gpt-oss-120b, gpu_budget: 1, backend: [vllm]',
        '{isl: 65536, osl: 1024, concurrency: 64, num_request_ratio: 2}',
      ),
      'tp-01.yaml': config('model_name: Qwen/Qwen3-235B-A22B-FP8, gpu_budget: 8, backend: [sglang, vllm]'),
      'tp-05.yaml': config(
        'model_name: Qwen/Qwen3-235B-A22B-FP8, gpu_budget: 8, parallel_configs: [{tp: 4, moe_ep: 4}]',
      ),
      'tp-05-bad.yaml': config(
        'model_name: Qwen/Qwen3-235B-A22B-FP8, gpu_budget: 8, parallel_configs: [{tp: 4, moe_ep: 3}]',
      ),
      'tp-08.yaml': config('model_name: deepseek-ai/DeepSeek-V3, gpu_budget: 2, backend: [vllm]'),
      'tp-09.yaml': config('model_name: Qwen/Qwen3-32B-FP8, gpu_budget: 8, backend: [trtllm]').replace(
        '[agg]',
        '[disagg]',
      ),
      'a40.yaml': A40,
    })
  })
  afterAll(() => at.remove())

  const kv = async (...flags: string[]): Promise<KvAnswer> => {
    const ran = await at.spica('kv', '--json', '--hardware-sku', 'h200_sxm', ...flags)
    expect(ran.stderr).toBe('')
    return JSON.parse(ran.stdout) as KvAnswer
  }

  it('KV-01: gpt-oss-120b at 64k tokens keeps its single-GPU worker', async () => {
    const ran = await at.spica('enumerate', '--config', '{}/kv-01.yaml', '--json')
    const [branch] = (JSON.parse(ran.stdout) as { branches: { configs: { tp: number }[] }[] }).branches
    expect(branch?.configs.map(({ tp }) => tp)).toEqual([1])
  })

  it('KV-02: Nemotron-3-Super pays for its attention layers and a state per sequence', async () => {
    const model = 'nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8'
    const answer = await kv('--model-name', model, '--backend', 'vllm', '--kv-cache-dtype', 'bfloat16')
    expect(answer.kv_size_per_token_bytes).toBe(8192)
    expect(answer.kv_state_bytes_per_sequence).toBe(170_229_760)
  })

  it('KV-05: SGLang on DeepSeek-R1 gives 480k to 520k tokens, vLLM another number', async () => {
    const row = ['--model-name', 'deepseek-ai/DeepSeek-R1', '--tp', '8', '--kv-cache-dtype', 'bfloat16']
    const sglang = await kv(
      ...row,
      '--backend',
      'sglang',
      '--memory-fraction',
      '0.82',
      '--max-num-batched-tokens',
      '32768',
    )
    const vllm = await kv(...row, '--backend', 'vllm', '--memory-fraction', '0.9')
    expect(sglang.kv_size_per_token_bytes).toBe(70_272)
    expect(sglang.total_kv_size_tokens).toBeGreaterThan(480_000)
    expect(sglang.total_kv_size_tokens).toBeLessThan(520_000)
    expect(vllm.total_kv_size_tokens).not.toBe(sglang.total_kv_size_tokens)
  })

  it('KV-09: blocks of Llama-3.1-8B fill the budget to within one block', async () => {
    const answer = await kv('--model-name', 'meta-llama/Llama-3.1-8B', '--backend', 'vllm')
    const blockBytes = 16 * 131_072
    const blocks = Math.floor(answer.total_kv_size_tokens / 16)
    expect(blocks * blockBytes).toBeLessThanOrEqual(answer.kv_budget_bytes)
    expect((blocks + 1) * blockBytes).toBeGreaterThan(answer.kv_budget_bytes)
  })

  it('KV-10: an fp8 cache halves the bytes per token; tp 6 is refused for its heads, not for the vocabulary', async () => {
    const row = ['--model-name', 'Qwen/Qwen3-32B', '--backend', 'vllm']
    expect((await kv(...row, '--kv-cache-dtype', 'bfloat16')).kv_size_per_token_bytes).toBe(262_144)
    expect((await kv(...row, '--kv-cache-dtype', 'fp8')).kv_size_per_token_bytes).toBe(131_072)
    const refused = await at.spica('kv', ...row, '--hardware-sku', 'h200_sxm', '--tp', '6')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/tp 6 does not divide the 64 attention heads/)
  })

  it('KV-12: a memory fraction of 0.99 is warned of, and graphs are reserved', async () => {
    const answer = await kv('--model-name', 'meta-llama/Llama-3.1-8B', '--backend', 'vllm', '--memory-fraction', '0.99')
    expect(JSON.stringify(answer.warnings)).toMatch(/memory fraction 0\.99/)
    expect(answer.cuda_graph_bytes).toBeGreaterThan(0)
  })

  it('KV-13: larger batches leave less for the cache at the same fraction', async () => {
    const row = ['--model-name', 'google/gemma-4-26B-A4B', '--backend', 'vllm', '--memory-fraction', '0.98']
    const small = await kv(...row, '--max-num-batched-tokens', '512')
    const large = await kv(...row, '--max-num-batched-tokens', '65536')
    expect(large.kv_budget_bytes).toBeLessThan(small.kv_budget_bytes)
  })

  it('TP-01: moe_tp 8 is dropped for the FP8 block, moe_tp 4 and ep 8 stay', async () => {
    const ran = await at.spica('enumerate', '--config', '{}/tp-01.yaml', '--json')
    const [branch] = (JSON.parse(ran.stdout) as { branches: { configs: { moe_tp: number; moe_ep: number }[] }[] })
      .branches
    const configs = branch?.configs ?? []
    expect(configs.some(({ moe_tp }) => moe_tp === 8)).toBe(false)
    expect(configs.some(({ moe_tp }) => moe_tp === 4)).toBe(true)
    expect(configs.some(({ moe_ep }) => moe_ep === 8)).toBe(true)
    const why = await at.spica('explain', '--config', '{}/tp-01.yaml', '--shape', 'tp=8,moe_tp=8')
    expect(why.stdout).toMatch(
      /1536 over moe_tp 8 leave 192 per GPU, not a multiple of the FP8 block 128.*remainder 64/,
    )
  })

  it('TP-03: past its two KV heads, Qwen3.5-397B saves no cache with more tp, and tp 6 is illegal', async () => {
    const row = ['--model-name', 'Qwen/Qwen3.5-397B-A17B', '--backend', 'vllm', '--kv-cache-dtype', 'fp8']
    const bytes = async (tp: string) => (await kv(...row, '--tp', tp, '--moe-ep', tp)).kv_size_per_token_bytes
    expect(await bytes('8')).toBe(await bytes('2'))
    const refused = await at.spica('kv', ...row, '--hardware-sku', 'h200_sxm', '--tp', '6', '--moe-ep', '6')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/6/)
  })

  it('TP-05: a missing dimension defaults to 1, and products that differ are refused with the equation', async () => {
    expect((await at.spica('enumerate', '--config', '{}/tp-05.yaml')).stdout).toMatch(
      /tp=4,attention_dp=1,moe_tp=1,moe_ep=4/,
    )
    const refused = await at.spica('enumerate', '--config', '{}/tp-05-bad.yaml')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/tp × attention_dp = 4 × 1 = 4, but moe_tp × moe_ep = 1 × 3 = 3/)
  })

  it('TP-08: when nothing fits, the message says how many GPUs would', async () => {
    const refused = await at.spica('enumerate', '--config', '{}/tp-08.yaml')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/at least 8 GPUs, the budget is 2/)
    expect(refused.stderr).toMatch(/with gpu_budget: 8 something fits/)
  })

  it('TP-09: TensorRT-LLM disagg is searched; where compat drops it, the message says so', async () => {
    expect((await at.spica('enumerate', '--config', '{}/tp-09.yaml')).code).toBe(0)
    const dropped = await at.spica('enumerate', '--config', '{}/tp-09.yaml', '--compat', 'dynamo-1.4')
    expect(dropped.code).toBe(1)
    expect(dropped.stderr).toMatch(/disagg, trtllm: disaggregated TensorRT-LLM is left out under compat/)
  })

  it('DB-03: an unknown GPU never borrows figures; one of the user’s own works', async () => {
    const row = ['kv', '--model-name', 'Qwen/Qwen3-32B-FP8', '--backend', 'vllm', '--hardware-sku']
    const refused = await at.spica(...row, 'a40')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/unknown hardware_sku "a40"; known SKUs: .*\n.*path to a YAML file/)
    const own = await at.spica(...row, '{}/a40.yaml', '--json')
    expect(JSON.parse(own.stdout)).toMatchObject({ feasible: true, gpu_memory_capacity_bytes: 48 * 2 ** 30 })
  })
})
