import type { Backend, Role, UnrolledSample } from '@spica/schema'
import * as fc from 'fast-check'

export interface ShapeChoice {
  readonly tp: number
  readonly attention_dp: number
  readonly moe_tp: number
  readonly moe_ep: number
}

/** The four MoE splits and the dense one, as enumeration produces them. */
export const shape: fc.Arbitrary<ShapeChoice> = fc
  .tuple(fc.constantFrom(1, 2, 4, 8, 16), fc.constantFrom('dense', 'tep', 'dep', 'tp', 'dtp'))
  .map(([g, kind]) => ({
    tp: kind === 'dep' || kind === 'dtp' ? 1 : g,
    attention_dp: kind === 'dep' || kind === 'dtp' ? g : 1,
    moe_tp: kind === 'tp' || kind === 'dtp' ? g : 1,
    moe_ep: kind === 'tep' || kind === 'dep' ? g : 1,
  }))

const pool = fc.record({
  shape,
  replicas: fc.integer({ min: 1, max: 12 }),
  max_num_batched_tokens: fc.constantFrom(2048, 8192, 16384, 32768),
  max_num_seqs: fc.constantFrom(1, 32, 256, 1024),
  gpu_memory_utilization: fc.constantFrom(0.85, 0.9, 0.95),
  enable_prefix_caching: fc.boolean(),
})

function poolFields(
  role: Role,
  given: typeof pool extends fc.Arbitrary<infer T> ? T : never,
  block: number,
): Record<string, unknown> {
  const prefix = role === 'agg' ? '' : `${role}_`
  const { shape: split, replicas, ...settings } = given
  return {
    ...Object.fromEntries(Object.entries({ ...split, pp: 1, replicas }).map(([key, value]) => [prefix + key, value])),
    ...Object.fromEntries(
      Object.entries({ ...settings, block_size: block }).map(([key, value]) => [`${role}_${key}`, value]),
    ),
  }
}

/** Candidates of both modes on all backends. */
export const sample: fc.Arbitrary<UnrolledSample> = fc
  .record({
    mode: fc.constantFrom('agg', 'disagg'),
    backend: fc.constantFrom<Backend>('vllm', 'sglang', 'trtllm'),
    pools: fc.tuple(pool, pool),
    block: fc.constantFrom(16, 32, 64),
    kv: fc.boolean(),
    g2: fc.constantFrom(0, 0, 4096),
    nextn: fc.constantFrom(null, 1, 3),
    context: fc.constantFrom(null, 8192, 131_072),
    model: fc.constantFrom('Qwen/Qwen3-32B', 'deepseek-ai/DeepSeek-V3', 'it\'s/a "quoted" $(model)', '1.5B', ''),
  })
  .map(({ mode, backend, pools, block, kv, g2, nextn, context, model }) => {
    const [first, second] = pools
    return {
      deployment_mode: mode,
      backend,
      backend_version: '0.24.0',
      model_name: model,
      hardware_sku: 'h200_sxm',
      gpu_budget: 64,
      context_length: context,
      aic_nextn: nextn,
      num_g2_blocks: backend === 'sglang' ? 0 : g2,
      kv_bytes_per_token: g2 > 0 ? 131_072 : null,
      offload_batch_size: g2 > 0 ? 32 : null,
      used_gpus: 0,
      ...(mode === 'agg'
        ? poolFields('agg', first, block)
        : { ...poolFields('prefill', first, block), ...poolFields('decode', second, block) }),
      router_mode: kv ? 'kv_router' : 'round_robin',
      ...(kv ? { overlap_score_credit: 1, prefill_load_scale: 4, router_temperature: 0.2 } : {}),
      planner_scaling_policy: 'disabled',
      enable_throughput_scaling: false,
      enable_load_scaling: false,
    } as unknown as UnrolledSample
  })
