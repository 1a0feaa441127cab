import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { hasGolden, readGoldenJson } from '../../../conformance/golden.js'
import { loadConfigValue, parseConfigText } from '../src/index.js'

interface Row {
  name: string
  config: unknown
  ours: 'accept' | 'reject' | 'either'
  kv_load_ratio?: unknown
  errors?: { loc: string }[]
}

describe.skipIf(!hasGolden)('config/validation.json', () => {
  const rows = hasGolden ? readGoldenJson<Row[]>('config/validation.json') : []

  it('gives every owed verdict, from data and from text', () => {
    const wrong = rows.filter((row) => {
      const fromValue = loadConfigValue(row.config)
      const fromText = parseConfigText(stringify(row.config), { file: 'sweep.yaml' })
      const verdict = fromValue.ok ? 'accept' : 'reject'
      return fromText.ok !== fromValue.ok || (row.ours !== 'either' && row.ours !== verdict)
    })
    console.log(`validation: ${rows.length - wrong.length} of ${rows.length}`)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('resolves kv_load_ratio and points at the section that upstream blames', () => {
    for (const row of rows) {
      const result = loadConfigValue(row.config)
      if (result.ok && row.kv_load_ratio !== undefined) {
        expect(result.config.workload.kv_load_ratio, row.name).toEqual(row.kv_load_ratio)
      }
      if (result.ok) continue
      const blamed = result.issues.map(({ location }) => location.path ?? '')
      for (const { loc } of row.errors ?? []) {
        expect(
          blamed.some((path) => path.startsWith(loc)),
          `${row.name}: ${loc} in ${blamed.join(', ')}`,
        ).toBe(true)
      }
    }
  })
})
