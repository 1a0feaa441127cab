import type { Parameter } from '@spica/schema'
import type { Rng } from '../random/rng.js'
import { type Axis, createAxis } from './axis.js'

/** A point of the search: one coordinate per parameter, see {@link Axis}. */
export type Point = Float64Array

/** The parameters as coordinates, with the rules that keep points legal. */
export class SearchSpace {
  readonly axes: readonly Axis[]
  /** Number of distinct points; `Infinity` as soon as one float is free. Inexact above 2^53. */
  readonly cardinality: number

  private readonly defaults: Record<string, number | string>

  constructor(parameters: readonly Parameter[]) {
    this.defaults = Object.fromEntries(
      parameters.flatMap((p) => (p.default === undefined ? [] : [[p.name, p.default]])),
    )
    this.axes = parameters.map(createAxis)
    this.cardinality = this.axes.reduce((product, axis) => product * axis.levels, 1)
  }

  get dimensions(): number {
    return this.axes.length
  }

  /** The user's defaults to the last bit; the middle of the scale, or the first category, where there is none. */
  startParameters(): Record<string, number | string> {
    const start = Float64Array.from(this.axes, (axis) => axis.start)
    return { ...this.decode(this.snap(start)), ...this.defaults }
  }

  /** Moves every coordinate to its nearest legal value, in place. */
  snap(point: Point): Point {
    for (let d = 0; d < this.axes.length; d++) {
      const axis = this.axes[d]!
      const u = point[d]!
      point[d] = Number.isFinite(axis.levels) ? axis.level(axis.indexOf(u)) : u < 0 ? 0 : Math.min(u, 1)
    }
    return point
  }

  /** Legal point from uniforms in [0, 1): levels and categories get equal shares. */
  fromUnit(unit: ArrayLike<number>, into: Point = new Float64Array(this.axes.length)): Point {
    for (let d = 0; d < this.axes.length; d++) {
      const axis = this.axes[d]!
      const u = unit[d]!
      into[d] = Number.isFinite(axis.levels) ? axis.level(Math.min(axis.levels - 1, Math.floor(u * axis.levels))) : u
    }
    return into
  }

  random(rng: Rng): Point {
    const unit = new Float64Array(this.axes.length)
    for (let d = 0; d < unit.length; d++) unit[d] = rng.uniform()
    return this.fromUnit(unit, unit)
  }

  /** Point number `index` of a finite space, in mixed radix. */
  nth(index: number): Point {
    const point = new Float64Array(this.axes.length)
    let rest = index
    for (let d = 0; d < point.length; d++) {
      const { levels } = this.axes[d]!
      point[d] = this.axes[d]!.level(rest % levels)
      rest = Math.floor(rest / levels)
    }
    return point
  }

  decode(point: Point): Record<string, number | string> {
    const parameters: Record<string, number | string> = {}
    for (let d = 0; d < this.axes.length; d++) parameters[this.axes[d]!.name] = this.axes[d]!.decode(point[d]!)
    return parameters
  }

  encode(parameters: Readonly<Record<string, number | string>>): Point {
    return Float64Array.from(this.axes, (axis) => axis.encode(parameters[axis.name]!))
  }

  /** Equal for equal values, different otherwise. */
  keyOf(parameters: Readonly<Record<string, number | string>>): string {
    let key = ''
    for (const axis of this.axes) {
      const value = parameters[axis.name]!
      key += `${axis.categorical ? axis.encode(value) : value}|`
    }
    return key
  }

  /** Equal for points that decode to the same values, different otherwise. */
  key(point: Point): string {
    return this.keyOf(this.decode(point))
  }

  /** True when every value is one that the parameters allow. */
  contains(parameters: Readonly<Record<string, unknown>>, declared: readonly Parameter[]): boolean {
    return (
      Object.keys(parameters).length === declared.length &&
      declared.every((p) => {
        const value = parameters[p.name]
        if (p.kind === 'categorical' || p.kind === 'discrete') return (p.values as readonly unknown[]).includes(value)
        if (typeof value !== 'number' || !(value >= p.min && value <= p.max)) return false
        return p.kind === 'float' || Number.isInteger(value)
      })
    )
  }
}
