import { describe, expect, it } from 'vitest'
import { explainShape, firstRejection, shapeName, shapeStrategy, workerShapes } from '../src/index.js'
import { rulesOf } from './fake-rules.js'

const moe = { isMoe: true, gpuBudget: 8 }
const fits = rulesOf({ name: 'memory', check: () => ({ ok: true, numbers: { kvTokens: 5 } }) })

describe('explainShape', () => {
  it('lists every rule with its numbers', () => {
    const check = explainShape({ tp: 8, attentionDp: 1, moeTp: 1, moeEp: 8 }, 'vllm', 'agg', moe, fits)
    expect(check.ok).toBe(true)
    expect(check.verdicts.map(({ rule, verdict }) => [rule, verdict.ok])).toEqual([
      ['whole-numbers', true],
      ['worker-size', true],
      ['expert-grid', true],
      ['one-partitioning', true],
      ['split-experts', true],
      ['single-gpu-moe', true],
      ['memory', true],
    ])
    expect(check.verdicts[6]!.verdict.numbers).toEqual({ kvTokens: 5 })
    expect(firstRejection(check)).toBeNull()
  })

  it.each([
    [{ tp: 0, attentionDp: 1, moeTp: 1, moeEp: 1 }, 'not-a-positive-integer'],
    [{ tp: 1.5, attentionDp: 1, moeTp: 1, moeEp: 1 }, 'not-a-positive-integer'],
    [{ tp: 3, attentionDp: 1, moeTp: 1, moeEp: 3 }, 'worker-size-not-supported'],
    [{ tp: 16, attentionDp: 1, moeTp: 1, moeEp: 16 }, 'worker-exceeds-budget'],
    [{ tp: 4, attentionDp: 1, moeTp: 1, moeEp: 2 }, 'expert-grid-mismatch'],
    [{ tp: 2, attentionDp: 2, moeTp: 1, moeEp: 4 }, 'mixed-attention-split'],
    [{ tp: 4, attentionDp: 1, moeTp: 2, moeEp: 2 }, 'mixed-expert-split'],
  ])('rejects %j with %s and does not ask the memory rule', (shape, code) => {
    const check = explainShape(shape, 'vllm', 'agg', moe, fits)
    expect(check.ok).toBe(false)
    expect(firstRejection(check)?.code).toBe(code)
    expect(check.verdicts.some(({ rule }) => rule === 'memory')).toBe(false)
  })

  it('names the equation that does not hold', () => {
    const check = explainShape({ tp: 4, attentionDp: 1, moeTp: 1, moeEp: 3 }, 'vllm', 'agg', moe)
    expect(firstRejection(check)?.message).toBe(
      'tp × attention_dp = 4 × 1 = 4, but moe_tp × moe_ep = 1 × 3 = 3; for a MoE model they have to be equal, e.g. moe_ep=4 or moe_tp=4',
    )
  })

  it('goes on after the first rejection', () => {
    const check = explainShape({ tp: 2, attentionDp: 2, moeTp: 2, moeEp: 1 }, 'vllm', 'agg', moe)
    const codes = check.verdicts.flatMap(({ verdict }) => (verdict.ok ? [] : [verdict.code]))
    expect(codes).toEqual(['expert-grid-mismatch', 'mixed-attention-split'])
  })

  it('knows the kernels that cannot split experts', () => {
    const shape = { tp: 4, attentionDp: 1, moeTp: 4, moeEp: 1 }
    const deepep = { ...moe, moeBackend: 'deepep_moe' as const }
    expect(firstRejection(explainShape(shape, 'sglang', 'agg', deepep))?.message).toContain(
      'do not work with deepep_moe',
    )
    expect(explainShape(shape, 'vllm', 'agg', deepep).ok).toBe(true)
    const off = explainShape(shape, 'vllm', 'agg', { ...moe, allowMoePureTp: false })
    expect(firstRejection(off)?.message).toContain('are switched off')
  })
})

describe('shapes', () => {
  it('have a strategy and a name', () => {
    const shapes = workerShapes(4, { isMoe: true, backend: 'vllm' })
    expect(shapes.map(shapeStrategy)).toEqual(['dep', 'dtp', 'tep', 'tp'])
    expect(shapeName(shapes[0]!)).toBe('tp=1,attention_dp=4,moe_tp=1,moe_ep=4')
    expect(() => workerShapes(0, { isMoe: false, backend: 'vllm' })).toThrow('does not exist')
  })
})
