import { z } from 'zod'

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; editors read this without a u flag
const ONE_LINE = /^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f\u00a0][^\x00-\x1f\x7f]*$/

/** A name or path: one line, not blank, without control characters. */
export function textField(): z.ZodString {
  return z.string().min(1, { abort: true }).max(4096).regex(ONE_LINE)
}
