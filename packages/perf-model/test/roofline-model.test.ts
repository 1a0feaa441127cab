import { findHardware, listModels } from '@spica/catalog'
import type { HardwareSpec } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { perfModelContract } from '../src/contract/index.js'
import { createConstantModel, createPolynomialModel, createRooflineModel } from '../src/index.js'
import { llama, subject } from './support/subjects.js'

const SHAPES = {
  tep: { tp: 4, attentionDp: 1, moeTp: 1, moeEp: 4 },
  dep: { tp: 1, attentionDp: 8, moeTp: 1, moeEp: 8 },
  dtp: { tp: 1, attentionDp: 8, moeTp: 8, moeEp: 1 },
} as const

describe('the contract of perf models', () => {
  it('holds for the polynomial and the constant model', () => {
    for (const check of perfModelContract(createPolynomialModel)) check.run()
    for (const check of perfModelContract(() => createConstantModel())) check.run()
  })

  for (const name of [
    'meta-llama/Meta-Llama-3.1-70B',
    'Qwen/Qwen3-235B-A22B',
    'deepseek-ai/DeepSeek-V3',
    'zai-org/GLM-5-FP8',
    'openai/gpt-oss-120b',
    'Qwen/Qwen3.5-27B',
    'nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16',
  ]) {
    for (const sku of ['h200_sxm', 'b200_sxm', 'a100_sxm', 'l40s', 'b300_sxm']) {
      it(`holds for the roofline of ${name} on ${sku}`, () => {
        for (const backend of ['vllm', 'sglang', 'trtllm'] as const) {
          const base = subject(name, sku, backend)
          const shapes = base.model.moe === null ? [base.shape] : [SHAPES.tep, SHAPES.dtp]
          for (const shape of shapes) {
            const probes = { batches: [1, 5, 64, 256], lengths: [1, 128, 1000, 2048, 2049, 8192, 30_000] }
            for (const check of perfModelContract(() => createRooflineModel({ ...base, shape }), probes)) check.run()
          }
        }
      })
    }
  }

  it('says where a model breaks a promise', () => {
    const broken = { ...createConstantModel(), decodeMs: (batch: number) => (batch === 0 ? 0 : 1 / batch) }
    const monotone = perfModelContract(() => broken).find(({ name }) => name === 'is monotone in batch')!
    expect(() => monotone.run()).toThrow(/decode at 1 over batch falls from 1 at 1 to 0.5 at 2/)
  })
})

describe('roofline model', () => {
  it('times every model of the catalog on every backend, with a source for each operator', () => {
    let count = 0
    for (const { name } of listModels()) {
      const base = subject(name, 'h200_sxm', 'sglang')
      const model = createRooflineModel(base)
      for (const operator of model.explain({ phase: 'decode', batch: 8, context: 1000 })) {
        expect(operator.ms, `${name} ${operator.name}`).toBeGreaterThanOrEqual(0)
        expect(['roofline', 'estimate']).toContain(operator.source)
      }
      expect(model.prefillMs(1, 1000, 0)).toBeGreaterThan(0)
      count++
    }
    expect(count).toBeGreaterThan(60)
  })

  it('is never faster than the GPU', () => {
    const model = createRooflineModel(llama)
    const bytes = 2 * (8.03e9 - 128_256 * 4096)
    expect(model.decodeMs(1, 0, 1, 0)).toBeGreaterThan((bytes / 4.8e12) * 1000)
    const flops = 2 * 8192 * (8.03e9 - 2 * 128_256 * 4096)
    expect(model.prefillMs(1, 8192, 0)).toBeGreaterThan((flops / 989e12) * 1000)
  })

  it('calls attention blocks that were never measured estimates', () => {
    const sourceOf = (sku: string, backend: 'vllm' | 'sglang', name: string, operator: string): string | undefined =>
      createRooflineModel(subject(name, sku, backend, SHAPES.tep))
        .explain({ phase: 'prefill', batch: 1, isl: 512, prefix: 0 })
        .find((entry) => entry.name === operator)?.source
    expect(sourceOf('h200_sxm', 'vllm', 'deepseek-ai/DeepSeek-V3', 'context_mla_block')).toBe('roofline')
    expect(sourceOf('h200_sxm', 'sglang', 'deepseek-ai/DeepSeek-V3', 'context_mla_block')).toBe('estimate')
    expect(sourceOf('a100_sxm', 'vllm', 'zai-org/GLM-5-FP8', 'context_attention')).toBe('estimate')
  })

  it('borrows the nearest generation for a GPU of the user, scaled by its own figures', () => {
    const h200 = findHardware('h200_sxm')
    const mine: HardwareSpec = {
      ...h200,
      sku: 'my-gpu',
      custom: true,
      gpu: { ...h200.gpu, memoryBandwidthBytesPerSecond: h200.gpu.memoryBandwidthBytesPerSecond / 2 },
    }
    const theirs = createRooflineModel(llama)
    const own = createRooflineModel({ ...llama, hardware: mine })
    const ratio = own.decodeMs(1, 0, 1000, 0) / theirs.decodeMs(1, 0, 1000, 0)
    expect(ratio).toBeGreaterThan(1.6)
    expect(ratio).toBeLessThan(2.1)
    const sources = own.explain({ phase: 'decode', batch: 1, context: 1000 }).map(({ source }) => source)
    expect(sources).toContain('estimate')
  })

  it('adds up the chunks of a prompt over the budget', () => {
    const plain = createRooflineModel(llama)
    const chunked = createRooflineModel({ ...llama, maxNumBatchedTokens: 8192 })
    const parts = plain.prefillMs(1, 8192, 0) + plain.prefillMs(1, 16_384, 8192) + plain.prefillMs(1, 20_000, 16_384)
    expect(chunked.prefillMs(1, 20_000, 0)).toBeCloseTo(parts, 9)
    expect(chunked.prefillMs(4, 1000, 0)).toBe(plain.prefillMs(4, 1000, 0))
    const explained = chunked.explain({ phase: 'prefill', batch: 1, isl: 20_000, prefix: 0 })
    expect(explained.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(parts, 9)
  })

  it('lets the experts see the tokens of all attention-DP ranks', () => {
    const one = createRooflineModel(subject('Qwen/Qwen3-235B-A22B', 'h200_sxm', 'vllm', SHAPES.dep))
    const find = (batch: number): number =>
      one.explain({ phase: 'decode', batch, context: 500 }).find(({ name }) => name === 'generation_moe')!.ms
    const alone = createRooflineModel(
      subject('Qwen/Qwen3-235B-A22B', 'h200_sxm', 'vllm', { ...SHAPES.tep, tp: 8, moeEp: 8 }),
    )
    const all = alone
      .explain({ phase: 'decode', batch: 64, context: 500 })
      .find(({ name }) => name === 'generation_moe')!.ms
    expect(find(8)).toBeCloseTo(all, 9)
  })

  it('refuses shapes that no worker can have', () => {
    const moe = subject('Qwen/Qwen3-235B-A22B', 'h200_sxm')
    expect(() => createRooflineModel({ ...moe, shape: { ...SHAPES.tep, moeEp: 3 } })).toThrow(
      /must equal tp × attention_dp/,
    )
    expect(() => createRooflineModel({ ...llama, shape: { ...llama.shape, tp: 3 } })).toThrow(/tp 3 does not divide/)
    expect(() => createRooflineModel({ ...llama, shape: { ...llama.shape, tp: 0 } })).toThrow(/positive integer/)
  })
})
