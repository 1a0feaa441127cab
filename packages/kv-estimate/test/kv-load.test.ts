import { findHardware, findModel } from '@spica/catalog'
import { describe, expect, it } from 'vitest'
import {
  concurrentSequences,
  deploymentBlocks,
  estimateKv,
  type KvLoadInput,
  kvLoadConcurrency,
  numGpuBlocks,
} from '../src/index.js'

const DEP8 = { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8 }
const DTP8 = { tp: 1, attentionDp: 8, moeTp: 8, moeEp: 1 }

/** A published deployment: 2 × DEP8 prefill and 6 × DTP8 decode of GLM-5-FP8, SGLang, B200, 11,940 in flight at ratio 0.590. */
const PUBLISHED: KvLoadInput = {
  model: findModel('zai-org/GLM-5-FP8'),
  hardware: findHardware('b200_sxm'),
  backend: 'sglang',
  config: { mode: 'disagg', prefill: { ...DEP8, replicas: 2 }, decode: { ...DTP8, replicas: 6 } },
  engines: {
    prefill: { settings: { maxNumBatchedTokens: 32768, maxNumSeqs: 256, memoryFraction: 0.9 }, blockSize: 64 },
    decode: { settings: { maxNumBatchedTokens: 8192, maxNumSeqs: 1024, memoryFraction: 0.9 }, blockSize: 64 },
  },
  ratio: 1,
  isl: 1024,
  osl: 1024,
  maxSequenceTokens: 2048,
  compat: 'aic-0.11',
}

describe('kvLoadConcurrency', () => {
  it('reaches the published 20,237 requests of six decode workers, to one', () => {
    const found = kvLoadConcurrency(PUBLISHED)
    expect(found.feasible && Math.abs(found.concurrency - 20_237)).toBeLessThanOrEqual(1)
    const half = kvLoadConcurrency({ ...PUBLISHED, ratio: 0.59 })
    expect(half.feasible && Math.abs(half.concurrency - 11_940)).toBeLessThanOrEqual(1)
  })

  it('keeps at least one request in flight', () => {
    expect(kvLoadConcurrency({ ...PUBLISHED, ratio: 0 })).toMatchObject({ feasible: true, concurrency: 1 })
  })

  it('answers, not throws, when a role has no cache or no settings', () => {
    const decode = { settings: { maxNumBatchedTokens: 8192, maxNumSeqs: 64, memoryFraction: 0.2 }, blockSize: 64 }
    const engines = { ...PUBLISHED.engines, decode }
    expect(kvLoadConcurrency({ ...PUBLISHED, engines })).toMatchObject({
      feasible: false,
      code: 'no-kv-budget',
      role: 'decode',
    })
    expect(kvLoadConcurrency({ ...PUBLISHED, engines: { decode } })).toMatchObject({
      feasible: false,
      code: 'missing-engine',
      role: 'prefill',
    })
    expect(kvLoadConcurrency({ ...PUBLISHED, isl: 1e9 })).toMatchObject({
      feasible: false,
      code: 'kv-capacity-too-small',
    })
  })
})

describe('blocks', () => {
  const estimate = estimateKv({
    model: findModel('meta-llama/Meta-Llama-3.1-8B'),
    hardware: findHardware('h100_sxm'),
    backend: 'vllm',
    shape: { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 },
    settings: { maxNumBatchedTokens: 8192, maxNumSeqs: 256, memoryFraction: 0.9 },
  })

  it('are whole and within the budget', () => {
    const blocks = numGpuBlocks(estimate, 16)
    expect(blocks * 16 * 131_072).toBeLessThanOrEqual(estimate.kvBudgetBytes)
    expect((blocks + 1) * 16 * 131_072).toBeGreaterThan(estimate.kvBudgetBytes)
    expect(deploymentBlocks(estimate, 16, 4, 3)).toBe(blocks * 12)
    expect(numGpuBlocks({ ...estimate, feasible: false, totalKvSizeTokens: null }, 16)).toBe(0)
    expect(() => numGpuBlocks(estimate, 0)).toThrow(/block_size/)
  })

  it('short sequences of a hybrid are limited by state, not by tokens', () => {
    const hybrid = estimateKv({
      model: findModel('nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8'),
      hardware: findHardware('h200_sxm'),
      backend: 'vllm',
      shape: { tp: 2, attentionDp: 1, moeTp: 1, moeEp: 2 },
      settings: { maxNumBatchedTokens: 8192, maxNumSeqs: 4096, memoryFraction: 0.9 },
    })
    expect(concurrentSequences(hybrid, 2)).toBeLessThan(4096)
    expect(hybrid.totalKvSizeTokens! / 2).toBeGreaterThan(4096)
    expect(concurrentSequences(estimate, 1024)).toBe(Math.floor(estimate.kvBudgetBytes / (131_072 * 1024)))
    expect(concurrentSequences({ ...estimate, feasible: false }, 10)).toBe(0)
  })
})
