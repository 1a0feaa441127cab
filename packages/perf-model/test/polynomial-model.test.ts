import { describe, expect, it } from 'vitest'
import { createConstantModel, createPolynomialModel } from '../src/index.js'

describe('polynomial model', () => {
  const model = createPolynomialModel()

  it('follows the published quadratic for prefill', () => {
    expect(model.prefillMs(1, 1024, 0)).toBe(4.209989e-7 * (1024 * 1024) + 1.518344e-2 * 1024 + 16.50142)
    expect(model.prefillMs(2, 1024, 512)).toBe(model.prefillMs(1, 1024, 0))
  })

  it('is free for passes without work', () => {
    expect(model.prefillMs(0, 100, 0)).toBe(0)
    expect(model.prefillMs(3, 100, 100)).toBe(0)
    expect(model.decodeMs(0, 10, 10, 100)).toBe(0)
  })

  it('times decode by pool occupancy alone, full when the pool is unknown', () => {
    const half = -25.74 * (0.5 * 0.5) + 54.01 * 0.5 + 5.74
    expect(model.decodeMs(1, 50, 9, 100)).toBe(half)
    expect(model.decodeMs(77, 50, 4000, 100)).toBe(half)
    expect(model.decodeMs(1, 50, 9, 0)).toBe(-25.74 + 54.01 + 5.74)
  })

  it('explains a pass as one operator', () => {
    expect(model.explain({ phase: 'decode', batch: 1, context: 9, activeKvTokens: 50, totalKvTokens: 100 })).toEqual([
      { name: 'decode', ms: model.decodeMs(1, 50, 9, 100), source: 'polynomial' },
    ])
  })
})

describe('constant model', () => {
  it('answers its options and refuses impossible ones', () => {
    const model = createConstantModel({ prefillMs: 7, decodeMs: 3 })
    expect(model.prefillMs(5, 100, 0)).toBe(7)
    expect(model.prefillMs(5, 100, 100)).toBe(0)
    expect(model.decodeMs(5, 0, 0, 0)).toBe(3)
    expect(() => createConstantModel({ decodeMs: Number.NaN })).toThrow(/decodeMs must be a positive number/)
  })
})
