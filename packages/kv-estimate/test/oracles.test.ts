import { findHardware, findModel } from '@spica/catalog'
import type { Backend, EngineSettings, ModelSpec, WorkerShape } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import {
  estimateKv,
  type KvEstimateInput,
  kvBytesOfSequence,
  kvCurve,
  numGpuBlocks,
  parameterCounts,
} from '../src/index.js'

const GIB = 2 ** 30
const H200 = findHardware('h200_sxm')
const ONE: WorkerShape = { tp: 1, attentionDp: 1, moeTp: 1, moeEp: 1 }

function estimateOn(
  model: ModelSpec,
  backend: Backend,
  shape: WorkerShape,
  settings: Partial<EngineSettings>,
  extra: Partial<KvEstimateInput> = {},
) {
  const all = { maxNumBatchedTokens: 8192, maxNumSeqs: 256, memoryFraction: 0.9, ...settings }
  return estimateKv({ model, hardware: H200, backend, shape, settings: all, ...extra })
}

/** Gemma-4-31B by its layers: 50 windows of 1,024 with 16 KV heads of 256, 10 global ones with 4 of 512. */
const GEMMA_31B: ModelSpec = {
  ...findModel('google/gemma-4-26B-A4B'),
  name: 'Gemma-4-31B',
  family: 'dense',
  moe: null,
  layers: 60,
  heads: 32,
  kvHeads: 16,
  hiddenSize: 5376,
  interSize: 21504,
  denseFfn: [{ count: 60, interSize: 21504 }],
  layerGroups: [
    { mixer: 'sliding', count: 50, window: 1024, heads: 32, kvHeads: 16, headDim: 256 },
    { mixer: 'full', count: 10, heads: 32, kvHeads: 4, headDim: 512 },
  ],
}

describe('real engines', () => {
  it('DeepSeek-R1 on SGLang, TP8, H200, static fraction 0.82, bf16 cache: 509,000 tokens', () => {
    for (const experts of [
      { moeTp: 8, moeEp: 1 },
      { moeTp: 1, moeEp: 8 },
    ]) {
      for (const maxNumBatchedTokens of [8192, 32768]) {
        const shape = { tp: 8, attentionDp: 1, ...experts }
        const settings = { memoryFraction: 0.82, maxNumBatchedTokens }
        const found = estimateOn(findModel('deepseek-ai/DeepSeek-R1'), 'sglang', shape, settings, {
          kvCacheDtype: 'bfloat16',
        })
        expect(found.kvSizePerTokenBytes).toBe(70272)
        expect(found.totalKvSizeTokens).toBeGreaterThan(480_000)
        expect(found.totalKvSizeTokens).toBeLessThan(520_000)
      }
    }
  })

  it('Gemma-4-31B on vLLM, H200: 626,949 tokens at 108.2 KiB, 64.68 GiB', () => {
    const found = estimateOn(GEMMA_31B, 'vllm', ONE, {})
    expect(Math.abs(found.kvSizePerTokenBytes / 1024 / 108.2 - 1)).toBeLessThan(0.01)
    expect(Math.abs(found.totalKvSizeTokens! / 626_949 - 1)).toBeLessThan(0.1)
    expect(Math.abs(found.kvBudgetBytes / GIB / 64.68 - 1)).toBeLessThan(0.1)
  })

  it('Qwen3-32B-FP8 on vLLM, H200: 131,072 B per token, 737,808 tokens, 11,528 blocks of 64', () => {
    const found = estimateOn(findModel('Qwen/Qwen3-32B-FP8'), 'vllm', ONE, {})
    expect(found.kvSizePerTokenBytes).toBe(131_072)
    expect(Math.abs(found.totalKvSizeTokens! / 737_808 - 1)).toBeLessThan(0.01)
    expect(Math.abs(numGpuBlocks(found, 64) / 11_528 - 1)).toBeLessThan(0.01)
  })

  it('Nemotron-3-Super: 8,192 B per token in bf16, 170,229,760 B of state per sequence', () => {
    const model = findModel('nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8')
    const found = estimateOn(model, 'vllm', { ...ONE, tp: 2, moeEp: 2 }, {}, { kvCacheDtype: 'bfloat16' })
    expect(kvCurve(model, 1, { kvCacheDtype: 'bfloat16' }).growingBytesPerToken).toBe(8192)
    expect(found.kvSizePerTokenBytes).toBe(8192 / 2)
    expect(kvCurve(model, 1).stateBytes).toBe(170_229_760)
    expect(found.stateBytesPerSequence).toBe(170_229_760 / 2)
  })

  it('gpt-oss-20b, 32 sequences of 8,192: 6.09 GiB with windows capped, 12.0 GiB with unified pages', () => {
    const model = findModel('openai/gpt-oss-20b')
    const total = (windowPages: 'capped' | 'unified') =>
      (32 * kvBytesOfSequence(kvCurve(model, 1, { windowPages }), 8192)) / GIB
    expect(Math.abs(total('capped') / 6.09 - 1)).toBeLessThan(0.01)
    expect(Math.abs(total('unified') / 12 - 1)).toBeLessThan(0.01)
  })

  it('gpt-oss-120b: 36,864 B grow per token, 36,864 B per token of the window', () => {
    const curve = kvCurve(findModel('openai/gpt-oss-120b'), 1)
    expect(curve).toEqual({
      growingBytesPerToken: 36_864,
      windows: [{ tokens: 128, bytesPerToken: 36_864 }],
      stateBytes: 0,
    })
  })
})

describe('pools with windows', () => {
  it('charge chunks in flight for three sequences, windows for the rest', () => {
    const model = findModel('openai/gpt-oss-20b')
    const short = estimateOn(model, 'vllm', ONE, {}, { maxSequenceTokens: 8192 })
    const gib = (32 * 8192 * short.kvSizePerTokenBytes) / GIB
    expect(Math.abs(gib / 6.09 - 1)).toBeLessThan(0.02)
    const unified = estimateOn(model, 'vllm', ONE, {}, { maxSequenceTokens: 8192, windowPages: 'unified' })
    expect(unified.kvSizePerTokenBytes).toBe(49_152)
  })
})

describe('defaults', () => {
  it('KV heads fewer than tp are replicated', () => {
    const model = findModel('Qwen/Qwen3.5-397B-A17B')
    expect(kvCurve(model, 8).growingBytesPerToken).toBe(kvCurve(model, 2).growingBytesPerToken)
    expect(kvCurve(model, 2).growingBytesPerToken).toBe(kvCurve(model, 1).growingBytesPerToken / 2)
  })

  it('an FP8 cache halves a bf16 one', () => {
    const model = findModel('Qwen/Qwen3-32B')
    expect(kvCurve(model, 1).growingBytesPerToken).toBe(262_144)
    expect(kvCurve(model, 1, { kvCacheDtype: 'fp8' }).growingBytesPerToken).toBe(131_072)
  })

  it('MTP layers count when drafts are asked for', () => {
    const model = findModel('deepseek-ai/DeepSeek-V3')
    const shape = { tp: 8, attentionDp: 1, moeTp: 1, moeEp: 8 }
    const without = estimateOn(model, 'vllm', shape, {})
    const drafts = estimateOn(model, 'vllm', shape, {}, { nextn: 1 })
    expect(drafts.weightsBytes).toBeGreaterThan(without.weightsBytes + 1e9)
    expect(drafts.kvSizePerTokenBytes).toBe(62 * 576)
  })

  it('weights match the sizes of published checkpoints within 2 %', () => {
    const sizes: readonly (readonly [string, number])[] = [
      ['openai/gpt-oss-120b', 65.25e9],
      ['openai/gpt-oss-20b', 13.8e9],
      ['moonshotai/Kimi-K2.5', 595e9],
      ['Qwen/Qwen3-235B-A22B', 470.2e9],
      ['meta-llama/Meta-Llama-3.1-70B', 141.1e9],
      ['meta-llama/Meta-Llama-3.1-8B', 16.06e9],
      ['mistralai/Mixtral-8x7B-v0.1', 93.4e9],
    ]
    for (const [name, bytes] of sizes) {
      expect(Math.abs(estimateOn(findModel(name), 'vllm', ONE, {}).weightsBytes / bytes - 1), name).toBeLessThan(0.02)
    }
  })

  it('parameters are those of the model cards', () => {
    expect(parameterCounts(findModel('deepseek-ai/DeepSeek-V3'))).toEqual({
      total: 671_025_397_760,
      active: 37_551_276_032,
    })
    expect(parameterCounts(findModel('meta-llama/Meta-Llama-3.1-8B'))).toEqual({
      total: 8_029_995_008,
      active: 8_029_995_008,
    })
    const { total, active } = parameterCounts(findModel('nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8'))
    expect(Math.abs(total / 120.6e9 - 1)).toBeLessThan(0.02)
    expect(Math.abs(active / 12.7e9 - 1)).toBeLessThan(0.1)
  })

  it('SGLang keeps activations outside its static pool while there is room', () => {
    const model = findModel('meta-llama/Meta-Llama-3.1-70B')
    const shape = { ...ONE, tp: 4 }
    const small = estimateOn(model, 'sglang', shape, { memoryFraction: 0.8, maxNumBatchedTokens: 2048 })
    const large = estimateOn(model, 'sglang', shape, { memoryFraction: 0.8, maxNumBatchedTokens: 16384 })
    expect(large.totalKvSizeTokens).toBe(small.totalKvSizeTokens)
    const tight = estimateOn(model, 'sglang', shape, { memoryFraction: 0.99, maxNumBatchedTokens: 16384 })
    const free = tight.capacityBytes - tight.nonKvBytes
    expect(tight.kvBudgetBytes).toBeLessThanOrEqual(free)
  })

  it('the three backends share memory differently', () => {
    const model = findModel('Qwen/Qwen3-8B')
    const [vllm, sglang, trtllm] = (['vllm', 'sglang', 'trtllm'] as const).map((backend) =>
      estimateOn(model, backend, ONE, {}),
    )
    expect(vllm!.kvBudgetBytes).toBe(Math.floor(0.9 * vllm!.capacityBytes - vllm!.nonKvBytes))
    expect(trtllm!.kvBudgetBytes).toBe(Math.floor(0.9 * (trtllm!.capacityBytes - trtllm!.nonKvBytes)))
    expect(sglang!.kvBudgetBytes).not.toBe(vllm!.kvBudgetBytes)
  })

  it('warns of high memory fractions and names the graphs in the overhead', () => {
    const found = estimateOn(findModel('Qwen/Qwen3-8B'), 'vllm', ONE, { memoryFraction: 0.99 })
    expect(found.warnings.map((warning) => warning.code)).toEqual(['memory-fraction-high'])
    expect(found.cudaGraphBytes).toBeGreaterThan(0)
    expect(found.runtimeOverheadBytes).toBeGreaterThan(found.cudaGraphBytes)
    expect(estimateOn(findModel('Qwen/Qwen3-8B'), 'vllm', ONE, {}).warnings).toEqual([])
  })
})
