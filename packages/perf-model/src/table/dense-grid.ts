import type { OperatorSource } from '@spica/schema'
import { lowerIndex } from './curve.js'
import type { GridSpeedOfLight, RaggedGrid } from './ragged-grid.js'

/**
 * A full grid that never falls along any axis: the cells of a ragged one completed by its own rules, then levelled. Lookups blend linearly (along `sqrtAxis` in the square root of time), so they are
 * continuous and monotone everywhere; beyond the ends the speed of light carries the growth.
 */
export class DenseGrid {
  readonly #axes: readonly Float64Array[]
  readonly #ms: Float64Array
  readonly #measured: Uint8Array
  readonly #strides: Int32Array
  readonly #sqrtAxis: number
  readonly #speedOfLight: GridSpeedOfLight
  readonly #query: Float64Array
  readonly #clamped: Float64Array
  readonly #index: Int32Array
  readonly #weight: Float64Array

  /** `fixed` are leading coordinates of the ragged grid that stay put; the dense grid spans the rest. */
  constructor(grid: RaggedGrid, fixed: readonly number[], sqrtAxis: number, speedOfLight: GridSpeedOfLight) {
    this.#axes = axesOf(grid, fixed.length)
    this.#sqrtAxis = sqrtAxis
    this.#speedOfLight = speedOfLight
    const depth = this.#axes.length
    this.#strides = new Int32Array(depth)
    let size = 1
    for (let axis = depth - 1; axis >= 0; axis--) {
      this.#strides[axis] = size
      size *= this.#axes[axis]!.length
    }
    this.#ms = new Float64Array(size)
    this.#measured = new Uint8Array(size)
    this.#query = new Float64Array(depth)
    this.#clamped = new Float64Array(depth)
    this.#index = new Int32Array(depth)
    this.#weight = new Float64Array(depth)
    this.#fill(grid, fixed)
    this.#level()
  }

  #fill(grid: RaggedGrid, fixed: readonly number[]): void {
    const depth = this.#axes.length
    const path = [...fixed, ...new Array<number>(depth).fill(0)]
    for (let cell = 0; cell < this.#ms.length; cell++) {
      for (let axis = 0; axis < depth; axis++) {
        const keys = this.#axes[axis]!
        path[fixed.length + axis] = keys[Math.floor(cell / this.#strides[axis]!) % keys.length]!
      }
      this.#ms[cell] = grid.evaluate(...path)
      this.#measured[cell] = grid.lastSource === 'measured' ? 1 : 0
    }
  }

  /** Every cell becomes the middle of the lowest rising grid above the cells and the highest rising grid below them. */
  #level(): void {
    const below = Float64Array.from(this.#ms)
    const size = this.#ms.length
    for (let axis = 0; axis < this.#axes.length; axis++) {
      const stride = this.#strides[axis]!
      const count = this.#axes[axis]!.length
      const place = (cell: number): number => Math.floor(cell / stride) % count
      for (let cell = 0; cell < size; cell++) {
        if (place(cell) > 0) this.#ms[cell] = Math.max(this.#ms[cell]!, this.#ms[cell - stride]!)
      }
      for (let cell = size - 1; cell >= 0; cell--) {
        if (place(cell) < count - 1) below[cell] = Math.min(below[cell]!, below[cell + stride]!)
      }
    }
    for (let cell = 0; cell < size; cell++) this.#ms[cell] = (this.#ms[cell]! + below[cell]!) / 2
  }

  /** Keys of the first spanned axis. */
  get firstAxis(): Float64Array {
    return this.#axes[0]!
  }

  /** Time in ms at coordinates of the spanned axes. */
  evaluate(first: number, second: number, third = 0): number {
    const outside = this.#locate(first, second, third)
    const inside = this.#blend(0, 0)
    if (!outside) return inside
    const there = this.#speedOfLight(this.#clamped)
    const here = this.#speedOfLight(this.#query)
    return here > there ? (inside * here) / there : inside
  }

  /** Where the value at coordinates comes from. */
  sourceAt(first: number, second: number, third = 0): OperatorSource {
    if (this.#locate(first, second, third)) return 'extrapolated'
    let cell = 0
    for (let axis = 0; axis < this.#axes.length; axis++) {
      if (this.#weight[axis] !== 0) return 'interpolated'
      cell += this.#index[axis]! * this.#strides[axis]!
    }
    return this.#measured[cell] === 1 ? 'measured' : 'extrapolated'
  }

  #locate(first: number, second: number, third: number): boolean {
    const depth = this.#axes.length
    this.#query[0] = first
    this.#query[1] = second
    if (depth > 2) this.#query[2] = third
    let outside = false
    for (let axis = 0; axis < depth; axis++) {
      const keys = this.#axes[axis]!
      const value = this.#query[axis]!
      const top = keys.length - 1
      const clamped = value < keys[0]! ? keys[0]! : Math.min(value, keys[top]!)
      if (clamped !== value) outside = true
      this.#clamped[axis] = clamped
      const low = lowerIndex(keys, clamped)
      this.#index[axis] = low
      this.#weight[axis] = low === top ? 0 : (clamped - keys[low]!) / (keys[low + 1]! - keys[low]!)
    }
    return outside
  }

  #blend(axis: number, offset: number): number {
    if (axis === this.#axes.length) return this.#ms[offset]!
    const stride = this.#strides[axis]!
    const at = offset + this.#index[axis]! * stride
    const low = this.#blend(axis + 1, at)
    const weight = this.#weight[axis]!
    if (weight === 0) return low
    const high = this.#blend(axis + 1, at + stride)
    if (axis !== this.#sqrtAxis) return low + (high - low) * weight
    const root = Math.sqrt(low) + (Math.sqrt(high) - Math.sqrt(low)) * weight
    return root * root
  }
}

function axesOf(grid: RaggedGrid, skipped: number): readonly Float64Array[] {
  const keys: Set<number>[] = []
  for (const [path] of grid.points()) {
    for (let axis = skipped; axis < path.length; axis++) (keys[axis - skipped] ??= new Set()).add(path[axis]!)
  }
  return keys.map((set) => Float64Array.from(set).sort())
}
