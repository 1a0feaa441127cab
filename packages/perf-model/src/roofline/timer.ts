/**
 * Time in ms of one run of a kernel on one rank. `batch` sequences of `length` tokens (everything a sequence will hold after
 * the pass), of which `prefix` are already computed; a decode pass has length = context + 1 and prefix = context.
 */
export type Timer = (batch: number, length: number, prefix: number) => number

/** p-norm of two times, the smooth maximum of compute and memory time. */
export function norm2(a: number, b: number): number {
  return Math.sqrt(a * a + b * b)
}

/** @see norm2 */
export function norm3(a: number, b: number): number {
  const larger = Math.max(a, b)
  if (!(larger > 0)) return 0
  const ratio = Math.min(a, b) / larger
  return larger * cubeRootOnePlus(ratio * ratio * ratio)
}

/**
 * (1 + t)^⅓ for t in [0, 1]: a parabola that is within 0.3 %, then two steps of Halley's method, each of which cubes the error. Four
 * times as quick as a general cube root, which dominates a pass query.
 */
function cubeRootOnePlus(t: number): number {
  const target = 1 + t
  let root = 1 + t * (0.3273 - 0.0698 * t)
  let cube = root * root * root
  root *= (cube + 2 * target) / (2 * cube + target)
  cube = root * root * root
  return root * ((cube + 2 * target) / (2 * cube + target))
}

/** @see norm2 */
export function norm4(a: number, b: number): number {
  const aa = a * a
  const bb = b * b
  return Math.sqrt(Math.sqrt(aa * aa + bb * bb))
}
