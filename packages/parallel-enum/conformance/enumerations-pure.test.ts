import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { type ConfigRow, configsOfRow, type ShapeRow, shapesOfRow } from '../test/golden-checks.js'

describe.skipIf(!hasGolden)('enumerations-pure.json.gz', () => {
  const golden = readGoldenJson<{ worker_shapes: ShapeRow[]; parallel_configs: ConfigRow[] }>(
    'parallel/enumerations-pure.json.gz',
  )

  it('gives every list of worker shapes, in order', () => {
    for (const row of golden.worker_shapes) expect(shapesOfRow(row)).toEqual(row.shapes)
    console.log(`enumerations-pure worker_shapes: ${golden.worker_shapes.length} of ${golden.worker_shapes.length}`)
  })

  it('gives every list of configurations, in order', () => {
    for (const row of golden.parallel_configs) expect(configsOfRow(row)).toEqual(row)
    console.log(`enumerations-pure configs: ${golden.parallel_configs.length} of ${golden.parallel_configs.length}`)
  })
})
