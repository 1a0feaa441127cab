import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson, readGoldenText } from '../../../conformance/golden.js'
import { poissonArrivalsMs, StdRng } from '../src/index.js'

const FILE = 'replay/rng_reference.json'

describe.skipIf(!hasGolden)('reference draws', () => {
  const reference = hasGolden ? readGoldenJson<Record<string, number[]>>(FILE) : {}
  const draws = <T>(key: string, draw: (rng: StdRng) => T): T[] => {
    const rng = new StdRng(42)
    return Array.from(reference[key]!, () => draw(rng))
  }

  it('words, doubles, bounded integers and booleans', () => {
    expect(draws('seed42_u32', (rng) => rng.uint32())).toEqual(reference['seed42_u32'])
    expect(draws('seed42_f64', (rng) => rng.float64())).toEqual(reference['seed42_f64'])
    expect(draws('seed42_range_0_4', (rng) => rng.below(4))).toEqual(reference['seed42_range_0_4'])
    expect(draws('seed42_range_0_5', (rng) => rng.below(5))).toEqual(reference['seed42_range_0_5'])
    expect(draws('seed42_bool_0.8', (rng) => Number(rng.bernoulli(0.8)))).toEqual(reference['seed42_bool_0.8'])
    const exact = /"seed42_u64":\s*\[([^\]]*)\]/.exec(readGoldenText(FILE))![1]!.split(',').map(BigInt)
    expect(draws('seed42_u64', (rng) => rng.uint64())).toEqual(exact)
  })

  it('Poisson arrivals, to the last bit', () => {
    expect([...poissonArrivalsMs(reference['poisson_seed42_qps20']!.length, 20, 42)]).toEqual(
      reference['poisson_seed42_qps20'],
    )
    expect([...poissonArrivalsMs(reference['poisson_seed7_qps5']!.length, 5, 7)]).toEqual(
      reference['poisson_seed7_qps5'],
    )
  })
})
