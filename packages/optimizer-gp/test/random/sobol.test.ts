import { describe, expect, it } from 'vitest'
import { Rng } from '../../src/random/rng.js'
import { SobolSequence } from '../../src/random/sobol.js'

describe('SobolSequence', () => {
  it('starts with the published points', () => {
    const plain = new SobolSequence(160)
    const head = [1, 2, 3, 4, 5].map((i) => Array.from(plain.point(i)).slice(0, 5))
    expect(head).toEqual([
      [0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375],
      [0.875, 0.875, 0.125, 0.375, 0.875],
    ])
    expect(Array.from(plain.point(5)).slice(100, 105)).toEqual([0.125, 0.375, 0.125, 0.375, 0.625])
  })

  it('keeps its stratification when scrambled', () => {
    for (const seed of [1, 2, 3]) {
      const sequence = new SobolSequence(6, seed)
      const points = Array.from({ length: 64 }, (_, i) => Array.from(sequence.point(i)))
      for (let d = 0; d < 6; d++) {
        expect(new Set(points.map((p) => Math.floor(p[d]! * 64))).size).toBe(64)
      }
      // The first two dimensions form a (0, 6, 2)-net: one point in every 8 × 8 cell.
      expect(new Set(points.map((p) => Math.floor(p[0]! * 8) * 8 + Math.floor(p[1]! * 8))).size).toBe(64)
    }
    const [a, b] = [new SobolSequence(3, 1).point(0), new SobolSequence(3, 2).point(0)]
    expect(Array.from(a)).not.toEqual(Array.from(b))
  })

  it('goes on beyond the table', () => {
    const wide = new SobolSequence(170, 5)
    const mean = Array.from({ length: 256 }, (_, i) => wide.point(i)[165]!).reduce((s, v) => s + v / 256, 0)
    expect(mean).toBeGreaterThan(0.4)
    expect(mean).toBeLessThan(0.6)
  })
})

describe('Rng', () => {
  it('gives unrelated streams for neighbouring seeds', () => {
    const firsts = Array.from({ length: 200 }, (_, seed) => new Rng(seed).uniform())
    expect(new Set(firsts).size).toBe(200)
    const mean = firsts.reduce((a, b) => a + b) / 200
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.08)
  })
  it('draws standard normals', () => {
    const rng = new Rng(4)
    const values = Array.from({ length: 4000 }, () => rng.normal())
    const mean = values.reduce((a, b) => a + b) / 4000
    expect(Math.abs(mean)).toBeLessThan(0.06)
    expect(values.reduce((a, b) => a + (b - mean) ** 2, 0) / 4000).toBeCloseTo(1, 1)
  })
})
