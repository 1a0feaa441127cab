import fc from 'fast-check'

/** Numbers at and beyond the edges of what a field may hold. */
export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 64 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      -1,
      0.5,
      1,
      1.5,
      2,
      128,
      1e6,
      1e9,
      1e15,
      2 ** 31,
      2 ** 32,
      2 ** 53,
      1e308,
      -1e308,
      5e-324,
    ),
  },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
)

/** Texts that tend to be mistaken for something else. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'true',
    '256',
    'null',
    'NaN',
    '__proto__',
    '../x',
    '/etc/passwd',
    '/dev/zero',
    'a\nb',
    '\u0000',
  ),
  fc.string({ maxLength: 12 }),
)

/** Any JSON value, small. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileNumber },
  { weight: 2, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
  { weight: 1, arbitrary: fc.array(fc.oneof(hostileNumber, hostileText), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom({}, { a: 1 }, [[1]], [{}]) },
)

/** `base`, one time in three with some of `keys` set to hostile values, so that many inputs get past the first check. */
export function hostileRecord(
  base: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  most: number,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom(...keys), hostileValue), { maxLength: most }) },
    )
    .map((changes) => ({ ...base, ...Object.fromEntries(changes) }))
}

/** The value that `seed` draws; equal seeds draw equal values. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  return fc.sample(arbitrary, { seed, numRuns: 1 })[0] as T
}
