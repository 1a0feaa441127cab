import { describe, expect, it } from 'vitest'
import { deploymentInWords } from '../../assets/report/plain-words.js'

const AGG = {
  deployment_mode: 'agg',
  backend: 'vllm',
  backend_version: '0.24.0',
  hardware_sku: 'h200_sxm',
  gpu_budget: 16,
  used_gpus: 8,
  tp: 2,
  attention_dp: 1,
  strategy: 'tp',
  replicas: 4,
  agg_max_num_batched_tokens: 16384,
  agg_max_num_seqs: 512,
  agg_gpu_memory_utilization: 0.9,
  agg_enable_prefix_caching: false,
  router_mode: 'round_robin',
  enable_throughput_scaling: false,
  enable_load_scaling: false,
}

describe('deploymentInWords', () => {
  it('tells an aggregated deployment', () => {
    expect(deploymentInWords(AGG)).toEqual([
      'vLLM 0.24.0 on h200_sxm, aggregated: 4 identical workers of 2 GPUs each (TP2: tensor parallel), for prompts and generation alike. 8 GPUs in all.',
      'Each engine runs up to 512 requests at once, computes at most 16,384 tokens a pass and may use 90 % of GPU memory; prefix caching is off.',
      'Requests go to the workers in turn (round robin).',
      'The number of workers is fixed; the autoscaler is off.',
    ])
  })

  it('tells a disaggregated one with routing, spilling and scaling', () => {
    const words = deploymentInWords({
      ...AGG,
      deployment_mode: 'disagg',
      prefill_tp: 8,
      prefill_attention_dp: 1,
      prefill_strategy: 'tep',
      prefill_replicas: 1,
      decode_tp: 1,
      decode_attention_dp: 16,
      decode_strategy: 'dep',
      decode_replicas: 2,
      num_g2_blocks: 20000,
      router_mode: 'kv_router',
      overlap_score_credit: 1,
      prefill_load_scale: 32,
      enable_load_scaling: true,
      load_adjustment_interval_seconds: 5,
      concurrency: 12000,
    }).join(' ')
    expect(words).toContain('1 prefill worker of 8 GPUs (TEP8: tensor-parallel attention')
    expect(words).toContain('2 decode workers of 16 GPUs each (DEP16: data-parallel attention')
    expect(words).toContain('20,000 KV blocks spill to host memory.')
    expect(words).toContain('overlap credit 1, prefill load scale 32')
    expect(words).toContain('adapts the number of workers to the load every 5 s, within 16 GPUs')
    expect(words).toContain('Replayed with 12,000 requests in flight.')
  })

  it('never says undefined, whatever is missing', () => {
    const words = deploymentInWords({
      deployment_mode: 'agg',
      backend: 'constructor',
      tp: 1,
      attention_dp: 1,
      replicas: 1,
    })
    expect(words.join(' ')).not.toMatch(/undefined|NaN|native code/)
  })
})
