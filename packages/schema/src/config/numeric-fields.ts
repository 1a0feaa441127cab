import { z } from 'zod'

/** Tokens, blocks and counts beyond this are taken for slips of the pen. */
const LARGEST_COUNT = 1_000_000_000

/** A whole number from `min` (default 1) to `max`. */
export function wholeNumber(min = 1, max: number = LARGEST_COUNT): z.ZodInt {
  return z.int().min(min).max(max)
}

/** A finite number above zero. */
export function positiveNumber(): z.ZodNumber {
  return z.number().gt(0)
}

/** A finite number, zero or more. */
export function nonNegativeNumber(): z.ZodNumber {
  return z.number().min(0)
}

/** Every item of one menu, at least one entry, defaulting to `initial`. */
export function menuList<T extends string | number>(
  menu: readonly T[],
  initial: readonly T[] = menu,
): z.ZodDefault<z.ZodArray<z.ZodLiteral<T>>> {
  return z
    .array(z.literal([...menu]))
    .min(1)
    .default(() => [...initial] as never)
}
