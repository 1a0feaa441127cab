/** 2^27 + 1, Dekker's splitter for doubles. */
const SPLITTER = 134217729

/**
 * Nearest whole number of nanoseconds to `seconds · 10^9`, taken from the exact product (ties to even). The rounding error
 * of the floating product is recovered by splitting both factors, so no big integers are needed. 0 ≤ seconds < 2^20.
 */
export function wholeNanoseconds(seconds: number): number {
  const product = seconds * 1e9
  let nanos = Math.floor(product)
  const rest = product - nanos
  if (rest !== 0.5 && Math.abs(rest - 0.5) > 1e-3 && product < 1e12) return rest > 0.5 ? nanos + 1 : nanos
  const high = SPLITTER * seconds
  const upper = high - (high - seconds)
  const lower = seconds - upper
  // 10^9 = 2^9 · 1953125 fits 21 bits, so upper · 10^9 and lower · 10^9 are both exact.
  const error = upper * 1e9 - product + lower * 1e9
  const centred = rest - 0.5
  if (centred > 0) nanos += 1
  else if (centred === 0) {
    if (error > 0 || (error === 0 && nanos % 2 === 1)) nanos += 1
    return nanos
  }
  return shifted(nanos, centred, error)
}

/** Corrects a rounding whose distance to the tie is smaller than the product's own error. */
function shifted(nanos: number, centred: number, error: number): number {
  if (centred > 0 && centred + error < 0) return nanos - 1
  if (centred > 0 && centred + error === 0) return nanos % 2 === 0 ? nanos : nanos - 1
  if (centred < 0 && centred + error > 0) return nanos + 1
  if (centred < 0 && centred + error === 0) return nanos % 2 === 0 ? nanos : nanos + 1
  return nanos
}

function secondsOf(nanos: number): number {
  const whole = Math.floor(nanos / 1e9)
  return whole + (nanos - whole * 1e9) / 1e9
}

/** Duration in ms of a pass part the model puts at `modelMs`: rounded to whole ns, divided by the speed-up, rounded again. */
export function passDurationMs(modelMs: number, speedup: number): number {
  const seconds = secondsOf(wholeNanoseconds(modelMs / 1000))
  if (speedup === 1 || speedup <= 0 || seconds <= 0) return seconds * 1000
  return secondsOf(wholeNanoseconds(seconds / speedup)) * 1000
}
