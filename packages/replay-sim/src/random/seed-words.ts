const MASK_64 = (1n << 64n) - 1n
/** Multiplier and increment of PCG32 (M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014). */
const MULTIPLIER = 6364136223846793005n
const INCREMENT = 11634580027462260723n

/**
 * Expands a 64-bit seed into the eight key words of a 32-byte seed, one PCG32 (XSH-RR) step a word, as `seed_from_u64` of
 * `rand_core` does.
 */
export function seedWords(seed: number | bigint): Uint32Array {
  let state = BigInt.asUintN(64, BigInt(seed))
  const words = new Uint32Array(8)
  for (let index = 0; index < words.length; index++) {
    state = (state * MULTIPLIER + INCREMENT) & MASK_64
    const xorShifted = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn)
    const rotation = Number(state >> 59n)
    words[index] = (xorShifted >>> rotation) | (xorShifted << (-rotation & 31))
  }
  return words
}
