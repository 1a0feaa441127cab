const PATTERN =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?\s*$/i

/**
 * Milliseconds since 1970 of a date like `2023-11-16 18:15:46.6805900` or `2024-05-10T00:00:00.009930+00:00`; a date without
 * zone is UTC. Undefined when it is no date.
 *
 * @param originMs whole number of ms to subtract, so that fractions keep all their digits; default 0 (then 0.25 µs remain)
 */
export function parseTimestampText(text: string, originMs: number = 0): number | undefined {
  const match = PATTERN.exec(text)
  if (match === null) return undefined
  const part = (index: number): number => Number(match[index] ?? 0)
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)]
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined
  const fraction = match[7] === undefined ? 0 : Number(match[7]) / 10 ** (match[7].length - 3)
  const zone = /^([+-])(\d{2}):?(\d{2})$/.exec(match[8] ?? '')
  const offsetMinutes = zone === null ? 0 : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]))
  return Date.UTC(part(1), month - 1, day, hour, minute - offsetMinutes, second) - originMs + fraction
}
