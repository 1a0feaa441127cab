import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { poissonArrivalsMs } from '../../src/random/poisson-arrivals.js'
import { StdRng } from '../../src/random/std-rng.js'

const text = readFileSync(new URL('../fixtures/rng-reference.json', import.meta.url), 'utf8')
const reference = JSON.parse(text) as Record<string, number[]>
const repeat = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw)

describe('StdRng equals rand 0.9', () => {
  it('draws the same 32-bit words, also past a block', () => {
    const rng = new StdRng(42)
    expect(repeat(8, () => rng.uint32())).toEqual(reference['seed42_u32'])
  })

  it('draws the same 64-bit integers', () => {
    const rng = new StdRng(42)
    const exact = [...text.matchAll(/"seed42_u64":\s*\[([^\]]*)\]/g)][0]![1]!.split(',').map((digits) => BigInt(digits))
    expect(repeat(4, () => rng.uint64())).toEqual(exact)
  })

  it('draws the same doubles, bounded integers and booleans', () => {
    const doubles = new StdRng(42)
    expect(repeat(8, () => doubles.float64())).toEqual(reference['seed42_f64'])
    const four = new StdRng(42)
    expect(repeat(32, () => four.below(4))).toEqual(reference['seed42_range_0_4'])
    const five = new StdRng(42)
    expect(repeat(32, () => five.below(5))).toEqual(reference['seed42_range_0_5'])
    const coin = new StdRng(42)
    expect(repeat(32, () => Number(coin.bernoulli(0.8)))).toEqual(reference['seed42_bool_0.8'])
  })

  it('gives the same Poisson arrivals', () => {
    expect([...poissonArrivalsMs(40, 20, 42)]).toEqual(reference['poisson_seed42_qps20'])
    expect([...poissonArrivalsMs(40, 5, 7)]).toEqual(reference['poisson_seed7_qps5'])
  })
})

describe('StdRng edges', () => {
  it('certain events draw nothing', () => {
    const rng = new StdRng(1)
    expect(rng.bernoulli(1)).toBe(true)
    expect(rng.uint32()).toBe(new StdRng(1).uint32())
  })

  it('takes the seed modulo 2^64', () => {
    expect(new StdRng(2n ** 64n + 5n).uint32()).toBe(new StdRng(5).uint32())
  })
})
