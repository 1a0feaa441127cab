import { COMPAT_NAMES, type Compat } from '@spica/schema'
import { InvalidArgumentError } from 'commander'

/** A whole number from `least`, as commander's parser of a flag. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(
        `expected a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
      )
    return value
  }
}

/** A finite number: above `least`, or from it on when `inclusive`. */
export function finiteNumber(least: number, inclusive = false): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value) || (inclusive ? value < least : value <= least))
      throw new InvalidArgumentError(`expected a number ${inclusive ? 'of at least' : 'above'} ${least}`)
    return value
  }
}

/** A comma list of quirks to restore. */
export function compatList(text: string): Compat[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(COMPAT_NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${COMPAT_NAMES.join(', ')}`)
  return [...new Set(names)] as Compat[]
}
