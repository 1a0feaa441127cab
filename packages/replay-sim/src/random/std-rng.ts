import { seedWords } from './seed-words.js'

const ROUNDS = 12
const WORDS_PER_BLOCK = 16
/** 2^-53: spacing of the doubles that {@link StdRng.float64} returns. */
const SCALE_53 = 2 ** -53

/**
 * Reproduces the number stream of Rust's `rand` 0.9 `StdRng` seeded with `seed_from_u64`: the ChaCha stream cipher with 12
 * rounds (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008), a 64-bit block counter from 0 and a zero nonce.
 * Poisson arrivals, prefix groups and accepted speculative tokens of the reference simulator all come from it.
 */
export class StdRng {
  private readonly state: Uint32Array = new Uint32Array(WORDS_PER_BLOCK)
  private readonly block: Uint32Array = new Uint32Array(WORDS_PER_BLOCK)
  private position: number = WORDS_PER_BLOCK

  /** @param seed integer, taken modulo 2^64. */
  constructor(seed: number | bigint) {
    // "expand 32-byte k" as four little-endian words
    this.state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])
    this.state.set(seedWords(seed), 4)
  }

  /** Next 32 bits as an integer in [0, 2^32). */
  uint32(): number {
    if (this.position === WORDS_PER_BLOCK) this.refill()
    return this.block[this.position++]!
  }

  /** Next 64 bits; the low word is drawn first. */
  uint64(): bigint {
    const low = this.uint32()
    return (BigInt(this.uint32()) << 32n) | BigInt(low)
  }

  /** Uniform double in [0, 1) with 53 random bits. */
  float64(): number {
    const low = this.uint32()
    const high = this.uint32()
    return (high * 0x200000 + (low >>> 11)) * SCALE_53
  }

  /** True with probability p. p ≥ 1 draws nothing and is true; p ≤ 0 draws and is false. */
  bernoulli(p: number): boolean {
    if (p >= 1) return true
    const scaled = Math.max(0, p) * 0x100000000
    const thresholdHigh = Math.floor(scaled)
    const thresholdLow = Math.floor((scaled - thresholdHigh) * 0x100000000)
    const low = this.uint32()
    const high = this.uint32()
    return high < thresholdHigh || (high === thresholdHigh && low < thresholdLow)
  }

  /**
   * Uniform integer in [0, bound), bound in [1, 2^32): widening multiplication with one correction draw, as
   * `rand` 0.9 does (its remaining bias is below 2^-64).
   */
  below(bound: number): number {
    const first = wideProduct(this.uint32(), bound)
    if (first.low <= (0x100000000 - bound) % 0x100000000) return first.high
    const correction = wideProduct(this.uint32(), bound).high
    return first.low + correction >= 0x100000000 ? first.high + 1 : first.high
  }

  private refill(): void {
    const { state, block } = this
    block.set(state)
    for (let round = 0; round < ROUNDS; round += 2) {
      for (let column = 0; column < 4; column++) quarterRound(block, column, 4 + column, 8 + column, 12 + column)
      for (let column = 0; column < 4; column++)
        quarterRound(block, column, 4 + ((column + 1) & 3), 8 + ((column + 2) & 3), 12 + ((column + 3) & 3))
    }
    for (let word = 0; word < WORDS_PER_BLOCK; word++) block[word] = block[word]! + state[word]!
    state[12] = state[12]! + 1
    if (state[12] === 0) state[13] = state[13]! + 1
    this.position = 0
  }
}

function quarterRound(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  let xa = x[a]!
  let xb = x[b]!
  let xc = x[c]!
  let xd = x[d]!
  xa = (xa + xb) | 0
  xd = rotateLeft(xd ^ xa, 16)
  xc = (xc + xd) | 0
  xb = rotateLeft(xb ^ xc, 12)
  xa = (xa + xb) | 0
  xd = rotateLeft(xd ^ xa, 8)
  xc = (xc + xd) | 0
  xb = rotateLeft(xb ^ xc, 7)
  x[a] = xa
  x[b] = xb
  x[c] = xc
  x[d] = xd
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

/** 64-bit product of two 32-bit integers as two halves. */
function wideProduct(a: number, b: number): { high: number; low: number } {
  const upper = (a >>> 16) * b
  const lower = (a & 0xffff) * b
  const middle = upper + Math.floor(lower / 0x10000)
  return { high: Math.floor(middle / 0x10000), low: (middle % 0x10000) * 0x10000 + (lower % 0x10000) }
}
