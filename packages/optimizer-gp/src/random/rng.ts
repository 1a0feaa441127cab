/** One avalanche round (murmur3 finaliser): every input bit reaches every output bit. */
export function mix32(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Hash of a seed and any number of labels to 32 bits; the order of the labels matters. */
export function hashLabels(seed: number, ...labels: number[]): number {
  let h = mix32((seed >>> 0) ^ 0x9e3779b9)
  h = mix32(h ^ (Math.floor(seed / 4294967296) | 0))
  for (const label of labels) h = mix32((h + 0x9e3779b9) ^ (label | 0))
  return h
}

/**
 * xoshiro128** 1.1 (Blackman and Vigna 2018) seeded through splitmix32, so that neighbouring seeds give unrelated
 * streams. Not for cryptography.
 */
export class Rng {
  private a: number
  private b: number
  private c: number
  private d: number
  private spareNormal: number | undefined

  constructor(seed: number, ...labels: number[]) {
    let state = hashLabels(seed, ...labels)
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0
      let z = state ^ (state >>> 16)
      z = Math.imul(z, 0x21f0aaad)
      z ^= z >>> 15
      z = Math.imul(z, 0x735a2d97)
      return (z ^ (z >>> 15)) >>> 0
    }
    this.a = next()
    this.b = next()
    this.c = next()
    this.d = next() | 1
  }

  /** Uniform integer in [0, 2^32). */
  uint32(): number {
    const r = Math.imul(this.b, 5)
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0
    const t = this.b << 9
    this.c ^= this.a
    this.d ^= this.b
    this.b ^= this.c
    this.a ^= this.d
    this.c ^= t
    this.d = (this.d << 11) | (this.d >>> 21)
    return result
  }

  /** Uniform in [0, 1) with 53 bits. */
  uniform(): number {
    const high = this.uint32() >>> 5
    const low = this.uint32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** Uniform integer in [0, bound). */
  below(bound: number): number {
    return Math.min(bound - 1, Math.floor(this.uniform() * bound))
  }

  /** Standard normal by the polar method. */
  normal(): number {
    if (this.spareNormal !== undefined) {
      const value = this.spareNormal
      this.spareNormal = undefined
      return value
    }
    for (;;) {
      const u = 2 * this.uniform() - 1
      const v = 2 * this.uniform() - 1
      const s = u * u + v * v
      if (s > 0 && s < 1) {
        const factor = Math.sqrt((-2 * Math.log(s)) / s)
        this.spareNormal = v * factor
        return u * factor
      }
    }
  }
}
