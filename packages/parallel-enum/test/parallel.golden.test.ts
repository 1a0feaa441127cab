import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type ConfigRow,
  configsOfRow,
  type ProjectionBranch,
  projectBranch,
  type ShapeRow,
  shapesOfRow,
} from './golden-checks.js'

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as T
}

describe('sample of upstream pools', () => {
  const sample = fixture<{ worker_shapes: ShapeRow[]; parallel_configs: ConfigRow[] }>('enumerations-sample')

  it('has the same worker shapes', () => {
    for (const row of sample.worker_shapes) expect(shapesOfRow(row)).toEqual(row.shapes)
    expect(sample.worker_shapes.length).toBeGreaterThan(20)
  })

  it.each(sample.parallel_configs.map((row) => [row.backend, row.is_moe, row.gpu_budget, row] as const))(
    'has the same configurations: %s, moe %s, budget %i',
    (_backend, _moe, _budget, row) => {
      expect(configsOfRow(row)).toEqual(row)
    },
  )
})

describe('sample of upstream projections', () => {
  const { branches } = fixture<{ branches: ProjectionBranch[] }>('projection-sample')

  it.each(branches.map((branch) => [branch.name, branch] as const))('%s', (_, branch) => {
    expect(projectBranch(branch)).toEqual({ parameters: branch.parameters, wrong: [] })
  })
})
