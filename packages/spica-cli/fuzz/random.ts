/** A seeded source of choices: equal seeds make equal cases. */
export interface Dice {
  /** Uniform in [0, 1). */
  unit(): number
  /** Uniform whole number in [0, below). */
  below(below: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
}

/** SplitMix32 (Steele, Lea and Flood 2014, 32-bit finaliser of Murmur3). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const unit = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(unit() * limit)
  return {
    unit,
    below,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    chance: (probability) => unit() < probability,
  }
}
