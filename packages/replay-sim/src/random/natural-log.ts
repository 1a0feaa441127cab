/** ln 2 as a head with trailing zero bits (so that integer multiples are exact) and its remainder. */
const LN2_HEAD = 0.6931471803691238
const LN2_TAIL = 1.9082149292705877e-10
/** 1/3 as a double and what is missing from it. */
const THIRD_HEAD = 1 / 3
const THIRD_TAIL = 1.850371707708594e-17
/** Veltkamp's constant 2^27 + 1, splits a double into two 26-bit halves. */
const SPLITTER = 134217729

/**
 * Natural logarithm of x > 0, rounded correctly but for about one argument in ten thousand. `Math.log` may be a unit in the
 * last place off and may differ between JavaScript engines; arrival times must not.
 *
 * Method: x = m·2^e with m near 1, ln m = 2·artanh((m − 1)/(m + 1)), leading terms in double-double arithmetic
 * (T. J. Dekker, "A floating-point technique for extending the available precision", 1971).
 */
export function naturalLog(x: number): number {
  if (!(x > 0) || x === Infinity) return Math.log(x)
  let exponent = Math.max(-1022, Math.floor(Math.log2(x)))
  let mantissa = x / 2 ** exponent
  if (mantissa > Math.SQRT2) {
    mantissa /= 2
    exponent++
  } else if (mantissa < Math.SQRT1_2) {
    mantissa *= 2
    exponent--
  }
  if (mantissa === 1) return exponent * LN2_HEAD + exponent * LN2_TAIL

  const numerator = mantissa - 1
  const denominator = mantissa + 1
  const denominatorTail = mantissa - (denominator - 1)
  const s = numerator / denominator
  const product = s * denominator
  const remainder = numerator - product - productTail(s, denominator, product) - s * denominatorTail
  const sTail = remainder / denominator

  const z = s * s
  const zTail = productTail(s, s, z) + 2 * s * sTail
  const rest = z * z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * tailSeries(z))))))
  const lead = z * THIRD_HEAD
  const leadTail = productTail(z, THIRD_HEAD, lead) + zTail * THIRD_HEAD + z * THIRD_TAIL
  const series = lead + rest
  const seriesTail = lead - series + rest + leadTail

  const bend = s * series
  const bendTail = productTail(s, series, bend) + sTail * series + s * seriesTail
  const scaled = exponent * LN2_HEAD
  const head = scaled + 2 * s
  const headTail = Math.abs(scaled) > Math.abs(2 * s) ? scaled - head + 2 * s : 2 * s - head + scaled
  const sum = head + 2 * bend
  const sumTail = head - sum + 2 * bend
  return sum + (sumTail + headTail + exponent * LN2_TAIL + 2 * sTail + 2 * bendTail)
}

/** 1/15 + z/17 + … for z ≤ 0.03. */
function tailSeries(z: number): number {
  return 1 / 15 + z * (1 / 17 + z * (1 / 19 + z * (1 / 21 + z * (1 / 23 + z * (1 / 25 + z * (1 / 27 + z / 29))))))
}

/** Exact a·b − rounded(a·b). */
function productTail(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a
  const aHead = aScaled - (aScaled - a)
  const aTail = a - aHead
  const bScaled = SPLITTER * b
  const bHead = bScaled - (bScaled - b)
  const bTail = b - bHead
  return aHead * bHead - product + aHead * bTail + aTail * bHead + aTail * bTail
}
