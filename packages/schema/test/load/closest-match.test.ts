import { describe, expect, it } from 'vitest'
import { closestMatch } from '../../src/index.js'

describe('closestMatch', () => {
  it.each([
    ['gpu_buget', 'gpu_budget'],
    ['gpu-budget', 'gpu_budget'],
    ['GPU_BUDGET', 'gpu_budget'],
    ['gpu_bugdet', 'gpu_budget'],
    ['vlm', 'vllm'],
    ['aggg', 'agg'],
  ])('finds %s', (name, wanted) => {
    expect(closestMatch(name, ['vllm', 'sglang', 'agg', 'disagg', 'gpu_budget', 'min_gpu_budget'])).toBe(wanted)
  })

  it('finds nothing far away, nor for huge names', () => {
    expect(closestMatch('zebra', ['vllm', 'sglang'])).toBeUndefined()
    expect(closestMatch('', ['a'])).toBeUndefined()
    expect(closestMatch('x'.repeat(100_000), ['x'.repeat(64)])).toBeUndefined()
  })
})
