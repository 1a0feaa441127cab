import { describe, expect, it } from 'vitest'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { type ProjectionBranch, projectBranch } from '../test/golden-checks.js'

describe.skipIf(!hasGolden)('projection.json.gz', () => {
  const { branches } = readGoldenJson<{ branches: ProjectionBranch[] }>('parallel/projection.json.gz')

  it.each(branches.map((branch) => [branch.name, branch] as const))('%s', (name, branch) => {
    const { parameters, wrong } = projectBranch(branch)
    console.log(`projection ${name}: ${branch.tests.length - wrong.length} of ${branch.tests.length}`)
    expect(parameters).toEqual(branch.parameters)
    expect(wrong).toEqual([])
  })
})
