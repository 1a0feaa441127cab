import type { OperatorSource } from '@spica/schema'

/** A level of a nested table: sorted keys, and below each a level or a time. */
interface GridLevel {
  readonly keys: number[]
  readonly children: (GridLevel | number)[]
}

/** Speed-of-light time in ms at coordinates. */
export type GridSpeedOfLight = (coordinates: Float64Array) => number

/**
 * A nested table of times whose rows may end at different places. Lookups follow the measured reference exactly: an exact key
 * is descended, else both neighbours are blended by plain coordinates (along `sqrtAxis` in the square root of time); where one
 * neighbour's branch does not reach the query, the other is scaled by the ratio of speeds of light; outside everything the
 * nearest path is taken and its utilisation held.
 */
export class RaggedGrid {
  readonly #root: GridLevel = { keys: [], children: [] }
  readonly #depth: number
  readonly #sqrtAxis: number
  readonly #speedOfLight: GridSpeedOfLight
  readonly #query: Float64Array
  readonly #snapped: Float64Array
  #blended = false
  #isOutside = false

  constructor(depth: number, sqrtAxis: number, speedOfLight: GridSpeedOfLight) {
    this.#depth = depth
    this.#sqrtAxis = sqrtAxis
    this.#speedOfLight = speedOfLight
    this.#query = new Float64Array(depth)
    this.#snapped = new Float64Array(depth)
  }

  get isEmpty(): boolean {
    return this.#root.keys.length === 0
  }

  /** Adds a point; `overwrite` says whether it replaces an earlier one at the same place. */
  insert(path: readonly number[], ms: number, overwrite: boolean): void {
    let level = this.#root
    for (let depth = 0; depth < this.#depth; depth++) {
      const key = path[depth]!
      const index = position(level.keys, key)
      const last = depth === this.#depth - 1
      if (level.keys[index] === key) {
        if (last) {
          if (overwrite) level.children[index] = ms
          return
        }
        level = level.children[index] as GridLevel
      } else {
        const child: GridLevel | number = last ? ms : { keys: [], children: [] }
        level.keys.splice(index, 0, key)
        level.children.splice(index, 0, child)
        if (last) return
        level = child as GridLevel
      }
    }
  }

  /** Time in ms at coordinates, outermost level first. */
  evaluate(...coordinates: readonly number[]): number {
    for (let depth = 0; depth < this.#depth; depth++) this.#query[depth] = coordinates[depth]!
    this.#blended = false
    const inside = this.#interior(this.#root, 0)
    this.#isOutside = Number.isNaN(inside)
    return this.#isOutside ? this.#hold() : inside
  }

  /** Where the value of the last `evaluate` came from. */
  get lastSource(): OperatorSource {
    if (this.#isOutside) return 'extrapolated'
    return this.#blended ? 'interpolated' : 'measured'
  }

  /** Where the value at coordinates comes from. */
  sourceAt(...coordinates: readonly number[]): OperatorSource {
    this.evaluate(...coordinates)
    return this.lastSource
  }

  #interior(level: GridLevel, depth: number): number {
    const { keys, children } = level
    const at = this.#query[depth]!
    const index = position(keys, at)
    const last = depth === this.#depth - 1
    if (keys[index] === at) {
      return last ? (children[index] as number) : this.#interior(children[index] as GridLevel, depth + 1)
    }
    if (index === 0 || index === keys.length) return Number.NaN
    this.#blended = true
    const low = last ? (children[index - 1] as number) : this.#interior(children[index - 1] as GridLevel, depth + 1)
    const high = last ? (children[index] as number) : this.#interior(children[index] as GridLevel, depth + 1)
    const left = keys[index - 1]!
    const right = keys[index]!
    if (Number.isNaN(low)) return Number.isNaN(high) ? Number.NaN : high * this.#rescale(depth, right)
    if (Number.isNaN(high)) return low * this.#rescale(depth, left)
    const weight = (at - left) / (right - left)
    if (depth !== this.#sqrtAxis) return low + (high - low) * weight
    const root = Math.sqrt(low) + (Math.sqrt(high) - Math.sqrt(low)) * weight
    return root * root
  }

  /** Ratio of speeds of light between the query and the query moved to `key` on one axis. */
  #rescale(depth: number, key: number): number {
    const here = this.#speedOfLight(this.#query)
    this.#snapped.set(this.#query)
    this.#snapped[depth] = key
    const there = this.#speedOfLight(this.#snapped)
    return here > 0 && there > 0 ? here / there : 1
  }

  #hold(): number {
    let level = this.#root
    let ms = Number.NaN
    for (let depth = 0; depth < this.#depth; depth++) {
      const index = nearest(level.keys, this.#query[depth]!)
      this.#snapped[depth] = level.keys[index]!
      const child = level.children[index]!
      if (typeof child === 'number') ms = child
      else level = child
    }
    const there = this.#speedOfLight(this.#snapped)
    return (ms * this.#speedOfLight(this.#query)) / there
  }

  /** Every point, in key order. */
  *points(): Generator<readonly [path: readonly number[], ms: number]> {
    yield* walk(this.#root, [])
  }
}

function* walk(level: GridLevel, path: readonly number[]): Generator<readonly [readonly number[], number]> {
  for (let index = 0; index < level.keys.length; index++) {
    const child = level.children[index]!
    const here = [...path, level.keys[index]!]
    if (typeof child === 'number') yield [here, child]
    else yield* walk(child, here)
  }
}

/** First index whose key is not below the value. */
function position(keys: readonly number[], value: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function nearest(keys: readonly number[], value: number): number {
  const index = position(keys, value)
  if (index === 0) return 0
  if (index === keys.length) return keys.length - 1
  return value - keys[index - 1]! <= keys[index]! - value ? index - 1 : index
}
