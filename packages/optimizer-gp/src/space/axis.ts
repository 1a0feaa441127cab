import type { Parameter } from '@spica/schema'

/**
 * One parameter as a coordinate of the search: numbers are scaled to [0, 1] (by their logarithm on a log scale),
 * categories are their index.
 */
export interface Axis {
  readonly name: string
  readonly categorical: boolean
  /** Number of legal coordinates; `Infinity` for a float with min < max. */
  readonly levels: number
  /** Coordinate of the starting value: the default if given, else the middle of the scale or the first category. */
  readonly start: number
  /** Coordinate of level number `index` in ascending order; only for finite axes. */
  level(index: number): number
  /** Index of the legal level nearest to a coordinate; only for finite axes. */
  indexOf(coordinate: number): number
  encode(value: number | string): number
  /** Value in the user's units of a legal coordinate. */
  decode(coordinate: number): number | string
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : Math.min(value, high)
}

/** Numbers `min..max` to [0, 1]; a range without extent maps to 0.5. */
function scaler(min: number, max: number, log: boolean): { up(v: number): number; down(u: number): number } {
  if (min === max) return { up: () => 0.5, down: () => min }
  if (!log) {
    const extent = max - min
    return { up: (v) => clamp((v - min) / extent, 0, 1), down: (u) => clamp(min + u * extent, min, max) + 0 }
  }
  const low = Math.log(min)
  const extent = Math.log(max) - low
  return {
    up: (v) => clamp((Math.log(v) - low) / extent, 0, 1),
    down: (u) => (u <= 0 ? min : u >= 1 ? max : clamp(Math.exp(low + u * extent), min, max)),
  }
}

function floatAxis(p: Extract<Parameter, { kind: 'float' }>): Axis {
  const scale = scaler(p.min, p.max, p.scale === 'log')
  const fixed = p.min === p.max
  return {
    name: p.name,
    categorical: false,
    levels: fixed ? 1 : Number.POSITIVE_INFINITY,
    start: p.default === undefined ? 0.5 : scale.up(p.default),
    level: () => 0.5,
    indexOf: () => 0,
    encode: (value) => scale.up(value as number),
    decode: (u) => scale.down(u),
  }
}

function integerAxis(p: Extract<Parameter, { kind: 'integer' }>): Axis {
  const extent = p.max - p.min
  const levels = extent + 1
  const level = (i: number): number => (extent === 0 ? 0.5 : i / extent)
  const indexOf = (u: number): number => (extent === 0 ? 0 : clamp(Math.round(u * extent), 0, extent))
  return {
    name: p.name,
    categorical: false,
    levels,
    start: p.default === undefined ? level(Math.floor(extent / 2)) : level(p.default - p.min),
    level,
    indexOf,
    encode: (value) => level((value as number) - p.min),
    decode: (u) => p.min + indexOf(u) + 0,
  }
}

function discreteAxis(p: Extract<Parameter, { kind: 'discrete' }>): Axis {
  const values = [...p.values].sort((a, b) => a - b)
  const scale = scaler(values[0]!, values[values.length - 1]!, p.scale === 'log')
  const coordinates = values.map((v) => scale.up(v))
  const indexOf = (u: number): number => {
    let low = 0
    let high = values.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (u > (coordinates[middle]! + coordinates[middle + 1]!) / 2) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    name: p.name,
    categorical: false,
    levels: values.length,
    start: coordinates[p.default === undefined ? indexOf(0.5) : values.indexOf(p.default)]!,
    level: (i) => coordinates[i]!,
    indexOf,
    encode: (value) => coordinates[values.indexOf(value as number)]!,
    decode: (u) => values[indexOf(u)]! + 0,
  }
}

function categoricalAxis(p: Extract<Parameter, { kind: 'categorical' }>): Axis {
  const indexOf = (u: number): number => clamp(Math.round(u), 0, p.values.length - 1)
  return {
    name: p.name,
    categorical: true,
    levels: p.values.length,
    start: p.default === undefined ? 0 : p.values.indexOf(p.default),
    level: (i) => i,
    indexOf,
    encode: (value) => p.values.indexOf(value as string),
    decode: (u) => p.values[indexOf(u)]!,
  }
}

export function createAxis(parameter: Parameter): Axis {
  switch (parameter.kind) {
    case 'float':
      return floatAxis(parameter)
    case 'integer':
      return integerAxis(parameter)
    case 'discrete':
      return discreteAxis(parameter)
    case 'categorical':
      return categoricalAxis(parameter)
  }
}
