import { findHardware, findModel } from '@spica/catalog'
import type { ShapeContext, WorkerShape } from '@spica/schema'
import { describe, expect, it } from 'vitest'
import { backendRule, createKvFitRule, divisibilityRule, kvFitRule, quantisationRule } from '../../src/index.js'

function context(model: string, overrides: Partial<ShapeContext> = {}): ShapeContext {
  const spec = findModel(model)
  return {
    model: spec,
    hardware: findHardware('h200_sxm'),
    backend: 'vllm',
    role: 'agg',
    maxSequenceTokens: spec.contextLength,
    engineSettings: [{ maxNumBatchedTokens: 8192, maxNumSeqs: 256, memoryFraction: 0.9 }],
    ...overrides,
  }
}

function shape(tp: number, attentionDp: number, moeTp: number, moeEp: number): WorkerShape {
  return { tp, attentionDp, moeTp, moeEp }
}

describe('divisibility', () => {
  it('lets KV heads be replicated and refuses uneven heads', () => {
    const qwen = context('Qwen/Qwen3.5-397B-A17B')
    expect(divisibilityRule.check(shape(8, 1, 1, 8), qwen).ok).toBe(true)
    const small = context('Qwen/Qwen2.5-7B-Instruct')
    expect(divisibilityRule.check(shape(4, 1, 1, 1), small).ok).toBe(true)
    expect(divisibilityRule.check(shape(8, 1, 1, 1), small)).toMatchObject({
      ok: false,
      code: 'heads-not-divisible',
      numbers: { heads: 28, tp: 8, remainder: 4 },
    })
    expect(divisibilityRule.check(shape(7, 1, 1, 1), small)).toMatchObject({
      ok: false,
      code: 'kv-heads-not-divisible',
    })
  })

  it('asks every kind of layer about its own KV heads', () => {
    const mimo = context('XiaomiMiMo/MiMo-V2-Flash')
    expect(divisibilityRule.check(shape(8, 1, 1, 8), mimo).ok).toBe(true)
  })

  it('counts experts, their width and the GPUs of both halves', () => {
    const step = context('stepfun-ai/Step-3.7-Flash')
    expect(divisibilityRule.check(shape(1, 64, 1, 64), step)).toMatchObject({ code: 'experts-not-divisible' })
    expect(divisibilityRule.check(shape(1, 32, 1, 32), step).ok).toBe(true)
    const deepseek = context('deepseek-ai/DeepSeek-V3')
    expect(divisibilityRule.check(shape(4, 1, 1, 2), deepseek)).toMatchObject({ code: 'gpus-differ' })
  })
})

describe('quantisation', () => {
  it('refuses splits through a block and gives the numbers', () => {
    const qwen = context('Qwen/Qwen3-235B-A22B-FP8')
    expect(quantisationRule.check(shape(8, 1, 8, 1), qwen)).toMatchObject({
      ok: false,
      code: 'moe-fp8-block',
      numbers: { moeInterSize: 1536, moeTp: 8, perRank: 192, block: 128, remainder: 64 },
    })
    expect(quantisationRule.check(shape(4, 1, 4, 1), qwen).ok).toBe(true)
    expect(quantisationRule.check(shape(8, 1, 1, 8), qwen).ok).toBe(true)
    expect(quantisationRule.check(shape(8, 1, 8, 1), context('Qwen/Qwen3-235B-A22B')).ok).toBe(true)
  })
})

describe('backend', () => {
  it('knows which splits an engine has', () => {
    const base = context('deepseek-ai/DeepSeek-V3')
    expect(backendRule.check(shape(8, 1, 2, 4), base).ok).toBe(false)
    expect(backendRule.check(shape(8, 1, 2, 4), { ...base, backend: 'trtllm' }).ok).toBe(true)
    expect(backendRule.check(shape(2, 4, 1, 8), { ...base, backend: 'trtllm' }).ok).toBe(false)
    expect(backendRule.check(shape(2, 4, 2, 4), { ...base, backend: 'sglang' }).ok).toBe(true)
  })
})

describe('kv fit', () => {
  const tight = { maxNumBatchedTokens: 131_072, maxNumSeqs: 256, memoryFraction: 0.5 }
  const roomy = { maxNumBatchedTokens: 2048, maxNumSeqs: 256, memoryFraction: 0.95 }
  const llama = context('meta-llama/Meta-Llama-3.1-8B', { hardware: findHardware('l40s') })

  it('passes when one of the listed settings fits', () => {
    const one = shape(1, 1, 1, 1)
    expect(kvFitRule.check(one, { ...llama, engineSettings: [tight] }).ok).toBe(false)
    expect(kvFitRule.check(one, { ...llama, engineSettings: [tight, roomy] }).ok).toBe(true)
    expect(kvFitRule.check(one, { ...llama, engineSettings: [] }).ok).toBe(false)
  })

  it('judges at 8192 / 256 / 0.9 under aic-0.11', () => {
    const rule = createKvFitRule({ compat: 'aic-0.11' })
    const verdict = rule.check(shape(1, 1, 1, 1), { ...llama, engineSettings: [tight] })
    expect(verdict).toMatchObject({ ok: true, numbers: { maxNumBatchedTokens: 8192, memoryFraction: 0.9 } })
  })

  it('says how many bytes are missing, and keeps quiet when they are added', () => {
    const verdict = kvFitRule.check(shape(1, 1, 1, 1), context('meta-llama/Meta-Llama-3.1-70B'))
    expect(verdict).toMatchObject({ ok: false, code: 'kv-does-not-fit' })
    expect(verdict.ok === false && verdict.numbers['shortfallBytes']).toBeGreaterThan(1e9)
    expect(
      kvFitRule.check(shape(2, 1, 1, 1), context('meta-llama/Meta-Llama-3.1-70B', { maxSequenceTokens: 2048 })).ok,
    ).toBe(true)
  })

  it('keeps models whose windows upstream charges in full', () => {
    const oss = context('openai/gpt-oss-120b', { maxSequenceTokens: 66_560 })
    expect(kvFitRule.check(shape(1, 1, 1, 1), oss).ok).toBe(true)
  })

  it('gives the block as the reason when the split is illegal', () => {
    const qwen = context('Qwen/Qwen3-235B-A22B-FP8')
    expect(kvFitRule.check(shape(8, 1, 8, 1), qwen)).toMatchObject({ ok: false, code: 'moe-fp8-block' })
    expect(kvFitRule.check(shape(3, 1, 3, 1), qwen)).toMatchObject({ ok: false, code: 'heads-not-divisible' })
  })
})
