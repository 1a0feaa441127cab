// The coefficient sets as a TypeScript module: one line per family and place.
import { writeFileSync } from 'node:fs'

export function writeCoefficients(path, table) {
  const lines = new Map()
  for (const { family, sku, backend, variant, values, medianError, p90Error, points } of table.sets) {
    const key = `${family}|${sku}|${backend}`
    if (!lines.has(key)) lines.set(key, [])
    lines.get(key).push([variant, values, medianError, p90Error, points])
  }
  const body = [...lines].map(([key, sets]) => `  ${JSON.stringify(key)}: ${JSON.stringify(sets)},`)
  writeFileSync(
    path,
    `import { type PackedCoefficients, unpackCoefficients } from '../roofline/packed-coefficients.js'
import type { CoefficientTable } from '../roofline/coefficient-sets.js'

/** Written by calibration/calibrate.mjs. Per family|sku|backend: [variant, values, held-out median error, 90th percentile, points]. */
const PACKED: PackedCoefficients = {
${body.join('\n')}
}

/** Compute capability × 10 of the SKUs above. */
const SM_VERSIONS: Readonly<Record<string, number>> = ${JSON.stringify(table.smVersions)}

/** The built-in fit of the roofline. */
export const ROOFLINE_COEFFICIENTS: CoefficientTable = unpackCoefficients(PACKED, SM_VERSIONS)
`,
  )
}
