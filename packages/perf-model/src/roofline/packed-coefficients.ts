import type { CoefficientFamily, CoefficientSet, CoefficientTable } from './coefficient-sets.js'

/** Sets per `family|sku|backend`: variant, values, median and 90th percentile error on held-out points, number of points. */
export type PackedCoefficients = Readonly<
  Record<
    string,
    readonly (readonly [
      variant: string,
      values: readonly number[],
      medianError: number,
      p90Error: number,
      points: number,
    ])[]
  >
>

/** Expands the packed form of the data file. */
export function unpackCoefficients(
  packed: PackedCoefficients,
  smVersions: Readonly<Record<string, number>>,
): CoefficientTable {
  const sets = Object.entries(packed).flatMap(([key, entries]) => {
    const [family, sku, backend] = key.split('|') as [CoefficientFamily, string, CoefficientSet['backend']]
    return entries.map(
      ([variant, values, medianError, p90Error, points]): CoefficientSet => ({
        family,
        sku,
        backend,
        variant,
        values,
        medianError,
        p90Error,
        points,
      }),
    )
  })
  return { smVersions, sets }
}
