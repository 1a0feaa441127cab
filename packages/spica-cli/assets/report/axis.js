/** Axis arithmetic shared by the static charts and the ones redrawn in the browser. */

/** Round steps that cover [min, max] with about `count` ticks. */
export function linearTicks(min, max, count) {
  if (!(max > min)) return [min]
  const raw = (max - min) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(raw))
  const ratio = raw / power
  const step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 2.5 ? 2.5 : ratio <= 5 ? 5 : 10)
  const ticks = []
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + step * 1e-9; k++)
    ticks.push(Number((k * step).toPrecision(12)))
  return ticks
}

/** Decades of a positive range, with 2 and 5 between them when the range is short. Linear steps inside one decade. */
export function logTicks(min, max, count) {
  if (!(max > min) || min <= 0) return [min]
  const decades = Math.log10(max / min)
  if (decades < 0.8) return linearTicks(min, max, count)
  const parts = decades > count ? [1] : decades > 2.2 ? [1, 3] : [1, 2, 5]
  const every = Math.max(1, Math.ceil(decades / count))
  const ticks = []
  for (let exponent = Math.floor(Math.log10(min)); exponent <= Math.ceil(Math.log10(max)); exponent++) {
    if (exponent % every !== 0 && parts.length === 1) continue
    for (const part of parts) {
      const tick = Number((part * 10 ** exponent).toPrecision(12))
      if (tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)) ticks.push(tick)
    }
  }
  return ticks
}

/** Range of finite values with a margin on both sides; null when there is none to show. */
export function paddedRange(values, log) {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  if (min > max) return null
  if (log) {
    const factor = max > min ? (max / min) ** 0.05 : 1.25
    return [min / factor, max * factor]
  }
  const margin = max > min ? (max - min) * 0.05 : Math.abs(max) * 0.1 || 1
  return [min >= 0 && min < margin ? 0 : min - margin, max + margin]
}

/** Maps a value of `range` to pixels between `from` and `to`. */
export function scaleOf(range, from, to, log) {
  const [low, high] = log ? range.map(Math.log) : range
  const span = high - low || 1
  return (value) => from + (((log ? Math.log(value) : value) - low) / span) * (to - from)
}

/** Inverse of `scaleOf`. */
export function inverseOf(range, from, to, log) {
  const [low, high] = log ? range.map(Math.log) : range
  return (pixel) => {
    const value = low + ((pixel - from) / (to - from)) * (high - low)
    return log ? Math.exp(value) : value
  }
}

/** A figure for people: four significant digits, grouped thousands, no exponent for everyday sizes. */
export function formatNumber(value) {
  if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value)
  if (!Number.isFinite(value)) return value > 0 ? '∞' : Number.isNaN(value) ? '–' : '−∞'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(3).replace('e+', 'e')
  const digits = size >= 1000 || Number.isInteger(value) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4
  const [whole, fraction] = value.toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−')
  const rest = fraction === undefined ? '' : size < 1 ? fraction.replace(/0+$/, '') : fraction
  return rest === '' ? grouped : `${grouped}.${rest}`
}

/** Label of a tick: as short as its axis allows, e.g. 1.5k. */
export function formatTick(value) {
  const size = Math.abs(value)
  const short = (scaled, suffix) => Number(scaled.toPrecision(6)).toString().replace('-', '−') + suffix
  if (size >= 1e9) return short(value / 1e9, 'G')
  if (size >= 1e6) return short(value / 1e6, 'M')
  if (size >= 1e4) return short(value / 1e3, 'k')
  return short(value, '')
}

/**
 * Corners of the boundary of what a two-objective front attains, from its points in data space. `maximizeX`, `maximizeY`
 * say which way is better.
 */
export function frontSteps(points, maximizeX, maximizeY) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || (maximizeY ? a[1] - b[1] : b[1] - a[1]))
  const corners = []
  for (const point of sorted) {
    const last = corners[corners.length - 1]
    if (last !== undefined) corners.push(maximizeX ? [last[0], point[1]] : [point[0], last[1]])
    corners.push(point)
  }
  return corners
}
