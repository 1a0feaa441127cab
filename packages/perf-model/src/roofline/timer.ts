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
  return Math.cbrt(a * a * a + b * b * b)
}

/** @see norm2 */
export function norm4(a: number, b: number): number {
  const aa = a * a
  const bb = b * b
  return Math.sqrt(Math.sqrt(aa * aa + bb * bb))
}
