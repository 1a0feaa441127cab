import { JOE_KUO_ROWS } from './joe-kuo-directions.js'
import { hashLabels, mix32 } from './rng.js'

/** Most dimensions with published direction numbers here; further ones are filled with hashed uniforms. */
export const SOBOL_MAX_DIMENSIONS = 160

/** `directions[d * 32 + k]`: the k-th direction number of dimension d, as a 32-bit fraction. */
function buildDirections(dimensions: number): Uint32Array {
  const directions = new Uint32Array(dimensions * 32)
  for (let k = 0; k < 32 && dimensions > 0; k++) directions[k] = 2 ** (31 - k)
  const rows = JOE_KUO_ROWS.trim().split('\n')
  for (let d = 1; d < dimensions; d++) {
    const [degree, coefficients, ...initial] = rows[d - 1]!.split(' ').map(Number) as [number, number, ...number[]]
    const base = d * 32
    for (let k = 0; k < degree; k++) directions[base + k] = initial[k]! * 2 ** (31 - k)
    for (let k = degree; k < 32; k++) {
      const source = directions[base + k - degree]!
      let value = source ^ (source >>> degree)
      for (let j = 1; j < degree; j++) {
        if ((coefficients >>> (degree - 1 - j)) & 1) value ^= directions[base + k - j]!
      }
      directions[base + k] = value
    }
  }
  return directions
}

/** Nested uniform scrambling (Owen 1995): each bit is flipped by a hash of the bits above it. */
function owenScramble(value: number, key: number): number {
  let result = 0
  for (let bit = 31; bit >= 0; bit--) {
    const prefix = bit === 31 ? 0 : (value >>> (bit + 1)) | (1 << (31 - bit - 1))
    const flip = mix32(key ^ Math.imul(prefix + 1, 0x9e3779b1) ^ (31 - bit)) >>> 31
    result |= (((value >>> bit) & 1) ^ flip) << bit
  }
  return result >>> 0
}

/**
 * Sobol sequence in any number of dimensions: Joe–Kuo direction numbers up to 160 dimensions, hashed uniforms above.
 * With a seed, Owen-scrambled; without, the plain sequence in Gray-code order, whose first point is the origin.
 */
export class SobolSequence {
  readonly dimensions: number
  private readonly directions: Uint32Array
  private readonly keys: Uint32Array | undefined
  private readonly seed: number

  constructor(dimensions: number, seed?: number) {
    this.dimensions = dimensions
    this.directions = buildDirections(Math.min(dimensions, SOBOL_MAX_DIMENSIONS))
    this.seed = seed ?? 0
    this.keys = seed === undefined ? undefined : Uint32Array.from({ length: dimensions }, (_, d) => hashLabels(seed, d))
  }

  /** Point number `index` (from 0) in [0, 1)^dimensions; any index, in any order. */
  point(index: number, into: Float64Array = new Float64Array(this.dimensions)): Float64Array {
    const gray = index ^ (index >>> 1)
    for (let d = 0; d < this.dimensions; d++) {
      if (d >= SOBOL_MAX_DIMENSIONS) {
        into[d] = hashLabels(this.seed, d, index) / 4294967296
        continue
      }
      let value = 0
      for (let k = 0, rest = gray; rest !== 0; k++, rest >>>= 1) if (rest & 1) value ^= this.directions[d * 32 + k]!
      value >>>= 0
      into[d] = (this.keys ? owenScramble(value, this.keys[d]!) + 0.5 : value) / 4294967296
    }
    return into
  }
}
